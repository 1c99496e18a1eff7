// Package input tells what the user did on purpose from what happened by
// itself: a key that is held down, a paste into a terminal that does not mark
// one, and a row that came under the cursor just before the key.
package input

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// heldFor is how long after a key the same key counts as held down, or as
// pressed twice by accident: terminals repeat a held key after half a second at
// first.
const heldFor = 700 * time.Millisecond

// KeyGuard tells keys that were pressed on purpose from those that were not. A
// key that commits to something is held back until it is known that none
// follows at once: the first key of a paste looks like any other. The zero value
// is ready.
type KeyGuard struct {
	key   string
	at    time.Time
	paste paste

	waiting bool // back is held back
	back    tea.KeyPressMsg
	n       int // its number; messages of others are stale
}

// HeldMsg says that no key followed one that was held back.
type HeldMsg struct{ n int }

// Press notes a key and reports whether it was pressed on purpose. Held keys
// and pastes may move the cursor; they write and confirm nothing.
func (g *KeyGuard) Press(key string, repeated bool, now time.Time) (onPurpose bool) {
	since := now.Sub(g.at)
	held := repeated || key == g.key && since < heldFor
	if g.at.IsZero() {
		held, since = false, burst
	}
	g.paste.next(since, g.waiting)
	if since < burst {
		g.waiting = false
	}
	g.key, g.at = key, now
	return !held && !g.paste.pasted()
}

// Pasted reports whether the latest key is part of a paste.
func (g *KeyGuard) Pasted() bool { return g.paste.pasted() }

// Fast reports whether the latest key followed another at once. That is no
// paste yet, but such a key commits to nothing.
func (g *KeyGuard) Fast() bool { return g.paste.fast > 0 }

// Hold holds a key back. The command brings a HeldMsg when its time is over.
func (g *KeyGuard) Hold(msg tea.KeyPressMsg) tea.Cmd {
	g.n++
	g.waiting, g.back = true, msg
	n := g.n
	return tea.Tick(burst, func(time.Time) tea.Msg { return HeldMsg{n} })
}

// Holding reports whether a key is held back.
func (g *KeyGuard) Holding() bool { return g.waiting }

// Release returns the key that a message says nothing followed; false when
// another key has, or the message is of an earlier one.
func (g *KeyGuard) Release(msg HeldMsg) (tea.KeyPressMsg, bool) {
	if msg.n != g.n || !g.waiting {
		return tea.KeyPressMsg{}, false
	}
	g.waiting = false
	return g.back, true
}

// ReleaseOverdue returns the key that has been held back for long enough while
// its message has not come; false when there is none.
func (g *KeyGuard) ReleaseOverdue(now time.Time) (tea.KeyPressMsg, bool) {
	if !g.waiting || now.Sub(g.at) < burst {
		return tea.KeyPressMsg{}, false
	}
	g.waiting = false
	return g.back, true
}

// settle is how long after the row under the cursor changed by itself no key
// acts on the row that took its place, and after a card's status changed by
// itself none changes it back: nobody has read yet what is there.
const settle = 500 * time.Millisecond

// CursorGuard knows when the row under the cursor changed by itself. The zero
// value is ready.
type CursorGuard struct{ changed time.Time }

// RowChanged notes that another row took the place of the one under the cursor.
func (g *CursorGuard) RowChanged(now time.Time) { g.changed = now }

// RowJustChanged reports whether the row under the cursor changed by itself a
// moment ago.
func (g *CursorGuard) RowJustChanged(now time.Time) bool { return justChanged(g.changed, now) }

// StatusJustChanged reports whether a status that changed by itself at a time,
// zero for never, did so a moment ago.
func StatusJustChanged(at, now time.Time) bool { return justChanged(at, now) }

// justChanged is false for a time ahead: a clock that was set back must not
// disable a key until it has caught up.
func justChanged(at, now time.Time) bool {
	since := now.Sub(at)
	return !at.IsZero() && since >= 0 && since < settle
}

// ByUser reports whether a message is something the user did, and not something
// that was read.
func ByUser(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, HeldMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		return true
	default:
		return false
	}
}

const (
	// burst is less time than a person needs from one key to the next.
	burst = 15 * time.Millisecond
	// fastKeys is how many keys in a row that come faster than that make a paste
	// into a terminal that does not mark pasted text: two may be chance.
	fastKeys = 2
)

// paste counts keys that come faster than a person types.
type paste struct{ fast int }

// next counts a key that came so long after the one before it. first says that
// the one before it waited to see whether any followed: then both are of a paste.
func (p *paste) next(since time.Duration, first bool) {
	switch {
	case since >= burst:
		p.fast = 0
	case first:
		p.fast = fastKeys
	default:
		p.fast++
	}
}

// pasted reports whether the latest key is part of a paste.
func (p *paste) pasted() bool { return p.fast >= fastKeys }
