package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/tty"
)

// eventMsg is the one way results come in; read is the number of the pending
// read it ends, 0 for none.
type eventMsg struct {
	state.Event
	read int
}

// EventMsg returns the message that brings in an event that no effect led to,
// as what becomes of a copy later.
func EventMsg(ev state.Event) tea.Msg { return eventMsg{Event: ev} }

// Update handles a message and arms the clock for what is due next.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if a.end.err != nil {
		return a, tea.Quit
	}
	cmd := a.handle(msg)
	if err := a.store.Poll.RefusedAtStart(); err != nil && a.end.err == nil {
		a.end.err = err
		return a, tea.Quit
	}
	return a, tea.Batch(cmd, a.tellCursor(msg), a.carryOn(), a.save(), a.announce(), a.schedule(), a.frame.pace(msg, a.cfg.Now()))
}

func (a *App) handle(msg tea.Msg) tea.Cmd {
	if a.touched(msg) {
		return nil
	}
	switch msg := msg.(type) {
	case eventMsg:
		return a.onEvent(msg)
	case tickMsg:
		return a.onTick(msg)
	case savedMsg, announcedMsg, desktopMsg:
		a.onBackground(msg)
	case ReloadMsg:
		a.onReload(msg)
	case tty.ResumedMsg:
		return a.onResumed(msg)
	case tea.KeyPressMsg:
		return a.onKey(msg)
	case input.HeldMsg:
		return a.onHeldBack(msg)
	case tea.PasteMsg:
		return a.onPaste(msg.Content)
	case tea.MouseClickMsg:
		return a.onClick(msg.Mouse())
	case tea.MouseWheelMsg:
		return a.onWheel(msg.Mouse())
	case tea.FocusMsg, tea.BlurMsg, tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ColorProfileMsg, tea.ModeReportMsg:
		return a.onTerminal(msg)
	}
	return nil
}

// onEvent applies a result and ends the read that waited for it.
func (a *App) onEvent(msg eventMsg) tea.Cmd {
	if a.reads.end(msg.read, a.cfg.Now()) {
		a.frame.invalidate()
	}
	return a.apply(msg.Event)
}

// onBackground notes that something ended that is not on the screen.
func (a *App) onBackground(msg tea.Msg) {
	switch msg := msg.(type) {
	case savedMsg:
		a.onSaved(msg)
	case announcedMsg:
		a.news.sending = false
	case desktopMsg:
		a.onDesktopFailed(msg)
	}
}

// apply applies an event to the store.
func (a *App) apply(ev state.Event) tea.Cmd {
	changed, effects := a.store.Apply(ev)
	a.sync(changed)
	a.goToIssued(ev)
	return a.run(effects, false)
}

// dispatch starts an intent that needs no more questions.
func (a *App) dispatch(in state.Intent) tea.Cmd {
	changed, effects, err := a.store.Dispatch(in)
	if err != nil {
		changed |= a.store.Notices.Add(state.Warn, err.Error())
	}
	for _, e := range effects {
		if do, ok := e.(state.Do); ok {
			a.begun(do.Op)
		}
	}
	var more tea.Cmd
	if err == nil {
		more = a.followScreen(in)
	}
	a.sync(changed)
	return tea.Batch(a.run(effects, true), more)
}
