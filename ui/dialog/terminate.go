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
	c, _ := s.Card(card)
	digits := string(c.Last4)
	var dialog *Confirm
	dialog = NewConfirm(t, s, Question{
		Title: "Terminate " + s.Name(card), Verb: "Terminate", Intent: state.TerminateCard{Card: card}, Closes: 1, Waits: true,
		Typed: &Typed{Ask: "last four digits", Digits: true, Match: func(text string) bool { return strings.TrimSpace(text) == digits && digits != "" }},
		Lines: func(w int) []string { return refund(t, dialog.store, card, w) },
	})
	return dialog
}

// refund tells what a termination gives back and takes away.
func refund(t *theme.Theme, s *state.Store, card state.CardID, w int) []string {
	c, _ := s.Card(card)
	in := state.TerminateCard{Card: card}
	lines := []string{widget.Spans(w), pair(t, w, "refund    ", widget.Span{Style: t.Gold, Text: dollars(c.Balance)}, widget.Span{Style: t.Muted, Text: " to the wallet"})}
	if _, ok := s.Preview(in); ok {
		lines = append(lines, effectLines(t, s, in, w)[1])
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Bad, Text: " permanent: there is no way back"}))
}
