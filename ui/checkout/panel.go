// Package checkout draws the code that an armed checkout brought, large
// enough to be read at a glance. It reads the code as it draws and keeps
// nothing.
package checkout

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// largeFrom is the width from which the digits are drawn at full size.
const largeFrom = 72

// borders is what the frame takes of a panel's height.
const borders = 2

// Height is how many lines the panel takes at a width, borders included.
func Height(w int) int { return widget.BigRows(w >= largeFrom) + borders }

// Panel is drawn below the list while a code is large.
type Panel struct{ theme *theme.Theme }

// New makes a panel.
func New(t *theme.Theme) *Panel { return &Panel{theme: t} }

// View draws the panel in exactly w cells and Height lines; nil without a
// code. What it returns holds the code: it is drawn and not kept.
func (p *Panel) View(s *state.Store, w int) []string {
	c, ok := s.Caught()
	if !ok {
		return nil
	}
	t := p.theme
	f := pane.Frame(t, "", "Checkout", true)
	f.Title = append(f.Title, pane.Note(t, s.Name(c.Card)))
	f.Right = []widget.Span{{Style: t.Muted, Text: "esc puts it away"}}
	left := pane.Left(t, c.Left(s.ServerNow()))
	f.Foot = []widget.Span{{Style: left.Style, Text: left.Text + " left"}}
	inner, height := w-borders, Height(w)-borders
	digits := p.digits(s.Display(), c, w >= largeFrom)
	used := widget.LineWidth(digits[0])
	facts := p.facts(s, c)
	body := make([]string, 0, height)
	top := (height - len(digits)) / 2
	for y := range height {
		line := ""
		if i := y - top; i >= 0 && i < len(digits) {
			line = digits[i]
		}
		var spans []widget.Span
		if i := y - (height-len(facts))/2; i >= 0 && i < len(facts) {
			spans = facts[i]
		}
		body = append(body, widget.FitLine(line, used)+widget.Spans(max(0, inner-used), spans...))
	}
	return f.Draw(body, w, Height(w))
}

// digits draws the code; one that is not made of digits is drawn plainly.
func (p *Panel) digits(d state.Display, c state.Code, large bool) []string {
	text := widget.Group(d.Code(c), 3)
	lines, ok := widget.BigDigits(text, large)
	if !ok {
		lines = []string{text}
	}
	out := make([]string, 0, len(lines))
	for _, l := range lines {
		out = append(out, widget.Spans(widget.Width(l)+3, widget.Span{Style: p.theme.Accent, Text: " " + l}))
	}
	return out
}

// facts are what the code authorizes, on which card, and what speaks against
// it.
func (p *Panel) facts(s *state.Store, c state.Code) [][]widget.Span {
	t := p.theme
	lines := [][]widget.Span{
		{{Style: t.Strong, Text: pane.Amount(s.Display(), c)}},
		{{Style: t.Text, Text: string(c.Merchant)}},
	}
	if note := pane.CodeWarning(s, c); note != "" {
		return append(lines, []widget.Span{{Style: t.Warn, Text: note}})
	}
	if !c.CopiedAt.IsZero() {
		return append(lines, []widget.Span{{Style: t.Good, Text: t.Glyphs.Check + " copied"}})
	}
	return append(lines, []widget.Span{{Style: t.Muted, Text: "o copies it"}})
}
