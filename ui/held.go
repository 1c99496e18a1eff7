package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
)

const (
	// heldFor is how long after a key the same key is taken for one that is
	// held down, or pressed twice by a nervous finger: terminals repeat a held
	// key after half a second at first.
	heldFor = 700 * time.Millisecond
	// burst is less than a person needs from one key to the next: the third
	// that comes as fast was pasted into a terminal that does not mark pasted
	// text. A key that commits to something waits that long for a second one:
	// the first of a paste looks like any other.
	burst = 15 * time.Millisecond
	few   = 2
)

// fingers tells keys that were pressed on purpose from those that were not.
type fingers struct {
	key string
	at  time.Time
	run int // keys in a row that came faster than a person types

	waits bool // next is not done yet
	next  tea.KeyPressMsg
	n     int // its number; timers of others are stale
}

// ripeMsg says that no key followed a key that commits to something.
type ripeMsg struct{ n int }

// pasted tells that the latest key came in a burst.
func (f *fingers) pasted() bool { return f.run >= few }

// hurried tells that the latest key came at once after another. By itself that
// is no paste yet, but it is none that commits to something.
func (f *fingers) hurried() bool { return f.run > 0 }

// press notes a key and tells whether it was pressed on purpose. Held keys
// and bursts may move about, they do not write and do not confirm.
func (f *fingers) press(key string, repeated bool, now time.Time) (onPurpose bool) {
	since := now.Sub(f.at)
	held := repeated || key == f.key && since < heldFor
	if f.at.IsZero() {
		held, since = false, burst
	}
	switch {
	case since >= burst:
		f.run = 0
	case f.waits: // It was the first of a burst.
		f.run, f.waits = few, false
	default:
		f.run++
	}
	f.key, f.at = key, now
	return !held && f.run < few
}

// hold keeps a key until it is known that none follows at once.
func (f *fingers) hold(msg tea.KeyPressMsg) tea.Cmd {
	f.n++
	f.waits, f.next = true, msg
	n := f.n
	return tea.Tick(burst, func(time.Time) tea.Msg { return ripeMsg{n} })
}

// late tells that a key has waited long enough and its timer has not come.
func (f *fingers) late(now time.Time) bool { return f.waits && now.Sub(f.at) >= burst }

// take gives the key that waits, which waits no more.
func (f *fingers) take() tea.KeyPressMsg {
	f.waits = false
	return f.next
}

func (a *App) onRipe(msg ripeMsg) tea.Cmd {
	if msg.n != a.fingers.n || !a.fingers.waits {
		return nil
	}
	return a.onKeyOf(a.fingers.take(), true)
}

// commits tells whether a key by itself would write, answer a question or end
// the program.
func (a *App) commits(key string) bool {
	if a.unseen() || a.jumping() {
		return false
	}
	if act, ok := a.cfg.Keys.Resolve(key, keymap.Always); ok && act == keymap.Quit {
		return false // It ends the program at once, whatever is open.
	}
	if d, ok := a.dialogs.Top(); ok {
		return a.answers(d, key)
	}
	focused := a.pane(a.focus)
	if t, ok := focused.(pane.Typist); ok && t.Typing() {
		return false
	}
	act, _ := a.resolve(key, keymap.Chain(focused.Context())...)
	return a.cfg.Keys.Any(act, func(b keymap.Binding) bool { return b.AtOnce || b.Command != "" })
}

// answers tells whether a key would answer a question, or do a command.
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
