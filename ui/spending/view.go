package spending

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// roomy is the width from which the title names all ranges, and since when all is
// known.
const roomy = 60

// frame names the range, what the rows are and since when all is known.
func (p *Pane) frame(f *widget.Frame) {
	t := p.Theme
	f.Title = append(f.Title, pane.RangeTabs(t, ledger.Ranges(), p.over, p.W >= roomy)...)
	f.Title = append(f.Title, pane.Note(t, p.count()))
	if text := p.since(); text != "" && p.W >= roomy { // Else the figures alone say so.
		f.Title = append(f.Title, widget.Span{Style: t.Warn, Text: " · " + text})
	}
}

// count says how many rows there are.
func (p *Pane) count() string {
	n, w := p.table.of, p.way()
	text := w.count(p.Theme.Words, n)
	if p.table.matching < n {
		return p.Theme.Words.Tf("%d of %s", p.table.matching, text)
	}
	return text
}

// since says from when on everything is known; empty where that is all of the
// range.
func (p *Pane) since() string {
	c := p.sum.Coverage
	switch {
	case c.Complete:
		return ""
	case c.Since.IsZero():
		return p.Theme.Words.T("not read yet")
	}
	return p.Theme.Words.Tf("since %s", pane.When(p.Theme.Words, c.Since, p.Store.ServerNow()))
}

func (p *Pane) empty() string {
	switch {
	case p.Filter.On():
		return p.Theme.Words.T(p.way().lost)
	case p.sum.Coverage.Since.IsZero():
		return p.Theme.Words.T("loading transactions…")
	case p.by == ledger.ByCampaign || p.by == ledger.ByBIN:
		return p.Theme.Words.T("no cards yet")
	}
	return p.Theme.Words.Tf("nothing spent in %s", p.Theme.Words.T(p.span().name))
}

func (p *Pane) row(r ledger.Row, w *widget.RowWriter) {
	for _, c := range p.cells {
		if w.Width() == 0 {
			w.Skip()
			continue
		}
		c.cell(p, &r, w)
	}
}

// fullName is what a row is called, hidden or not.
func (p *Pane) fullName(r *ledger.Row) string {
	name, other := p.Store.Insight.Ledger().Name(p.by, r.Place)
	switch {
	case other:
		return lang.N("(others)")
	case name == "":
		return p.way().none
	case p.by == ledger.ByCard:
		if i := p.table.listed.card(r.Place).row; i >= 0 {
			all := p.Store.Cards.All()
			return cardlist.Name(all.Label(int(i)), all.Last4(int(i)))
		}
	}
	return name
}

// name is what a row is called on the screen.
func (p *Pane) name(r *ledger.Row) string {
	name, others := p.Store.Insight.Ledger().Name(p.by, r.Place)
	text := p.fullName(r)
	if others || name == "" {
		text = p.Theme.Words.T(text)
	}
	if name == "" {
		return text
	}
	return p.Store.Privacy.Display().Text(text)
}

func (p *Pane) nameCell(r *ledger.Row, w *widget.RowWriter) {
	style := p.Theme.Text
	if r.Now.Empty() {
		style = p.Theme.Faint
	}
	if p.by == ledger.ByCard {
		id, _ := p.Store.Insight.Ledger().Name(p.by, r.Place)
		pane.NameCell(p.Store, api.CardID(id), w, style)
		return
	}
	w.Cell(style, p.name(r))
}

// atLeast marks a figure that is a lower bound.
func (p *Pane) atLeast(text string) string {
	if p.sum.Coverage.Complete && p.sum.Foreign == 0 || p.Store.Privacy.Display().Private() {
		return text
	}
	return "≥" + text
}

func (p *Pane) spentCell(r *ledger.Row, w *widget.RowWriter) {
	style := p.Theme.Text
	if r.Now.Spent() == 0 {
		style = p.Theme.Faint
	}
	w.Cell(style, p.atLeast(p.Store.Privacy.Display().Amount(r.Now.Spent())))
}

// leastBar is the width of the cell from which a share has a bar, percentCells
// what is beside it.
const (
	leastBar     = 14
	percentCells = len(" 100.0 %")
)

// shareCell draws the part of everything that a row spent. Where figures are hidden
// a bar would show them.
func (p *Pane) shareCell(r *ledger.Row, w *widget.RowWriter) {
	if p.Store.Privacy.Display().Private() {
		w.Skip()
		return
	}
	part := p.share(r)
	if bar := w.Width() - percentCells; w.Width() >= leastBar {
		text := widget.BarText(part, bar)
		filled := strings.TrimRight(text, "░")
		w.Span(p.Theme.Bar, filled)
		w.Span(p.Theme.BarRest, text[len(filled):])
	}
	w.Span(p.Theme.Muted, fmt.Sprintf("%*s", percentCells, p.Theme.Words.Number(fmt.Sprintf("%.1f %%", 100*part))))
	w.EndCell()
}

func (p *Pane) changeCell(r *ledger.Row, w *widget.RowWriter) {
	w.Cell(p.Theme.Muted, p.changed(r.Now.Spent(), r.Before.Spent))
}

// mostChange is the change in percent from which on only that it is more is told.
const mostChange = 999

// changed is how much more was spent than before, in words.
func (p *Pane) changed(now, before api.USD) string {
	percent, known := p.change(now, before)
	switch {
	case p.Store.Privacy.Display().Private():
		return ""
	case !known && p.compared() && now > 0:
		return p.Theme.Words.Tc("change", "new")
	case !known:
		return "–"
	case percent > mostChange:
		return fmt.Sprintf(">+%d %%", mostChange)
	}
	return fmt.Sprintf("%+.0f %%", percent)
}

func (p *Pane) attemptsCell(r *ledger.Row, w *widget.RowWriter) {
	w.Cell(p.Theme.Muted, p.atLeast(strconv.Itoa(r.Now.Attempts())))
}

// declined is the decline rate of a scope, with the mark of an alert.
func (p *Pane) declined(of *ledger.Totals, s ledger.Scope) (text, style string) {
	level := 0
	if p.over == ledger.Last7d { // Alerts are about that.
		level = p.Store.Alerts.Level(alert.DeclineRate, s)
	}
	return pane.DeclineRate(p.Theme, int(of.Declined), of.Attempts(), level)
}

// scope is what a row is of.
func (p *Pane) scope(r *ledger.Row) ledger.Scope {
	name, _ := p.Store.Insight.Ledger().Name(p.by, r.Place)
	return ledger.Scope{By: p.by, Name: name}
}

func (p *Pane) declinedCell(r *ledger.Row, w *widget.RowWriter) {
	text, style := p.declined(&r.Now, p.scope(r))
	w.Cell(style, p.marked(text))
}

// marked leaves room for the mark behind a figure that has none, so that figures stand
// below each other.
func (p *Pane) marked(text string) string {
	if strings.HasSuffix(text, p.Theme.Glyphs.Alert) {
		return text
	}
	return text + "  "
}

func (p *Pane) cardsCell(r *ledger.Row, w *widget.RowWriter) {
	w.Cell(p.Theme.Muted, strconv.Itoa(p.sumOf(r).cards))
}

func (p *Pane) heldCell(r *ledger.Row, w *widget.RowWriter) {
	w.Cell(p.Theme.Muted, p.Store.Privacy.Display().Amount(p.sumOf(r).balance))
}
