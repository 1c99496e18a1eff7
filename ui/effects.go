package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/tty"
)

// Effects runs the store's effects.
type Effects interface {
	// Start does at once what concerns memory only, and returns what blocks, nil
	// for nothing. It is called in Update; what it returns is called from a command.
	// The event is nil when there is nothing to apply.
	Start(effect state.Effect, on Screen) (wait func() state.Event)
	// DropCopy drops the copy that waits until another is done.
	DropCopy()
}

// Screen is what an effect may open: the App.
type Screen = interface {
	// ShowSigning shows the signing secret that the vault has just taken over.
	ShowSigning()
	// ShowRequest shows a write that a dry run did not send.
	ShowRequest(request state.ShowRequest)
}

// run starts effects and returns what of them blocks as commands. asked says
// that what the user has just asked for led to them.
func (a *App) run(effects []state.Effect, asked bool) tea.Cmd {
	if a.store.Privacy.Locked() {
		a.cfg.Effects.DropCopy()
	}
	var cmds []tea.Cmd
	for _, e := range effects {
		wait := a.cfg.Effects.Start(e, a)
		if wait == nil {
			continue
		}
		n := a.reads.begin(readLabel(e, asked), a.cfg.Now())
		cmds = append(cmds, tty.Contain(func() tea.Msg {
			if ev := wait(); ev != nil {
				return eventMsg{ev, n}
			}
			return nil
		}))
	}
	return tea.Batch(cmds...)
}

// ShowSigning implements Screen. The server returns the secret once only: on a
// private screen the dialog opens covered instead of being refused.
func (a *App) ShowSigning() {
	a.dialogs.Push(dialog.NewSigning(&a.theme, a.store, a.cfg.Vault), a.cfg.Now())
	a.frame.invalidate()
}

// ShowRequest implements Screen.
func (a *App) ShowRequest(request state.ShowRequest) {
	a.push(dialog.NewDryRun(&a.theme, request))
}
