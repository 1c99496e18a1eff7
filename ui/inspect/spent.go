package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/widget"
)

// spending is what the card spent in 30 UTC days.
type spending struct {
	days []ledger.Bucket
	sum  ledger.Sum
	// shops are the merchants that it spent most at, with their parts in percent.
	shops []string
}

// shopsShown bounds the merchants.
const shopsShown = 3

// spendingOf reads what a card spent.
func spendingOf(s *state.Store, card state.CardID) spending {
	l, d := s.Spend.Ledger(), s.Privacy.Display()
	out := spending{days: l.Days(ledger.OfCard(card), ledger.Days), sum: l.Total(ledger.OfCard(card), ledger.Last30d)}
	shops := l.Merchants(card, ledger.Last30d)
	slices.SortFunc(shops, func(a, b ledger.Row) int {
		return cmp.Or(cmp.Compare(b.Now.Spent(), a.Now.Spent()), cmp.Compare(a.Place, b.Place))
	})
	for _, r := range shops[:min(len(shops), shopsShown)] {
		name, _ := l.Name(ledger.ByMerchant, r.Place)
		if r.Now.Spent() <= 0 || name == "" || d.Private() {
			continue
		}
		out.shops = append(out.shops, fmt.Sprintf("%s %d %%", name, 100*r.Now.Spent()/max(out.sum.Spent(), r.Now.Spent())))
	}
	return out
}

// The most lines that the bars have, and the width from which a bar has two cells.
const (
	mostBars = 3
	wideBars = 100
)

// monthOfDays draws the 30 days as bars in up to n lines, with what they come to
// beside them. Where figures are hidden bars would show them.
func (p *Pane) monthOfDays(n int) []string {
	s, t, d := &p.spending, p.theme, p.store.Privacy.Display()
	if n < 1 || s.sum.Settled|s.sum.Refunded == 0 && s.sum.Declined == 0 || p.narrow() {
		return nil
	}
	if n < mostBars {
		n = 1
	} else {
		n = mostBars
	}
	least := ""
	if !s.sum.Coverage.Complete && !d.Private() {
		least = "≥"
	}
	facts := []string{least + d.Dollars(s.sum.Spent()) + " spent"}
	if attempts := s.sum.Attempts(); attempts > 0 {
		rate := fmt.Sprintf("%.1f %%", 100*float64(s.sum.Declined)/float64(attempts))
		facts = append(facts, fmt.Sprintf("%s declined, %d of %s%d", rate, s.sum.Declined, least, attempts))
	}
	if len(s.shops) > 0 {
		facts = append(facts, strings.Join(s.shops, gap))
	}
	if n == 1 {
		facts = []string{strings.Join(facts[:min(2, len(facts))], gap)}
	}
	cells, values := ledger.Days, make([]widget.BarValue, 0, len(s.days))
	if p.w >= wideBars {
		cells *= 2
	}
	for _, b := range s.days {
		values = append(values, widget.BarValue{Value: float64(b.Spent()), Partial: !b.Complete})
	}
	bars := widget.Bars(values, cells, n, widget.ChartStyles{Bar: t.Bar, Partial: t.Faint})
	if d.Private() {
		bars = widget.Blank(cells, n)
	}
	names, beside := make([]string, n), make([]string, n)
	for i := range n {
		name, text := "", ""
		if i == 0 {
			name = "30 d"
		}
		if i < len(facts) {
			text = gap + facts[i]
		}
		names[i] = widget.Spans(nameCells, p.name(name))
		beside[i] = widget.Spans(max(0, p.w-2-nameCells-cells), widget.Span{Style: t.Muted, Text: text})
	}
	return widget.JoinHorizontal(names, bars, beside)
}
