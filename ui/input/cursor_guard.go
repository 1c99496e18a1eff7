package input

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

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
