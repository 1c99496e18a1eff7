package ui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/tty"
)

// push opens a dialog. On a private screen only one that shows nothing of the
// account is: what is confirmed has to be read.
func (a *App) push(d dialog.Dialog) {
	a.frame.invalidate()
	if a.store.Privacy.Private() && !d.Traits().Public {
		a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("private: this shows what is hidden; %s shows everything first", a.cfg.Keys.Key(keymap.Privacy))))
		return
	}
	a.store.Ops.MarkUndoPassed()
	a.dialogs.Push(d, a.cfg.Now())
}

// covered reports whether a dialog that was open before is hidden.
func (a *App) covered(d dialog.Dialog) bool { return a.store.Privacy.Private() && !d.Traits().Public }

// onDialogKey passes a key to the dialog on top.
func (a *App) onDialogKey(d dialog.Dialog, key, text string, onPurpose bool) tea.Cmd {
	now := a.cfg.Now()
	if a.dialogs.Quiet(now) {
		return a.ignore(justOpened(a.theme.Words))
	}
	is := d.Traits()
	context := is.Keys()
	if is.Question && !onPurpose && !a.moves(d, key, text) {
		return a.ignoreKey()
	}
	if act, _ := a.cfg.Keys.Resolve(key, context); act == keymap.Confirm && is.Commits && !onPurpose {
		return a.ignoreKey()
	}
	if cmd, done := a.hides(d, key); done {
		return cmd
	}
	if a.answers(d, key) && a.dialogs.Unread(now) {
		return nil
	}
	var r dialog.Result
	if act, ok := a.cfg.Keys.Resolve(key, context); ok {
		r = d.Act(act)
	} else if !a.scrolls(d, key, text) {
		r = d.Type(keymap.ByPosition(key), text)
	}
	cmd := a.settle(r)
	if r.Ask == nil {
		return cmd
	}
	cmd = tea.Batch(cmd, a.want(r.Ask, key))
	if opensScreen(r.Ask) {
		cmd = tea.Batch(cmd, a.focusOn(layout.Main))
	}
	return cmd
}

// settle does what a dialog asks for.
func (a *App) settle(r dialog.Result) tea.Cmd {
	if r.SwitchTo != nil {
		a.end.next = r.SwitchTo // The program ends, and begins anew on it.
	}
	if r.Quit || r.SwitchTo != nil {
		return tea.Quit
	}
	a.dialogs.Settle(r, a.cfg.Now())
	if r.Told != "" {
		a.sync(a.store.Notices.Say(kernel.Info, r.Told))
	}
	if r.Theme != "" {
		a.preview(r.Theme)
	}
	if r.Language != "" {
		a.speak(r.Language)
	}
	if len(r.Select) > 0 {
		a.panes.cards.Select(r.Select)
	}
	var cmds []tea.Cmd
	if r.Job != nil {
		cmds = append(cmds, tty.Contain(func() tea.Msg { return jobMsg{r.Job(context.Background())} }))
	}
	if r.Run != nil {
		cmds = append(cmds, a.perform(*r.Run))
	}
	for _, in := range r.Intents {
		cmds = append(cmds, a.dispatch(in))
		if _, ok := in.(state.RunPlan); ok {
			a.panes.cards.ClearChosen()
		}
	}
	return tea.Batch(cmds...)
}

// jobMsg says that the job of a dialog is done.
type jobMsg struct{ done func() }

// onJob gives a dialog the result of its job.
func (a *App) onJob(m jobMsg) {
	m.done()
	a.frame.invalidate()
}

// carryOn does what the dialog on top has waited to do, unless it is covered:
// nothing is done behind a screen that hides it.
func (a *App) carryOn() tea.Cmd {
	d, ok := a.dialogs.Top()
	if !ok || a.covered(d) {
		return nil
	}
	ready := d.Traits().Ready
	if ready == nil {
		return nil
	}
	r, done := ready()
	if !done {
		return nil
	}
	a.frame.invalidate()
	return a.settle(r)
}

// answers reports whether a key would answer a question, or do a command.
func (a *App) answers(d dialog.Dialog, key string) bool {
	is := d.Traits()
	if !is.Question && !is.Commits || a.dialogs.Quiet(a.cfg.Now()) {
		return false
	}
	if act, bound := a.cfg.Keys.Resolve(key, is.Keys()); bound {
		return act == keymap.Confirm
	}
	_, moves := a.cfg.Keys.Resolve(key, keymap.Lists)
	return is.Question && !moves && !is.Typing
}

// scrolls moves within a dialog that can be, unless the key types something.
func (a *App) scrolls(d dialog.Dialog, key, text string) bool {
	is := d.Traits()
	act, bound := a.cfg.Keys.Resolve(key, keymap.Lists)
	return is.Move != nil && bound && (!is.Typing || text == "") && is.Move(act)
}

// moves reports whether a key that was not pressed on purpose may still go to a
// question: it answers nothing. A paste that the terminal does not mark is put
// in like one that it marks.
func (a *App) moves(d dialog.Dialog, key, text string) bool {
	is := d.Traits()
	act, bound := a.cfg.Keys.Resolve(key, is.Keys())
	pasted := a.keys.Pasted()
	switch {
	case bound:
		return act == keymap.Switch || act == keymap.Cancel
	case pasted:
		if text != "" && is.Typing {
			d.Paste(text)
		}
		return false
	}
	// A digit twice in a row is not a held key, and scrolling answers nothing.
	_, scrolls := a.cfg.Keys.Resolve(key, keymap.Lists)
	return scrolls || is.Typing
}

// pasteInto puts pasted text into the field of a dialog that can be seen.
func (a *App) pasteInto(d dialog.Dialog, text string) tea.Cmd {
	switch {
	case a.covered(d):
		return a.coveredKey()
	case d.Traits().Question && !d.Traits().Typing:
		return a.ignore(noPaste(a.theme.Words))
	}
	d.Paste(text)
	return nil
}
