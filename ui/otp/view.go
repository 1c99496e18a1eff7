package otp

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

func columns() []widget.Column {
	return []widget.Column{
		{Title: "code", Min: 8, Max: 9, Weight: 1},
		{Title: "merchant", Min: 8, Max: 22, Weight: 3},
		{Title: "amount", Min: 8, Max: 11, Weight: 1, Align: widget.Right},
		{Title: "card", Min: 8, Weight: 4, Priority: 1},
		{Title: "left", Min: 5, Align: widget.Right},
	}
}

// View draws the list.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	if focused != p.focused {
		p.bind(focused)
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "2", "Codes", focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		n := len(p.store.Codes())
		if n > 0 {
			f.Title = append(f.Title, pane.Note(p.theme, fmt.Sprintf("%d waiting", n)))
		}
		p.table.SetEmpty(p.empty())
		body = p.table.Draw(focused && p.at() >= 0, p.row)
		f.Foot = pane.Source(p.theme, p.store.Source(state.LaneCodes), p.store.Now())
	}
	f.Scroll = p.table.Scroll()
	p.lines = f.Draw(body, p.w, p.h)
	return p.lines
}

func (p *Pane) empty() string {
	src := p.store.Source(state.LaneCodes)
	switch {
	case src.OKAt.IsZero() && src.Err != nil:
		return "the API does not answer; asking again"
	case src.OKAt.IsZero():
		return "loading codes…"
	}
	return "no code is waiting; a new one shows here by itself"
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	c := p.store.Codes()[i]
	t := p.theme
	code, text := t.Code, t.Text
	if c.Superseded {
		code, text = t.Faint, t.Faint
	}
	w.Cell(code, digits(c))
	w.Cell(text, string(c.Merchant))
	w.Cell(amountStyle(p.store, t, c, text), amount(c))
	switch note := warning(p.store, c); {
	case note != "":
		pane.NameCell(p.store, c.Card, w, t.Warn, note+" ")
	case c.Superseded:
		pane.NameCell(p.store, c.Card, w, t.Faint, "superseded? ")
	default:
		pane.NameCell(p.store, c.Card, w, t.Muted, "")
	}
	left := c.Left(p.store.ServerNow())
	w.Cell(leftStyle(t, left), widget.Countdown(left))
}

// amount is what the code authorizes.
func amount(c state.Code) string {
	if !c.AmountKnown {
		return "unknown"
	}
	return "$" + c.Amount.Grouped()
}

// digits groups a code for reading; the clipboard gets it without the blank.
func digits(c state.Code) string {
	if c.OTP.IsZero() {
		return "fetching"
	}
	return widget.Group(c.OTP.Expose(), 3)
}

// warning says in words when a charge cannot go through.
func warning(s *state.Store, c state.Code) string {
	card, ok := s.Card(c.Card)
	switch {
	case !ok:
		return "unknown card"
	case card.Status == state.CardFrozen:
		return "card is frozen"
	case card.Balance < c.Amount:
		return "over balance"
	}
	return ""
}

func amountStyle(s *state.Store, t *theme.Theme, c state.Code, normal string) string {
	if card, ok := s.Card(c.Card); ok && card.Balance < c.Amount {
		return t.Warn
	}
	return normal
}

// leftStyle changes with the time left; the digits tell it without colour.
func leftStyle(t *theme.Theme, left time.Duration) string {
	switch {
	case left <= 20*time.Second:
		return t.Bad
	case left <= time.Minute:
		return t.Warn
	}
	return t.Muted
}

// Strip draws the newest code in one line of w cells, for screens that have
// no room for the pane.
func (p *Pane) Strip(w int) string {
	t := p.theme
	if p.store == nil {
		return widget.Spans(w)
	}
	c, ok := p.store.NewestCode()
	if !ok {
		return widget.Spans(w, widget.Span{Style: t.Faint, Text: " no code is waiting"})
	}
	left := c.Left(p.store.ServerNow())
	spans := []widget.Span{
		{Style: t.Code, Text: " " + digits(c) + " "},
		{Style: leftStyle(t, left), Text: " " + widget.Countdown(left)},
		{Style: t.Text, Text: "  " + string(c.Merchant)},
		{Style: t.Text, Text: "  " + amount(c)},
	}
	if note := warning(p.store, c); note != "" {
		spans = append(spans, widget.Span{Style: t.Warn, Text: "  " + note})
	}
	spans = append(spans, widget.Span{Style: t.Muted, Text: "  " + p.store.Name(c.Card)})
	if more := len(p.store.Codes()) - 1; more > 0 {
		spans = append(spans, widget.Span{Style: t.Faint, Text: fmt.Sprintf("  +%d", more)})
	}
	return widget.Spans(w, spans...)
}
