package spending

import (
	"slices"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/widget"
)

// The columns by what exports call them.
const (
	columnName     = "name"
	columnSpent    = "spent"
	columnShare    = "share"
	columnChange   = "change"
	columnAttempts = "attempts"
	columnDeclined = "declined"
	columnCards    = "cards"
	columnHeld     = "on_cards"
	columnLeft     = "left"
)

// column is one thing that the table shows of a row.
type column struct {
	name string
	widget.Column
	// exported is what other programs call it; empty for its name.
	exported string
	// up says that it is first sorted with the least on top, brief that the summary has
	// it as well.
	up, brief bool
	// cell writes it, value is what other programs get.
	cell  func(p *Pane, r *ledger.Row, w *widget.RowWriter)
	value func(p *Pane, r *ledger.Row) rows.Cell
	// of says what rows have it; nil for all.
	of func(ledger.By) bool
}

// What is dropped first where there is little room matters least.
func columns() []column {
	groups := func(by ledger.By) bool { return by == ledger.ByCampaign || by == ledger.ByBIN }
	cards := func(by ledger.By) bool { return by != ledger.ByMerchant }
	burning := func(by ledger.By) bool { return by == ledger.ByCampaign || by == ledger.ByCard }
	return []column{
		{
			name: columnName, up: true, brief: true, Column: widget.Column{Min: 12, Max: 48, Weight: 3},
			cell: (*Pane).nameCell, value: func(p *Pane, r *ledger.Row) rows.Cell { return rows.Text(p.fullName(r)) },
		},
		{
			name: columnSpent, brief: true, Column: widget.Column{Title: lang.Column("spent"), Min: 11, Max: 14, Weight: 1, Align: widget.Right},
			cell: (*Pane).spentCell, value: func(_ *Pane, r *ledger.Row) rows.Cell { return rows.Money(r.Now.Spent()) },
		},
		{
			name: columnShare, brief: true, Column: widget.Column{Title: lang.Column("share"), Min: 8, Want: 18, Max: 26, Weight: 2, Priority: 3},
			cell: (*Pane).shareCell, value: func(p *Pane, r *ledger.Row) rows.Cell { return percentCell(100*p.share(r), true) },
		},
		{
			name: columnChange, Column: widget.Column{Title: lang.Column("change"), Min: 8, Align: widget.Right, Priority: 2},
			cell: (*Pane).changeCell, value: func(p *Pane, r *ledger.Row) rows.Cell {
				return percentCell(p.change(r.Now.Spent(), r.Before.Spent))
			},
		},
		{
			name: columnAttempts, Column: widget.Column{Title: lang.Column("attempts"), Min: 9, Align: widget.Right, Priority: 6},
			cell: (*Pane).attemptsCell, value: func(_ *Pane, r *ledger.Row) rows.Cell { return rows.Count(r.Now.Attempts()) },
		},
		{
			name: columnDeclined, exported: "decline_rate", Column: widget.Column{Title: lang.Column("declined"), Min: 9, Align: widget.Right, Priority: 1},
			cell: (*Pane).declinedCell, value: func(_ *Pane, r *ledger.Row) rows.Cell {
				return percentCell(rate(r.Now.Declined, r.Now.Attempts()))
			},
		},
		{
			name: columnCards, Column: widget.Column{Title: lang.Column("cards"), Min: 6, Align: widget.Right, Priority: 7}, of: groups,
			cell: (*Pane).cardsCell, value: func(p *Pane, r *ledger.Row) rows.Cell { return rows.Count(p.sumOf(r).cards) },
		},
		{
			name: columnHeld, Column: widget.Column{Title: lang.Column("on cards"), Min: 11, Max: 14, Weight: 1, Align: widget.Right, Priority: 5}, of: cards,
			cell: (*Pane).heldCell, value: func(p *Pane, r *ledger.Row) rows.Cell { return rows.Money(p.sumOf(r).balance) },
		},
		{
			name: columnLeft, up: true, brief: true, Column: widget.Column{Title: lang.Column("left"), Min: 8, Align: widget.Right, Priority: 4}, of: burning,
			cell: (*Pane).leftCell, value: (*Pane).leftValue,
		},
	}
}

// shown are the columns that the rows have.
func (p *Pane) shown() []column {
	return slices.DeleteFunc(columns(), func(c column) bool { return c.of != nil && !c.of(p.by) || p.brief && !c.brief })
}

// order is the column that the rows are sorted by.
type order struct {
	column string
	desc   bool
}

// next is the order by the column after the one that the rows are sorted by.
func (p *Pane) next() order {
	all := p.shown()
	at := slices.IndexFunc(all, func(c column) bool { return c.name == p.sort.column })
	c := all[(at+1)%len(all)]
	if c.name == columnShare { // The same order as by what was spent.
		c = all[(at+2)%len(all)]
	}
	return order{c.name, !c.up}
}

// by is the order after a click on a column, the other way round when it is the
// one that the rows are sorted by.
func (o order) by(c column) order {
	if o.column == c.name {
		return order{c.name, !o.desc}
	}
	return order{c.name, !c.up}
}
