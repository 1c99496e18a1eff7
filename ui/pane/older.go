package pane

import (
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/lang"
	"github.com/cardtop/cardtop/ui/widget"
)

// MoveBack is Move in a list that is paged into the past: a cursor within two
// screens of its end asks for another page, in a list of two screens or less a
// cursor on the last row. The list is that of a card, or of all for an empty
// id.
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

// Tail is the line below a list's oldest row: what is known of the rows that
// are older still. The rows are called by what, a plural.
func Tail(w *lang.Words, o state.Older, what string, now time.Time) string {
	switch {
	case o.Loading:
		return "loading older " + what + "…"
	case o.End:
		return "no older " + what
	case o.Full:
		return "back to " + When(w, o.Back, now) + ", no room for more"
	case o.Why != "" && o.ByItself:
		return "older: " + o.Why + ", retrying"
	case o.Why != "":
		return "older: " + o.Why + ", ↓ retries"
	}
	return "back to " + When(w, o.Back, now) + ", ↓ loads more"
}
