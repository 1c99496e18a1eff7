package codes

import (
	"fmt"

	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// Brief draws the newest code in n lines of w cells, for windows that have no
// room for a pane: the code first, what it authorizes, then the card.
func (p *Pane) Brief(w, n int) []string {
	t := p.theme
	if p.store == nil || n <= 0 {
		return nil
	}
	c, ok := p.store.Codes.Newest()
	if !ok {
		return append([]string{p.Strip(w)}, widget.Blank(w, n-1)...)
	}
	code := []widget.Span{{Style: t.Code, Text: " " + p.digits(c) + " "}, {Text: " "}, pane.Left(t, c.Left(p.store.ServerNow()))}
	if more := len(p.store.Codes.All()) - 1; more > 0 {
		code = append(code, widget.Span{Style: t.Faint, Text: fmt.Sprintf(" +%d", more)})
	}
	lines := []string{
		widget.Spans(w, append(code, p.stale()...)...),
		widget.Spans(w, widget.Span{Style: amountStyle(p.store, t, c, t.Text), Text: " " + pane.Amount(t.Words, p.store.Privacy.Display(), c)}, widget.Span{Style: t.Text, Text: " " + string(c.Merchant)}),
		widget.Spans(w, widget.Span{Style: t.Muted, Text: " " + pane.CutName(p.store.Cards.Name(c.Card), w-1)}),
	}
	return lines[:min(n, len(lines))]
}

// Warning says what speaks against the newest code; empty for nothing.
func (p *Pane) Warning() string {
	if p.store == nil {
		return ""
	}
	c, ok := p.store.Codes.Newest()
	if !ok {
		return ""
	}
	return pane.CodeMark(p.store, p.theme, c).Words
}
