package pane

import (
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
)

// Amount is what a code authorizes.
func Amount(d state.Display, c state.Code) string {
	if !c.AmountKnown {
		return "unknown"
	}
	return d.Dollars(c.Amount)
}

// CodeWarning says in words when a charge cannot go through.
func CodeWarning(s *state.Store, c state.Code) string {
	card, ok := s.Card(c.Card)
	switch {
	case !ok:
		return "unknown card"
	case card.Status == state.CardFrozen:
		return "card is frozen"
	case card.Status == state.CardTerminated:
		return "card is terminated"
	case c.AmountKnown && card.Balance < c.Amount:
		return "over balance"
	}
	return ""
}

// LeftStyle changes with the time a code has left; the digits tell it without
// colour.
func LeftStyle(t *theme.Theme, left time.Duration) string {
	switch {
	case left <= 20*time.Second:
		return t.Bad
	case left <= time.Minute:
		return t.Warn
	}
	return t.Muted
}
