package txns

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/views"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// timeColumn is the column that the feed is first sorted by, the newest on
// top: only so it is live.
const timeColumn = "time"

// sortNext asks to sort by the shown column after the current one.
func (p *Pane) sortNext() []kernel.Intent {
	at := slices.IndexFunc(p.columns, func(c column) bool { return c.Name == p.by.Name })
	return p.sortOn(p.columns[(at+1)%len(p.columns)])
}

// sortOn asks to sort by a column, the other way round when it already is.
func (p *Pane) sortOn(c column) []kernel.Intent {
	if c.Name == p.by.Name {
		return p.sortBy(c.Name, !p.desc)
	}
	return p.sortBy(c.Name, c.number != nil)
}

func (p *Pane) sortBy(name string, desc bool) []kernel.Intent {
	v := p.view
	v.Sort, v.Desc = name, desc
	return []kernel.Intent{views.Set{List: settings.FeedList, View: v}}
}

// sortAs sets what the feed is sorted by; what no column is called is the
// time.
func (p *Pane) sortAs(v settings.View) {
	all := columns()
	at := slices.IndexFunc(all, func(c column) bool { return c.Name == v.Sort })
	if at < 0 {
		at, v.Desc = slices.IndexFunc(all, func(c column) bool { return c.Name == timeColumn }), true
	}
	p.by, p.desc = all[at], v.Desc
}

// newestFirst reports whether the feed is in the order in which it came.
func (p *Pane) newestFirst() bool { return p.by.Name == timeColumn && p.desc }

// arrange sorts rows that are in the order of time, the newest first; those
// that are equal stay so.
func (p *Pane) arrange(order []int) {
	if p.newestFirst() {
		return
	}
	type key struct {
		row    int
		number int64
		text   string
	}
	keys := make([]key, len(order))
	for i, row := range order {
		keys[i].row = row
		switch t := p.at(row); {
		case p.by.number != nil:
			keys[i].number = p.by.number(t)
		case p.by.Name == whyColumn:
			keys[i].text = p.why(t)
		case p.by.text != nil:
			keys[i].text = p.folds.text(p.by.text(t))
		default:
			keys[i].text = p.folds.name(p.store, t.CardID)
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int {
		c := cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.text, b.text))
		if p.desc {
			return -c
		}
		return c
	})
	for i, k := range keys {
		order[i] = k.row
	}
}

// sorted says how the feed is sorted when that is not by time.
func (p *Pane) sorted() string {
	w := p.theme.Words
	name := w.Title(p.by.Name)
	switch {
	case p.newestFirst():
		return ""
	case p.by.number == nil && p.desc:
		return w.Tf("by %s, z to a", name)
	case p.by.number == nil:
		return w.Tf("by %s", name)
	case p.desc:
		return w.Tf("by %s, highest first", name)
	}
	return w.Tf("by %s, lowest first", name)
}

// column is one thing that the feed can show of a transaction. A cell is
// drawn faint, in a style of the theme's, or written by itself.
type column struct {
	pane.Column
	text func(*api.Transaction) string
	// merchant says that the text is about the merchant, which may be hidden.
	merchant bool
	// number is what it is sorted by, where that is no text.
	number func(*api.Transaction) int64
	style  func(*theme.Theme, *api.Transaction) string
	value  func(*api.Transaction) rows.Cell // for other programs; nil: the text
	cell   func(p *Pane, t *api.Transaction, style string, w *widget.RowWriter)
}

func muted(th *theme.Theme, _ *api.Transaction) string { return th.Muted }
func plain(th *theme.Theme, _ *api.Transaction) string { return th.Text }

func moment(t *api.Transaction) int64 { return t.CreatedAt.UnixNano() }

// cardColumn is the column of what the cards are called.
const cardColumn = "card"

// clockCells is the width of a column of clocks.
const clockCells = len(time.TimeOnly)

// columns are all there are, in the order they are shown in.
func columns() []column {
	return []column{
		{
			Column: pane.Column{Name: timeColumn, About: lang.N("time"), Column: widget.Column{Title: lang.Column("time"), Min: 6, Max: clockCells, Weight: 9}},
			value:  func(t *api.Transaction) rows.Cell { return rows.Time(t.CreatedAt) },
			cell:   (*Pane).timeCell, number: moment,
		},
		{
			Column: pane.Column{Name: whatColumn, About: lang.N("hold, settled, refund, declined"), Column: widget.Column{Title: lang.Column("what"), Min: 10}},
			value:  func(t *api.Transaction) rows.Cell { return rows.Text(pane.KindWord(t)) }, text: pane.KindWord,
			style: func(th *theme.Theme, t *api.Transaction) string { _, style := pane.Kind(th, t); return style },
			cell: func(p *Pane, t *api.Transaction, style string, w *widget.RowWriter) {
				w.Cell(style, p.what(t, w.Width()))
			},
		},
		{
			Column: pane.Column{Name: merchantColumn, About: lang.N("merchant"), Column: widget.Column{Title: lang.Column("merchant"), Min: 6, Max: 26, Weight: 2}},
			text:   func(t *api.Transaction) string { return string(t.Merchant.Name) }, style: plain, merchant: true,
		},
		{
			Column: pane.Column{Name: amountColumn, About: lang.N("USD, negative when spent"), Column: widget.Column{Title: lang.Column("amount"), Min: amountCells, Align: widget.Right}},
			cell:   (*Pane).amountCell,
			value:  func(t *api.Transaction) rows.Cell { return rows.Units(t.Sent()) },
			number: func(t *api.Transaction) int64 { return int64(max(t.Amount, -t.Amount)) },
		},
		{
			Column: pane.Column{Name: cardColumn, About: lang.N("card label and last 4"), Column: widget.Column{Title: lang.Column("card"), Min: 8, Max: 40, Weight: 3}}, style: muted,
			cell: func(p *Pane, t *api.Transaction, style string, w *widget.RowWriter) {
				pane.NameCell(p.store, t.CardID, w, style)
			},
		},
		{
			Column: pane.Column{Name: whyColumn, About: lang.N("why it was declined"), Enough: whyCells, Column: widget.Column{Title: lang.Column("why"), Min: 24, Max: 40, Weight: 1, Priority: 6}},
			style:  func(th *theme.Theme, _ *api.Transaction) string { return th.Warn },
			cell:   (*Pane).whyCell,
		},
		{
			Column: pane.Column{Name: lang.Column("country"), About: lang.N("merchant country"), Column: widget.Column{Title: "", Min: 2, Priority: 1}},
			text:   func(t *api.Transaction) string { return string(t.Merchant.Country) }, merchant: true,
		},
		{
			Column: pane.Column{Name: "date", About: lang.N("date"), Spare: true, Column: widget.Column{Title: lang.Column("date"), Min: len(time.DateOnly), Priority: 5}},
			text:   func(t *api.Transaction) string { return t.CreatedAt.Local().Format(time.DateOnly) }, number: moment,
		},
		{
			Column: pane.Column{Name: "category", About: lang.N("merchant category"), Spare: true, Column: widget.Column{Title: lang.Column("category"), Min: 8, Max: 18, Weight: 1, Priority: 2}},
			text:   func(t *api.Transaction) string { return string(t.Merchant.Category) }, style: muted, merchant: true,
		},
		{
			Column: pane.Column{Name: "mcc", About: lang.N("merchant category code"), Spare: true, Column: widget.Column{Title: lang.Column("mcc"), Min: 4, Max: 4, Priority: 3}},
			text:   func(t *api.Transaction) string { return string(t.Merchant.MCC) }, merchant: true,
		},
		{
			Column: pane.Column{Name: "id", About: lang.N("transaction id"), Spare: true, Column: widget.Column{Title: "id", Min: 10, Max: 30, Weight: 1, Priority: 4}},
			text:   func(t *api.Transaction) string { return string(t.ID) },
		},
	}
}

func (p *Pane) timeCell(t *api.Transaction, style string, w *widget.RowWriter) {
	w.Cell(style, pane.Time(p.theme.Words, t.CreatedAt, p.store.ServerNow(), w.Width()))
}

func (p *Pane) whyCell(t *api.Transaction, style string, w *widget.RowWriter) {
	text := p.why(t)
	if widget.Width(text) > w.Width() { // What the balance is short of has no room.
		text = p.brief(t)
	}
	w.Cell(style, text)
}

func (p *Pane) amountCell(t *api.Transaction, _ string, w *widget.RowWriter) {
	d, cached := p.store.Privacy.Display(), p.store.Poll.Source(poll.Feed).Cached
	w.Cell(pane.Tone(p.theme, cached, pane.AmountStyle(d, p.theme, t)), d.Transaction(t))
}

// ColumnNames are what the columns are called.
func ColumnNames() []string { return pane.Names(columns()) }

// applyView applies how the user wants to see the feed.
func (p *Pane) applyView(v settings.View) {
	p.view = v
	p.sortAs(v)
	p.setColumns()
	p.rebuild()
}

// setColumns shows the columns that were chosen, or those that have room.
func (p *Pane) setColumns() {
	p.columns, p.shape = pane.Arrange(columns(), p.view.Columns, p.table.ColumnCells())
	p.table.SetColumns(p.shape)
	p.reshape()
	p.table.SetSort(slices.IndexFunc(p.columns, func(c column) bool { return c.Name == p.by.Name }), p.desc)
}

func (p *Pane) row(i int, w *widget.RowWriter) {
	t := p.at(p.order[i])
	cached := p.store.Poll.Source(poll.Feed).Cached
	for _, c := range p.columns {
		style := p.theme.Faint
		if c.style != nil {
			style = pane.Tone(p.theme, cached, c.style(p.theme, t))
		}
		switch {
		case c.cell != nil:
			c.cell(p, t, style, w)
		case c.merchant:
			w.Cell(style, pane.Where(p.store.Privacy.Display(), c.text(t), w))
		default:
			w.Cell(style, c.text(t))
		}
	}
}
