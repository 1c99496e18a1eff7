package bins

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// roomy is the width from which the title names all ranges.
const roomy = 60

func (p *Pane) frame(f *widget.Frame) {
	f.Title = append(f.Title, pane.RangeTabs(p.Theme, ranges(), p.over, p.W >= roomy)...)
	f.Title = append(f.Title, pane.Note(p.Theme, p.count()))
}

func (p *Pane) count() string {
	all, known, _ := p.Store.BINs.All()
	switch {
	case !known:
		return ""
	case len(p.Rows()) < len(all):
		return p.Theme.Words.Tf("%d of %d", len(p.Rows()), len(all))
	}
	return fmt.Sprint(len(all))
}

func (p *Pane) empty() string {
	_, known, err := p.Store.BINs.All()
	switch {
	case known && p.Filter.On():
		return p.Theme.Words.T("no BIN matches; esc clears the filter")
	case known:
		return p.Theme.Words.T("no BINs for this account: ask the service which it may use")
	case err != nil:
		return pane.Hint(p.keys, keymap.BINs, keymap.Reload, p.Theme.Words.T("retries")) + ": " + errtext.Explain(p.Theme.Words, err)
	}
	return p.Theme.Words.T("loading BINs…")
}

// lines are the decline rates that a BIN alerts at, in percent.
func (p *Pane) lines(id api.BINID) []int {
	rules := p.Store.Alerts.Rules()
	return rules.Of(ledger.Scope{By: ledger.ByBIN, Name: string(id)}).Rate
}

// rateFrom is of how many charges a rate alerts.
func (p *Pane) rateFrom() int {
	rules := p.Store.Alerts.Rules()
	return rules.RateFrom
}

// declined is which part of the charges was declined, and how that is to be read.
func (p *Pane) declined(id api.BINID) (text, style string) {
	d := p.measured[id]
	level := 0
	if p.over == ledger.Last7d { // Alerts are about that.
		level = p.Store.Alerts.Level(alert.DeclineRate, ledger.Scope{By: ledger.ByBIN, Name: string(id)})
	}
	return pane.DeclineRate(p.Theme, d.Declined, d.Asked, level)
}

// toAlert is how many more declines reach the next line of a BIN, which is of 7 days; false when that is not known and
// when all are reached.
func (p *Pane) toAlert(id api.BINID) (n int, ok bool) {
	d := p.week[id]
	if p.read {
		n, _, ok = decline.ToNext(d.Declined, d.Asked, p.rateFrom(), p.lines(id))
	}
	return n, ok
}

// toAlertCell is toAlert in a cell.
func (p *Pane) toAlertCell(id api.BINID, w *widget.RowWriter) {
	n, ok := p.toAlert(id)
	d, lines := p.week[id], p.lines(id)
	switch at := decline.Reaches(d.Declined, d.Asked, lines); {
	case ok:
		w.Cell(p.Theme.Muted, p.Theme.Words.Tf("%d more", n))
	case p.read && d.Asked >= p.rateFrom() && at > 0:
		w.Cell(p.Theme.Bad, p.Theme.Words.Tf("past %d %%", lines[at-1]))
	default:
		w.Cell(p.Theme.Faint, "–")
	}
}

// atLeast marks a count that is a lower bound.
func (p *Pane) atLeast(text string) string {
	if p.complete {
		return text
	}
	return "≥" + text
}

func (p *Pane) percent(rate float64) string {
	return p.Theme.Words.Number(fmt.Sprintf("%.1f %%", rate))
}

func (p *Pane) row(bin api.BIN, w *widget.RowWriter) {
	t := p.Theme
	for at, cell := range pane.BINCells(t.Words, bin) {
		style := t.Text
		if at >= colType && at <= colThreeDS {
			style = t.Muted
		}
		if widget.Width(cell) > w.Width() { // The title says that it is money.
			cell = strings.TrimSuffix(cell, "\u00a0$")
		}
		w.Cell(style, cell)
	}
	text, style := p.declined(bin.ID)
	w.Cell(style, text)
	p.toAlertCell(bin.ID, w)
	w.Cell(t.Muted, pane.BINWallets(t.Words, bin))
	w.Cell(t.Muted, pane.BINTags(bin))
}

// detail draws of the BIN under the cursor what the columns have no room for.
func (p *Pane) detail(bin api.BIN, w, n int) []string {
	t, d, words := p.Theme, p.measured[bin.ID], p.Theme.Words
	threeDS := words.T("no 3DS")
	if bin.ThreeDS {
		threeDS = "3DS"
	}
	about := []string{pane.Value(words, string(bin.Type)) + " " + string(bin.IssuerCountry), threeDS, pane.BINWallets(t.Words, bin)}
	lines := []string{widget.Spans(w, widget.Span{Style: t.Text, Text: " " + strings.Join(about, " · ")})}
	if n == 1 {
		return lines
	}
	best := words.T("no recommendation from the service")
	if tags := pane.BINTags(bin); tags != "" {
		best = words.Tf("best for %s, per the service", tags)
	}
	cards, over := words.Tn(d.Cards, "%d card", "%d cards"), words.T(pane.RangeName(p.over))
	here := words.Tf("yours: %s, no charge in %s", cards, over)
	if rate, ok := d.Rate(); ok {
		here = words.Tf("yours: %s, %s charges declined in %s (%s)", cards, p.atLeast(words.Tf("%d of %d", d.Declined, d.Asked)), over, p.percent(rate))
	}
	if alert := p.alert(bin.ID); alert != "" {
		here += " · " + alert
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " " + best}), widget.Spans(w, widget.Span{Style: t.Muted, Text: " " + here}))
}

// alert is how near the rate of 7 days, which alerts are about, is to the next line; empty before all of that was read, and
// where nothing was tried.
func (p *Pane) alert(id api.BINID) string {
	d, words := p.week[id], p.Theme.Words
	percent, ok := d.Rate()
	if !ok || !p.read {
		return ""
	}
	var parts []string
	if p.over != ledger.Last7d {
		parts = append(parts, words.Tf("7 d: %s", p.percent(percent)))
	}
	if next := decline.Next(words, d.Declined, d.Asked, p.rateFrom(), p.lines(id)); next != "" {
		parts = append(parts, words.Tf("alert: %s", next))
	}
	return strings.Join(parts, ", ")
}
