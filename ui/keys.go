package ui

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/pane"
)

// Why a key, a paste or a click does nothing.
func heldKey(w *lang.Words) string {
	return w.T("a held key or a double press counts once: wait a moment, then press it again")
}

func fastKeys(w *lang.Words) string {
	return w.T("keys this fast count as a paste, which does nothing: press one key")
}

func justOpened(w *lang.Words) string {
	return w.T("the question has just opened: read it, then press again")
}

func noField(w *lang.Words) string {
	return w.T("nothing pasted: no text field is open")
}

func noPaste(w *lang.Words) string {
	return w.T("nothing pasted: answer with a key")
}

func noClick(w *lang.Words) string {
	return w.T("the mouse presses no button: tab and enter do")
}

// onKey passes a key on: to the dialog on top, an open text field, the focused
// pane, or the program. Keys are never logged.
func (a *App) onKey(msg tea.KeyPressMsg) tea.Cmd {
	var before tea.Cmd
	if key, ok := a.keys.ReleaseOverdue(a.cfg.Now()); ok {
		before = a.onKeyOf(key, true)
	}
	held := a.keys.Holding()
	onPurpose := a.keys.Press(msg.String(), msg.Key().IsRepeat, a.cfg.Now())
	commits := onPurpose && a.commits(msg.String())
	if held || commits && a.keys.Fast() {
		a.ignore(fastKeys(a.theme.Words))
	}
	switch {
	case commits && a.keys.Fast():
		return before
	case commits:
		return tea.Batch(before, a.keys.Hold(msg))
	}
	return tea.Batch(before, a.onKeyOf(msg, onPurpose))
}

// onHeldBack does what a key that was held back asks for, unless another
// followed.
func (a *App) onHeldBack(msg input.HeldMsg) tea.Cmd {
	if key, ok := a.keys.Release(msg); ok {
		return a.onKeyOf(key, true)
	}
	return nil
}

// onKeyOf does what a key asks for.
func (a *App) onKeyOf(msg tea.KeyPressMsg, onPurpose bool) tea.Cmd {
	a.frame.invalidateBody()
	key, text := msg.String(), msg.Key().Text
	if a.unseen() {
		return a.onUnseenKey(key)
	}
	a.end.asked = false
	if act, ok := a.cfg.Keys.Resolve(key, keymap.Always); ok {
		return a.always(act)
	}
	if a.store.Privacy.Locked() {
		return a.onLockedKey(key)
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.onDialogKey(d, key, text, onPurpose)
	}
	if a.labels.shown() {
		return a.onLabel(key)
	}
	focused := a.pane(a.focus)
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		if act, ok := a.cfg.Keys.Resolve(key, keymap.Filter); ok {
			return a.act(focused, act, key)
		}
		t.Type(keymap.ByPosition(key), text)
		return nil
	}
	return a.onPaneKey(focused, key, onPurpose)
}

// onPaneKey does what a key asks of the focused pane, or of the program.
func (a *App) onPaneKey(focused pane.Pane, key string, onPurpose bool) tea.Cmd {
	act, ok := a.cfg.Keys.Resolve(key, keymap.Chain(focused.Context())...)
	if !ok {
		if _, elsewhere := a.cfg.Keys.Resolve(key, keymap.Card); elsewhere {
			a.sync(a.store.Notices.Say(kernel.Info, keymap.NoCard))
		}
		return nil
	}
	// A user who goes on has read the notice.
	a.sync(a.store.Notices.Dismiss())
	if !onPurpose && a.cfg.Keys.Any(act, keymap.Binding.Lasts) || a.keys.Pasted() && a.cfg.Keys.Any(act, shows) {
		return a.ignoreKey()
	}
	if a.rowJustChanged(act) {
		a.ignoreNewRow()
		return nil
	}
	if cmd, done := a.do(act, key); done {
		return cmd
	}
	return a.act(focused, act, key)
}

// shows reports whether an action shows or copies what nobody else is to see: a paste does not.
func shows(b keymap.Binding) bool { return b.Has(keymap.NeedDetails) || b.Action == keymap.CopyCode }

// always does what a key asks for whatever is open.
func (a *App) always(act keymap.Action) tea.Cmd {
	switch act {
	case keymap.Suspend:
		return a.suspend()
	case keymap.CopyCode:
		return a.want(secrets.CopyCode{}, "")
	default:
		return tea.Quit
	}
}

// commits reports whether a key by itself would write, answer a question or end
// the program.
func (a *App) commits(key string) bool {
	if act, ok := a.cfg.Keys.Resolve(key, keymap.Always); ok && act == keymap.Quit || a.labels.shown() {
		return false // The one ends the program at once, whatever is open.
	}
	if a.unseen() {
		act, _ := a.cfg.Keys.Resolve(key, keymap.Global)
		return act == keymap.Quit
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.answers(d, key)
	}
	focused := a.pane(a.focus)
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		return false
	}
	act, _ := a.cfg.Keys.Resolve(key, keymap.Chain(focused.Context())...)
	return a.cfg.Keys.Any(act, func(b keymap.Binding) bool { return b.AtOnce || b.Command != "" })
}

// onPaste puts pasted text into an open field that can be seen and nowhere
// else: pasted keys never act.
func (a *App) onPaste(text string) tea.Cmd {
	a.frame.invalidate()
	if a.labels = nil; a.unseen() {
		return nil
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.pasteInto(d, text)
	}
	if t, ok := a.pane(a.focus).(pane.Typist); ok && t.Typing() {
		t.Type("", text)
		if utf8.RuneCountInString(text) > pane.FilterLimit {
			return a.ignore(a.theme.Words.Tf("pasted text was cut to %d characters", pane.FilterLimit))
		}
		return nil
	}
	return a.ignore(noField(a.theme.Words))
}

// ignore says why what the user did has no effect.
func (a *App) ignore(why string) tea.Cmd {
	a.sync(a.store.Notices.Say(kernel.Info, why))
	return nil
}

// ignoreKey says why a key that was not pressed on purpose does nothing.
func (a *App) ignoreKey() tea.Cmd {
	if a.keys.Pasted() {
		return a.ignore(fastKeys(a.theme.Words))
	}
	return a.ignore(heldKey(a.theme.Words))
}
