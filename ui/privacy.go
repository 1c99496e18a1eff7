package ui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/widget"
)

// touched notes that a person is there. It tells whether that is all there is
// to a key or a click: the screen had hidden itself, or is locked, and nobody
// acts on what they cannot see.
func (a *App) touched(msg tea.Msg) bool {
	key, isKey := msg.(tea.KeyPressMsg)
	if _, waited := msg.(ripeMsg); waited || !byHand(msg) {
		return false // A key that waited was noted when it was pressed.
	}
	woke, changed := a.store.Touch(a.cfg.Now())
	a.sync(changed)
	if isKey {
		if act, _ := a.cfg.Keys.Resolve(key.String(), keymap.Always); act == keymap.Quit {
			return false
		}
	}
	return woke || a.store.Privacy.Locked() && !isKey
}

// onLockedKey unlocks, or says how.
func (a *App) onLockedKey(key string) tea.Cmd {
	if act, _ := a.cfg.Keys.Resolve(key, keymap.Locked); act == keymap.Unlock {
		return a.dispatch(state.UnlockScreen{})
	}
	a.sync(a.store.Notices.Add(state.Warn, fmt.Sprintf("locked: %s unlocks, %s quits", a.cfg.Keys.Key(keymap.Unlock), a.quitKey())))
	return nil
}

// quitKey quits whatever is open.
func (a *App) quitKey() string {
	for _, k := range a.cfg.Keys.Keys(keymap.Always, keymap.Quit) {
		return k
	}
	return "a signal"
}

// push opens a dialog. On a private screen only one that shows nothing of the
// account is: what is confirmed has to be read.
func (a *App) push(d dialog.Dialog) {
	a.dirty = true
	if a.store.Privacy.Private() && !d.Traits().Public {
		a.sync(a.store.Notices.Add(state.Warn, "private: this shows what is hidden; "+a.cfg.Keys.Key(keymap.Privacy)+" shows everything first"))
		return
	}
	a.store.Ops.WentOn()
	a.dialogs.Push(d, a.cfg.Now())
}

// covered tells whether a dialog that was open before is hidden.
func (a *App) covered(d dialog.Dialog) bool { return a.store.Privacy.Private() && !d.Traits().Public }

// hides does the keys that hide and copy, which hold over a dialog too, unless
// it takes letters and can be seen; a covered one closes, unless something would be lost unseen, and takes no
// other.
func (a *App) hides(d dialog.Dialog, key string) (cmd tea.Cmd, done bool) {
	covered := a.covered(d)
	if d.Traits().Typing && !covered {
		return nil, false
	}
	switch act, _ := a.resolve(key, keymap.Global); act {
	case keymap.CopyCode:
		// A checkout does not wait for a dialog.
		return a.want(state.CopyCode{}, ""), true
	case keymap.Privacy, keymap.Lock:
		return a.own(act, key)
	default:
	}
	if act, _ := a.cfg.Keys.Resolve(key, d.Traits().Keys()); !covered || act == keymap.Cancel && !d.Traits().Holds {
		return nil, false
	}
	return a.coveredKey(), true
}

// coveredKey says why a covered dialog takes nothing.
func (a *App) coveredKey() tea.Cmd {
	return a.ignore("private: " + a.cfg.Keys.Key(keymap.Privacy) + " shows the dialog")
}

// box gives what stands over the panes, nil for nothing.
func (a *App) box() func(w, h int) []string {
	d, open := a.dialogs.Top()
	cover := func(title string, text ...string) func(w, h int) []string {
		return func(w, _ int) []string { return dialog.Cover(&a.theme, title, text, w) }
	}
	switch {
	case a.store.Privacy.Locked():
		text := []string{a.cfg.Keys.Key(keymap.Unlock) + " unlocks  " + a.quitKey() + " quits", "", "there is no password: lock the", "machine as well when you leave it"}
		if n := a.store.Codes.Waiting(); n > 0 {
			text[1] = fmt.Sprintf("codes waiting: %d", n)
		}
		return cover("Locked", text...)
	case open && a.covered(d):
		keys := a.cfg.Keys.Key(keymap.Privacy) + " shows it"
		if !d.Traits().Holds {
			keys += "  esc closes it"
		}
		return cover("Private", "this dialog shows what is hidden", keys)
	case open:
		return d.View
	default:
		return nil
	}
}

// seenPart is the header's word on who may read the screen.
func (a *App) seenPart() (part, bool) {
	word := ""
	switch {
	case a.store.Privacy.Locked():
		word = " LOCKED "
	case a.store.Privacy.Recording() != "":
		word = " RECORDED "
	case a.store.Privacy.Private():
		word = " PRIVATE "
	default:
		return part{}, false
	}
	spans := []widget.Span{{Text: " "}, {Style: a.theme.BadgeWarn, Text: word}}
	if a.store.Privacy.Recording() != "" && a.store.Privacy.Private() && a.w >= roomy {
		spans = append(spans, widget.Span{Text: " "}, widget.Span{Style: a.theme.BadgeWarn, Text: " PRIVATE "})
	}
	return part{spans, 0}, true
}
