package ui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/input"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/widget"
)

// touched notes that the user is there. It reports whether that is all that a
// key or a click does: the screen had hidden itself, or is locked, and nothing
// acts on what cannot be seen.
func (a *App) touched(msg tea.Msg) bool {
	key, isKey := msg.(tea.KeyPressMsg)
	if _, held := msg.(input.HeldMsg); held || !input.ByUser(msg) {
		return false // A key that was held back was noted when it was pressed.
	}
	a.clock.attend(a.cfg.Now(), a.cfg.Quiet)
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
		return a.dispatch(kernel.UnlockScreen{})
	}
	a.sync(a.store.Notices.Say(kernel.Warn, a.theme.Words.Tf("locked: %s unlocks, %s quits", a.cfg.Keys.Key(keymap.Unlock), a.quitKey())))
	return nil
}

// quitKey is the key that quits whatever is open.
func (a *App) quitKey() string {
	for _, k := range a.cfg.Keys.Keys(keymap.Always, keymap.Quit) {
		return k
	}
	return a.theme.Words.T("a signal")
}

// hides does the keys that hide and copy, which count over a dialog too, unless
// it takes letters and can be seen. A covered dialog takes no key but the one
// that closes it, and not that one where something would be lost unseen.
func (a *App) hides(d dialog.Dialog, key string) (cmd tea.Cmd, done bool) {
	covered := a.covered(d)
	if d.Traits().Typing && !covered {
		return nil, false
	}
	switch act, _ := a.cfg.Keys.Resolve(key, keymap.Global); act {
	case keymap.CopyCode:
		// A checkout does not wait for a dialog.
		return a.want(secrets.CopyCode{}, ""), true
	case keymap.Privacy, keymap.Lock:
		return a.do(act, key)
	default:
	}
	if act, _ := a.cfg.Keys.Resolve(key, d.Traits().Keys()); !covered || act == keymap.Cancel && !d.Traits().Holds {
		return nil, false
	}
	return a.coveredKey(), true
}

// coveredKey says why a covered dialog ignores a key.
func (a *App) coveredKey() tea.Cmd {
	return a.ignore(a.theme.Words.Tf("private: %s shows the dialog", a.cfg.Keys.Key(keymap.Privacy)))
}

// box returns what draws the box over the panes, nil for none.
func (a *App) box() func(w, h int) []string {
	d, open := a.dialogs.Top()
	cover := func(title string, text ...string) func(w, h int) []string {
		return func(w, _ int) []string { return dialog.Cover(&a.theme, title, text, w) }
	}
	switch {
	case a.store.Privacy.Locked():
		w := a.theme.Words
		text := []string{w.Tf("%s unlocks  %s quits", a.cfg.Keys.Key(keymap.Unlock), a.quitKey()), "", w.T("there is no password: lock the"), w.T("machine as well when you leave it")}
		if n := a.store.Codes.Waiting(); n > 0 {
			text[1] = w.Tf("codes waiting: %d", n)
		}
		return cover(w.T("Locked"), text...)
	case open && a.covered(d):
		keys := a.theme.Words.Tf("%s shows it", a.cfg.Keys.Key(keymap.Privacy))
		if !d.Traits().Holds {
			keys += "  " + a.theme.Words.T("esc closes it")
		}
		return cover(a.theme.Words.T("Private"), a.theme.Words.T("this dialog shows what is hidden"), keys)
	case open:
		return d.View
	default:
		return nil
	}
}

// privacyPart says in the header that the screen is locked, recorded or private.
func (a *App) privacyPart() (part, bool) {
	word := ""
	switch {
	case a.store.Privacy.Locked():
		word = a.theme.Words.T("LOCKED")
	case a.store.Privacy.Recording() != "":
		word = a.theme.Words.T("RECORDED")
	case a.store.Privacy.Private():
		word = a.theme.Words.T("PRIVATE")
	default:
		return part{}, false
	}
	spans := []widget.Span{{Text: " "}, {Style: a.theme.BadgeWarn, Text: " " + word + " "}}
	if a.store.Privacy.Recording() != "" && a.store.Privacy.Private() && a.w >= layout.Roomy {
		spans = append(spans, widget.Span{Text: " "}, widget.Span{Style: a.theme.BadgeWarn, Text: " " + a.theme.Words.T("PRIVATE") + " "})
	}
	return part{spans, 0}, true
}
