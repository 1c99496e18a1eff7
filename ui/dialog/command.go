package dialog

import (
	"fmt"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// commandLines are how many lines of a command's own line are shown.
const commandLines = 4

// CommandLines tell what a command of a person's own is about to run, and on
// what.
func CommandLines(t *theme.Theme, s *state.Store, where state.Where, in state.RunCommand, w int) []string {
	lines := []string{widget.Spans(w)}
	for _, about := range subject(s, where, in) {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + about}))
	}
	own := widget.Wrap(in.Line, max(1, w-2))
	for _, line := range own[:min(len(own), commandLines)] {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Text, Text: " " + line}))
	}
	if len(own) > commandLines {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " …"}))
	}
	return lines
}

// subject names what a command runs on, and what it reads beside that.
func subject(s *state.Store, where state.Where, in state.RunCommand) []string {
	switch where {
	case state.OnCard:
		on := []string{"on " + s.Cards.Name(in.Card)}
		switch n := len(in.Chosen); n {
		case 0:
		case 1:
			on = append(on, "reads the selected card")
		default:
			on = append(on, fmt.Sprintf("reads the %d selected cards", n))
		}
		return on
	case state.OnTransaction:
		if t, ok := s.Transaction(in.Transaction); ok {
			d := s.Privacy.Display()
			return []string{"on " + d.Merchant(t.Merchant.Name) + " " + d.Dollars(t.Amount), "of " + s.Cards.Name(t.CardID)}
		}
	case state.Anywhere:
	}
	return nil
}
