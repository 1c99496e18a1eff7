package pane

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
)

// Linked says what a transaction has to do with one that it belongs with, and
// how sure that is.
func Linked(s *state.Store, t *state.Transaction, l state.Related) string {
	verb, of := "goes with", ""
	switch {
	case l.Row.Type == state.Authorization && t.Type == state.Settlement:
		verb, of = "settles", "the hold of "
	case l.Row.Type == state.Authorization:
		verb, of = "began with", "the hold of "
	case l.Row.Type == state.Settlement && t.Type == state.Authorization:
		verb = "settled by"
	case l.Row.Type == state.Settlement:
		verb = "refunds"
	case l.Row.Type == state.Refund:
		verb = "refunded by"
	default:
	}
	d := s.Privacy.Display()
	text := verb + " " + of + d.Dollars(max(l.Row.Amount, -l.Row.Amount)) + ", " + When(s.Words(), l.Row.CreatedAt, s.ServerNow())
	if l.Told {
		return text
	}
	sure := "likely "
	if !l.Same || l.Of > 1 {
		sure = "perhaps "
	}
	if !l.Same {
		text += ", not the same amount"
	}
	if l.Of > 1 {
		text += fmt.Sprintf(", one of %d", l.Of)
	}
	return sure + text
}
