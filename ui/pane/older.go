package pane

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/widget"
)

// MoveBack is Move in a list that is paged into the past: a cursor within two
// screens of its end asks for another page, in a list of two screens or less a
// cursor on the last row. The list is that of a card, or of all for an empty
// id.
func MoveBack(t *widget.Table, card api.CardID, a keymap.Action) (intents []kernel.Intent, moved bool) {
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
		intents = one(txns.LoadOlder{Card: card})
	}
	return intents, true
}

// Tail is the line below a list's oldest row: what is known of the rows that
// are older still. Loading says that they are being read, none that there are none.
func Tail(w *lang.Words, o txns.Older, loading, none string, now time.Time) string {
	switch {
	case o.Loading:
		return loading
	case o.End:
		return none
	case o.Full:
		return w.Tf("back to %s, no room for more", When(w, o.Back, now))
	case o.Why != "" && o.ByItself:
		return w.Tf("older: %s, retrying", o.Why)
	case o.Why != "":
		return w.Tf("older: %s, ↓ retries", o.Why)
	}
	return w.Tf("back to %s, ↓ loads more", When(w, o.Back, now))
}
