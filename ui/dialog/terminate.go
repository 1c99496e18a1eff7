package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// NewTerminate asks before a card ends for good: its last digits are typed,
// and it starts on Cancel.
func NewTerminate(t *theme.Theme, s *state.Store, card state.CardID) *Confirm {
	c, _ := s.Cards.Get(card)
	digits := string(c.Last4)
	var dialog *Confirm
	dialog = NewConfirm(t, s, Question{
		Title: "Terminate " + s.Cards.Name(card), Verb: "Terminate", Intent: state.TerminateCard{Card: card}, Closes: 1, Waits: true,
		Typed: &Typed{Ask: "last four digits", Digits: true, Match: func(text string) bool { return strings.TrimSpace(text) == digits && digits != "" }},
		Lines: func(w int) []string { return dialog.refund(card, w) },
	})
	return dialog
}

// refund tells what a termination gives back and takes away.
func (c *Confirm) refund(card state.CardID, w int) []string {
	t := c.theme
	held, _ := c.store.Cards.Get(card)
	back := held.Balance
	if op, ok := c.agreed(c.store); ok {
		back = op.Expected.CardBefore
	}
	lines := []string{widget.Spans(w), pair(t, w, "refund    ", widget.Span{Style: t.Gold, Text: dollars(back)}, widget.Span{Style: t.Muted, Text: " to the wallet"})}
	if _, ok := c.store.Preview(c.what.Intent); ok {
		lines = append(lines, c.effect(t, c.store, c.what.Intent, w)[1])
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Bad, Text: " permanent: there is no way back"}))
}
