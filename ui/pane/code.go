package pane

import (
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
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

// Left is the time that a code has left, with a mark when it gets short and two
// when it is nearly over, so that it is not told by colour and digits alone.
func Left(t *theme.Theme, left time.Duration) widget.Span {
	switch text := widget.Countdown(left); {
	case left <= 20*time.Second:
		return widget.Span{Style: t.Bad, Text: t.Glyphs.Alert + t.Glyphs.Alert + text}
	case left <= time.Minute:
		return widget.Span{Style: t.Warn, Text: t.Glyphs.Alert + text}
	default:
		return widget.Span{Style: t.Muted, Text: text}
	}
}
