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
func CommandLines(t *theme.Theme, s *state.Store, c state.Command, in state.RunCommand, w int) []string {
	lines := []string{widget.Spans(w)}
	if on := subject(s, c, in); on != "" {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Strong, Text: " " + on}))
	}
	own := widget.Wrap(c.Line, max(1, w-2))
	for _, line := range own[:min(len(own), commandLines)] {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Text, Text: " " + line}))
	}
	if len(own) > commandLines {
		lines = append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " …"}))
	}
	return lines
}

// subject names what a command runs on; empty when it is nothing.
func subject(s *state.Store, c state.Command, in state.RunCommand) string {
	switch c.Where {
	case state.OnCard:
		name := s.Name(in.Card)
		if n := len(in.Chosen); n > 0 {
			return fmt.Sprintf("%s; it reads the %d selected cards", name, n)
		}
		return name
	case state.OnTransaction:
		if t, ok := s.Transaction(in.Transaction); ok {
			return s.Display().Merchant(t.Merchant.Name) + " " + s.Display().Dollars(t.Amount) + " of " + s.Name(t.CardID)
		}
	case state.Anywhere:
	}
	return ""
}
