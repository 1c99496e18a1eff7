package pane

import (
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// MoveBack is Move in a list that goes on into the past: who comes within two
// screens of its end asks for more of it, or who comes to its last row where
// there are no more than two. The list is that of a card, or of all for an
// empty id.
func MoveBack(t *widget.Table, card state.CardID, a keymap.Action) (intents []state.Intent, moved bool) {
	if !Move(t, a) {
		return nil, false
	}
	near := 2 * t.Visible()
	if t.Rows() <= near {
		near = 1
	}
	at, _ := t.Cursor()
	down := a == keymap.Down || a == keymap.PageDown || a == keymap.Last
	if down && t.Rows()-at <= near {
		intents = one(state.LoadOlder{Card: card})
	}
	return intents, true
}

// Tail is what a list says below its oldest row of the past that is not in it.
// The whole is the name of what nothing is older in.
func Tail(o state.Older, whole string, now time.Time) string {
	switch {
	case o.Loading:
		return "older: loading…"
	case o.End:
		return "the beginning of the " + whole
	case o.Full:
		return "read back to " + When(o.Back, now) + ", as far as is held at once"
	case o.Why != "" && o.ByItself:
		return "older: " + o.Why + " · asked again by itself"
	case o.Why != "":
		return "older: " + o.Why + " · ↓ tries again"
	}
	return "read back to " + When(o.Back, now) + " · ↓ goes on"
}
