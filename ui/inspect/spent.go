package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// spending is what the card spent in 30 days.
type spending struct {
	days []ledger.Bucket
	sum  ledger.Sum
	// balances are what was on the card at the end of each of these UTC days.
	balances balances
	// shops are the merchants that it spent most at, with their parts in percent.
	shops []string
	// lasts is how long the balance lasts, or why that is not known; empty where nothing was spent.
	lasts string
	// declines are those of 7 days, week all payments of these, and fortnight those of
	// 14 days. toLine is how many more declines reach the next line that alerts.
	declines        []declines
	week, fortnight ledger.Sum
	toLine          string
}

// shopsShown bounds the merchants.
const shopsShown = 3

// spendingOf reads what a card spent.
func spendingOf(s *state.Store, card api.CardID, timeline []state.TimelineEntry) spending {
	l, d := s.Insight.Ledger(), s.Privacy.Display()
	out := spending{
		days: l.Bars(ledger.OfCard(card), ledger.Last30d), sum: l.Total(ledger.OfCard(card), ledger.Last30d),
		declines: declinesOf(s, card, timeline), week: l.Total(ledger.OfCard(card), ledger.Last7d), fortnight: l.Total(ledger.OfCard(card), ledger.Last14d),
	}
	if c, ok := s.Cards.Get(card); ok && out.week.Coverage.Complete { // Of a part of the week none is right.
		rules := s.Alerts.Rules()
		out.toLine = decline.Next(s.Words(), int(out.week.Declined), out.week.Attempts(), rules.RateFrom, rules.OfCard(&c).Rate)
	}
	out.balances = balancesOf(s, card, timeline, out.days)
	if runway, ok := s.Insight.CardRunway(card); ok && !d.Private() {
		out.lasts = pane.LastsRange(s.Words(), runway)
	} else if why := s.Insight.WhyNoRunway(s.Words(), card); why != "" && !d.Private() {
		out.lasts = "– (" + why + ")"
	}
	shops := l.Merchants(card, ledger.Last30d)
	called := func(r ledger.Row) string {
		name, _ := l.Name(ledger.ByMerchant, r.Place)
		return name
	}
	slices.SortFunc(shops, func(a, b ledger.Row) int {
		return cmp.Or(cmp.Compare(b.Now.Spent(), a.Now.Spent()), cmp.Compare(called(a), called(b)))
	})
	for _, r := range shops[:min(len(shops), shopsShown)] {
		name := called(r)
		if r.Now.Spent() <= 0 || name == "" || d.Private() {
			continue
		}
		out.shops = append(out.shops, fmt.Sprintf("%s %d %%", name, 100*r.Now.Spent()/max(out.sum.Spent(), r.Now.Spent())))
	}
	return out
}

// empty reports whether nothing is known of the 30 days.
func (s *spending) empty() bool { return s.sum.Settled|s.sum.Refunded == 0 && s.sum.Declined == 0 }

// The lines that the bars have where there is room, and the width from which a bar
// has two cells.
const (
	mostBars = 3
	wideBars = 100
)

// barsCells is the width of the bars of 30 days, the first and the last of which are not whole.
func (p *Pane) barsCells() int {
	if p.w >= wideBars {
		return 2 * ledger.Days
	}
	return max(0, min(ledger.Days, p.w-2-nameCells))
}

// monthOfDays draws the 30 days as bars, with what they come to beside them, and what
// was on the card. The bars have so many lines, or one. Where figures are hidden
// bars would show them.
func (p *Pane) monthOfDays(room int) []string {
	s, d := &p.spending, p.store.Privacy.Display()
	if s.empty() {
		return nil
	}
	n := 1
	if room >= mostBars {
		n = mostBars
	}
	words := p.theme.Words
	spent := words.Tf("%s spent", p.atLeast(&s.sum, d.Dollars(s.sum.Spent())))
	shops := strings.Join(s.shops, gap)
	beside := make([]string, n)
	var lines, below []string
	switch {
	case p.narrow():
		lines = p.fact(words.T("30 d"), p.theme.Muted, spent)
	case n == mostBars:
		beside[0], beside[1] = spent, shops
	default:
		beside[0] = spent
	}
	if shops != "" && n < mostBars || p.narrow() && shops != "" {
		below = p.fact(words.T("merchant"), p.theme.Muted, shops)
	}
	values := make([]widget.BarValue, 0, len(s.days))
	for _, b := range s.days {
		values = append(values, widget.BarValue{Value: float64(b.Spent()), Partial: !b.Complete})
	}
	name := words.T("30 d")
	if lines != nil {
		name = ""
	}
	lines = append(lines, p.bars(name, values, beside)...)
	if text := s.balances.text(words, d); text != "" {
		if p.narrow() {
			lines = append(lines, p.fact(words.T("balances"), p.theme.Muted, text)...)
			lines = append(lines, p.bars("", s.balances.values, []string{""})...)
		} else {
			lines = append(lines, p.bars(words.T("balances"), s.balances.values, []string{text})...)
		}
	}
	return append(lines, below...)
}

// bars draws a bar for each of the 30 days, with a text beside each line.
func (p *Pane) bars(name string, values []widget.BarValue, beside []string) []string {
	t, cells := p.theme, p.barsCells()
	chart := widget.Bars(values, cells, len(beside), widget.ChartStyles{Bar: t.Bar, Partial: t.Faint})
	if p.store.Privacy.Display().Private() || chart == nil {
		chart = widget.Blank(cells, len(beside))
	}
	names, texts := make([]string, len(beside)), make([]string, len(beside))
	for i, text := range beside {
		names[i] = widget.Spans(nameCells, p.name(name))
		texts[i] = widget.Spans(max(0, p.w-2-nameCells-cells), widget.Span{Style: t.Muted, Text: gap + text})
		name = ""
	}
	lines := widget.JoinHorizontal(names, chart, texts)
	for i := range lines { // The narrowest have no room for the names.
		lines[i] = widget.FitLine(lines[i], max(0, p.w-2))
	}
	return lines
}

// atLeast marks a figure that is a lower bound.
func (p *Pane) atLeast(of *ledger.Sum, text string) string {
	if of.Coverage.Complete || p.store.Privacy.Display().Private() {
		return text
	}
	return "≥" + text
}
