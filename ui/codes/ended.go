package codes

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// armed says which card's next code is waited for, and how long, and what stands in the
// way of paying its cart.
func (p *Pane) armed() []widget.Span { return append(p.armedName(), p.problems()...) }

// armedName is armed without what stands in the way.
func (p *Pane) armedName() []widget.Span {
	c := p.store.Codes.Checkout()
	if c.Card == "" {
		return nil
	}
	return []widget.Span{
		{Style: p.theme.Warn, Text: p.theme.Words.T("  armed ")},
		{Style: p.theme.Strong, Text: p.store.Cards.Name(c.Card)},
		{Style: p.theme.Warn, Text: " " + widget.Countdown(c.Until.Sub(p.store.Now()))},
	}
}

// problems say what stands in the way of paying the cart of the armed card.
func (p *Pane) problems() []widget.Span {
	cart, armed := p.store.Codes.ArmedCart()
	if !armed {
		return nil
	}
	var spans []widget.Span
	d := p.store.Privacy.Display()
	for _, problem := range cart.Problems(p.theme.Words) {
		spans = append(spans, widget.Span{Style: p.theme.Bad, Text: "  " + d.Sentence(problem)})
	}
	return spans
}

// endedShown is how many codes that ended stay in sight for a while below those
// that wait, also where there is little room.
const endedShown = 2

// Lines is how many lines the codes of a store take.
func Lines(s *state.Store) int { return len(s.Codes.All()) + min(endedShown, len(s.Codes.Ended())) }

// ended draws in n lines at most what became of the latest codes, as far as
// there is room. Their digits are gone.
func (p *Pane) ended(n int) []string {
	var lines []string
	for _, e := range p.store.Codes.Ended() {
		if len(lines) >= n {
			break
		}
		lines = append(lines, p.endedRow(e))
	}
	return lines
}

func (p *Pane) ago(e *codes.Ended) string {
	return p.theme.Words.Ago(max(0, p.store.ServerNow().Sub(e.EndedAt)))
}

func (p *Pane) endedRow(e codes.Ended) string {
	t, d := p.theme, p.store.Privacy.Display()
	sign, word, style := pane.CodeEnd(t, &e)
	amount := ""
	if e.AmountKnown {
		amount = " " + d.Dollars(e.Amount)
	}
	var outcome []widget.Span
	if txn, ok := p.likely[e.ID]; ok {
		outcome = append(outcome, widget.Span{Style: t.Faint, Text: t.Words.Tf("  likely %s %s", pane.KindText(t.Words, &txn), d.Size(&txn))})
	}
	outcome = append(outcome, widget.Span{Style: t.Faint, Text: "  " + p.ago(&e)})
	what := []widget.Span{
		{Style: style, Text: " " + sign + " " + word},
		{Style: t.Muted, Text: "  " + d.Merchant(e.Merchant) + amount + "  "},
	}
	// What became of it is read whole before the label is.
	room := p.w - 2 - widget.SpansWidth(what) - widget.SpansWidth(outcome)
	what = append(what, widget.Span{Style: t.Muted, Text: pane.Name(p.store, e.Card, room)})
	return widget.Spans(p.w-2, append(what, outcome...)...)
}
