package pane

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
)

// OnCard turns a key into what it means for the card under the cursor. A
// card the list does not know yet can still be named by its id.
func OnCard(s *state.Store, id state.CardID, a keymap.Action) []state.Intent {
	switch a {
	case keymap.Inspect:
		return one(state.InspectCard{Card: id})
	case keymap.Reveal:
		return one(state.RevealCard{Card: id})
	case keymap.CopyNext:
		return one(state.CopyNext{Card: id})
	case keymap.Freeze:
		if c, ok := s.Card(id); ok && c.Status == state.CardFrozen {
			return one(state.UnfreezeCard{Card: id})
		}
		return one(state.FreezeCard{Card: id})
	case keymap.Fund:
		return one(state.FundCard{Card: id})
	case keymap.Withdraw:
		return one(state.WithdrawCard{Card: id})
	case keymap.Dismiss:
		return one(state.Dismiss{Card: id})
	default:
		return nil
	}
}

func one(in state.Intent) []state.Intent { return []state.Intent{in} }
