package otp

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

// armed says which card's next code is waited for, and how long.
func (p *Pane) armed() []widget.Span {
	c := p.store.Checkout()
	if c.Card == "" {
		return nil
	}
	left := c.Until.Sub(p.store.Now())
	return []widget.Span{
		{Style: p.theme.Warn, Text: "  armed "},
		{Style: p.theme.Strong, Text: p.store.Name(c.Card)},
		{Style: p.theme.Warn, Text: " " + widget.Countdown(left)},
	}
}

// ended draws in n lines at most what became of the latest codes, as far as
// there is room. Their digits are gone.
func (p *Pane) ended(n int) []string {
	var lines []string
	for _, e := range p.store.EndedCodes() {
		if len(lines) >= n {
			break
		}
		lines = append(lines, p.endedRow(e))
	}
	return lines
}

func (p *Pane) endedRow(e state.Ended) string {
	t, d := p.theme, p.store.Display()
	sign, word, style := t.Glyphs.Pending, "ended", t.Muted
	switch e.Status {
	case state.ChallengeCompleted:
		sign, word, style = t.Glyphs.Check, "completed", t.Good
	case state.ChallengeExpired:
		sign, word = t.Glyphs.Cross, "expired"
	default:
	}
	amount := ""
	if e.AmountKnown {
		amount = " " + d.Dollars(e.Amount)
	}
	spans := []widget.Span{
		{Style: style, Text: " " + sign + " " + word},
		{Style: t.Muted, Text: "  " + p.store.Display().Merchant(e.Merchant) + amount + "  " + p.store.Name(e.Card)},
	}
	if txn, ok := p.store.Led(e); ok {
		spans = append(spans, widget.Span{Style: t.Faint, Text: "  likely " + string(txn.Type) + " " + d.Dollars(max(txn.Amount, -txn.Amount))})
	}
	age := widget.Ago(max(0, p.store.ServerNow().Sub(e.EndedAt)))
	return widget.Spans(p.w-2, append(spans, widget.Span{Style: t.Faint, Text: "  " + age})...)
}
