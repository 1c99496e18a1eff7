package cards

import (
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// column is one thing that the list can show of a card.
type column struct {
	pane.Column
	// desc says that it is first sorted with the largest on top: what is asked
	// "where does the money go".
	desc bool
	// number or text is what it is sorted by; neither is the label. sums says
	// that the numbers of a group's cards add up to the group's; else the largest
	// is.
	number func(*cardlist.Card) int64
	sums   bool
	text   func(*cardlist.Card) string
	// figure is what it is sorted by, where the ledger knows it of cards and groups;
	// write writes it, nothing where it is not known, warns says that it is bad.
	figure func(*figure) int64
	write  func(*Pane, *figure) string
	warns  func(*Pane, *cardlist.Card, *figure) bool
	// value is what other programs get.
	value func(*cardlist.Card) rows.Cell
	// aged says how long ago something was, which moves with the time.
	aged func(p *Pane, c *cardlist.Card) string
	// cell writes what is neither.
	cell func(p *Pane, c *cardlist.Card, w *widget.RowWriter)
}

// labelColumn is the column that the list is first sorted by, balanceColumn
// that of what is on the cards.
const (
	labelColumn   = "label"
	balanceColumn = "balance"
)

// choices are all columns there are, in the order they are shown in.
func (p *Pane) choices() []column {
	return slices.Concat(usual(), spare(), []column{p.campaigns()}, p.figureColumns())
}

// usual are those shown when the user chose none.
func usual() []column {
	return []column{
		{
			Column: pane.Column{Name: "status", About: lang.N("icon of the status"), Column: widget.Column{Title: "", Min: 1, Max: 1}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.Shown()) },
			text:   func(c *cardlist.Card) string { return string(c.Shown()) }, cell: (*Pane).statusCell,
		},
		{
			Column: pane.Column{Name: labelColumn, About: lang.N("label"), Enough: 44, Column: widget.Column{Title: lang.Column("label"), Min: 10, Max: 56, Weight: 3}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.Label) },
			cell:   (*Pane).labelCell,
		},
		{
			Column: pane.Column{Name: "card", About: lang.N("last 4 digits"), Column: widget.Column{Title: lang.Column("card"), Min: 9, Max: 9}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.Last4) },
			text:   func(c *cardlist.Card) string { return string(c.Last4) },
			cell: func(p *Pane, c *cardlist.Card, w *widget.RowWriter) {
				w.Cell(p.muted(c), "•••• "+p.store.Privacy.Display().Last4(*c))
			},
		},
		{
			Column: pane.Column{Name: balanceColumn, About: lang.N("balance, USD"), Column: widget.Column{Title: lang.Column("balance"), Min: 10, Max: 12, Align: widget.Right}}, desc: true,
			value:  func(c *cardlist.Card) rows.Cell { return rows.Money(c.Balance) },
			number: func(c *cardlist.Card) int64 { return int64(c.Balance) }, sums: true,
			cell: (*Pane).balanceCell,
		},
		{
			Column: pane.Column{Name: "spent", About: lang.N("settled in 24 h, USD"), Column: widget.Column{Title: lang.Column("spent 24h"), Min: 10, Max: 12, Align: widget.Right, Priority: 1}}, desc: true,
			value:  func(c *cardlist.Card) rows.Cell { return rows.Money(c.Spent24h) },
			number: func(c *cardlist.Card) int64 { return int64(c.Spent24h) }, sums: true,
			cell: (*Pane).spentCell,
		},
		{
			Column: pane.Column{Name: "last", About: lang.N("time since last use"), Column: widget.Column{Title: lang.Column("last"), Min: 5, Max: 5, Align: widget.Right, Priority: 2}}, desc: true,
			value:  func(c *cardlist.Card) rows.Cell { return rows.Time(c.LastUsed) },
			number: func(c *cardlist.Card) int64 { return moment(c.LastUsed) },
			aged:   (*Pane).used,
		},
	}
}

// spare are those that are shown when they are chosen, or there is much room.
func spare() []column {
	return []column{
		{
			Column: pane.Column{Name: limitColumn, About: lang.N("monthly limit used"), Spare: true, Column: widget.Column{Title: lang.Column("limit"), Min: 6, Max: 6, Align: widget.Right, Priority: 3}}, desc: true,
			value: limitValue, number: limitRank, cell: (*Pane).limitCell,
		},
		{
			Column: pane.Column{Name: "state", About: lang.N("status"), Spare: true, Column: widget.Column{Title: lang.Column("state"), Min: 10, Max: 10, Priority: 3}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.Shown()) },
			text:   func(c *cardlist.Card) string { return string(c.Shown()) },
			cell: func(p *Pane, c *cardlist.Card, w *widget.RowWriter) {
				w.Cell(p.muted(c), pane.StatusWord(p.theme.Words, c.Shown()))
			},
		},
		{
			Column: pane.Column{Name: "network", About: "Visa, Mastercard", Spare: true, Column: widget.Column{Title: lang.Column("network"), Min: 7, Max: 10, Weight: 1, Priority: 4}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.Network) },
			text:   func(c *cardlist.Card) string { return folded(c.Network) },
			cell:   func(p *Pane, c *cardlist.Card, w *widget.RowWriter) { w.Cell(p.muted(c), string(c.Network)) },
		},
		{
			Column: pane.Column{Name: "bin", About: "BIN", Spare: true, Column: widget.Column{Title: "BIN", Min: 6, Max: 14, Weight: 1, Priority: 5}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.BIN) },
			text:   func(c *cardlist.Card) string { return folded(c.BIN) },
			cell: func(p *Pane, c *cardlist.Card, w *widget.RowWriter) {
				w.Cell(p.muted(c), p.store.Privacy.Display().Text(string(c.BIN)))
			},
		},
		{
			Column: pane.Column{Name: "age", About: lang.N("time since issue"), Spare: true, Column: widget.Column{Title: lang.Column("age"), Min: 5, Max: 5, Align: widget.Right, Priority: 6}}, desc: true,
			value:  func(c *cardlist.Card) rows.Cell { return rows.Time(c.CreatedAt) },
			number: func(c *cardlist.Card) int64 { return moment(c.CreatedAt) },
			aged:   func(p *Pane, c *cardlist.Card) string { return p.age(c.CreatedAt, "–") },
		},
		{
			Column: pane.Column{Name: expiresColumn, About: lang.N("time until it expires"), Spare: true, Column: widget.Column{Title: lang.Column("expires"), Min: 7, Max: 7, Align: widget.Right, Priority: 13}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Time(c.ExpiresAt) },
			number: expiryRank, cell: (*Pane).expiresCell,
		},
		{
			Column: pane.Column{Name: "id", About: lang.N("card id"), Spare: true, Column: widget.Column{Title: "id", Min: 10, Max: 30, Weight: 1, Priority: 7}},
			value:  func(c *cardlist.Card) rows.Cell { return rows.Text(c.ID) },
			text:   func(c *cardlist.Card) string { return string(c.ID) },
			cell:   func(p *Pane, c *cardlist.Card, w *widget.RowWriter) { w.Cell(p.theme.Faint, string(c.ID)) },
		},
	}
}

// ColumnNames are what the columns are called.
func ColumnNames() []string { return pane.Names((*Pane)(nil).choices()) }

// moment orders times; never comes before all.
func moment(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// folded is text as it is compared: letters count as the same in both cases.
func folded[T ~string](s T) string { return strings.ToLower(string(s)) }

func (p *Pane) muted(c *cardlist.Card) string {
	if c.Status == api.CardTerminated {
		return p.theme.Faint
	}
	return pane.Tone(p.theme, c.Cached, p.theme.Muted)
}

func (p *Pane) statusCell(c *cardlist.Card, w *widget.RowWriter) {
	glyph, style := status(p.store.Privacy.Display(), p.theme, c)
	w.Cell(pane.Tone(p.theme, c.Cached, style), glyph)
}

func (p *Pane) balanceCell(c *cardlist.Card, w *widget.RowWriter) {
	d := p.store.Privacy.Display()
	w.Cell(pane.Tone(p.theme, c.Cached, balanceStyle(d, p.theme, c)), d.Amount(c.Balance))
}

func (p *Pane) spentCell(c *cardlist.Card, w *widget.RowWriter) {
	w.Cell(p.muted(c), p.spent(c.Spent24h))
}

// leastLabel is what is kept of a label beside what is being done, in cells.
const leastLabel = 14

// labelCell says what is being done with a card as well.
func (p *Pane) labelCell(c *cardlist.Card, w *widget.RowWriter) {
	t := p.theme
	text, style := p.store.Privacy.Display().Label(*c), pane.Tone(t, c.Cached, t.Text)
	if c.Status == api.CardTerminated {
		style = t.Faint
	}
	if text == "" {
		text, style = t.Words.T("(no label)"), t.Faint
	}
	words := pane.UnderWay(t, p.store, c.ID)
	if len(words) == 0 {
		w.Cell(style, text)
		return
	}
	// The label says which card it is: of the mark as much is said as it leaves.
	most, mark := w.Width()-min(widget.Width(text), max(leastLabel, w.Width()/2)), ""
	for _, word := range words {
		if mark = "  " + word; widget.Width(mark) <= most {
			break
		}
	}
	w.Span(style, widget.Truncate(text, max(0, w.Width()-widget.Width(mark))))
	w.Span(t.Warn, mark)
	w.EndCell()
}

func (p *Pane) age(at time.Time, never string) string {
	if at.IsZero() {
		return never
	}
	return p.theme.Words.AgeOfRow(max(0, p.store.ServerNow().Sub(at)))
}

// spent is what was spent in 24 hours, marked as long as not all of them were
// read.
func (p *Pane) spent(u api.USD) string {
	d := p.store.Privacy.Display()
	if p.whole24h || d.Private() {
		return d.Amount(u)
	}
	return "≥" + d.Amount(u)
}

// none stands for what a card does not have, or for what was not read yet.
func none(read bool) string {
	if read {
		return "–"
	}
	return "?"
}

// used says when a card was used; of one that was not, whether that is known.
func (p *Pane) used(c *cardlist.Card) string {
	return p.age(c.LastUsed, none(p.store.Insight.Read24h()))
}
