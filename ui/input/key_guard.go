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
