package bins

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

func (p *Pane) frame(f *widget.Frame) {
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
		return pane.Hint(p.keys, keymap.BINs, keymap.Reload, p.Theme.Words.T("retries")) + ": " + state.Explain(p.Theme.Words, err)
	}
	return p.Theme.Words.T("loading BINs…")
}

// The rates from which declines are worth a look and from which they are bad:
// issuers begin to act on cards in between.
const (
	someDeclines = 10
	manyDeclines = 25
)

// declined is what was measured here, and how it is to be read.
func (p *Pane) declined(id state.BINID) (text, style string) {
	d := p.measured[id]
	rate, ok := d.Rate()
	t := p.Theme
	switch {
	case !ok:
		return "–", t.Faint
	case rate >= manyDeclines:
		return p.percent(rate) + " " + t.Glyphs.Alert, t.Bad
	case rate >= someDeclines:
		return p.percent(rate), t.Warn
	}
	return p.percent(rate), t.Good
}

func (p *Pane) percent(rate float64) string {
	return p.Theme.Words.Number(fmt.Sprintf("%.1f %%", rate))
}

func (p *Pane) row(bin state.BIN, w *widget.RowWriter) {
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
	w.Cell(t.Muted, pane.BINWallets(t.Words, bin))
	w.Cell(t.Muted, pane.BINTags(bin))
}

// detail draws of the BIN under the cursor what the columns have no room for.
func (p *Pane) detail(bin state.BIN, w, n int) []string {
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
	here := words.Tf("yours: %s, no charge in 24 h", words.Tn(d.Cards, "%d card", "%d cards"))
	if rate, ok := d.Rate(); ok {
		here = words.Tf("yours: %s, %d of %d charges declined in 24 h (%s)", words.Tn(d.Cards, "%d card", "%d cards"), d.Declined, d.Asked, p.percent(rate))
	}
	if week := p.week(bin.ID); week != "" {
		here += " · " + week
	}
	return append(lines, widget.Spans(w, widget.Span{Style: t.Muted, Text: " " + best}), widget.Spans(w, widget.Span{Style: t.Muted, Text: " " + here}))
}

// week is the decline rate of 7 days, which alerts are about, and from where on it alerts; empty of none.
func (p *Pane) week(id state.BINID) string {
	scope := ledger.Scope{By: ledger.ByBIN, Name: string(id)}
	sum, words, rules := p.Store.Spend.Ledger().Total(scope, ledger.Last7d), p.Theme.Words, p.Store.Alerts.Rules()
	percent, ok := decline.Rate(int(sum.Declined), sum.Attempts())
	if !ok || !sum.Coverage.Complete {
		return ""
	}
	text := words.Tf("7 d: %s", p.percent(percent))
	if at := rules.Of(scope).Rate; len(at) > 0 {
		text += words.Tf(", alert at your %d %%", at[0])
	}
	return text
}
