package cards

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/pane"
)

// export asks for what is shown, or for the selection, in a file. Cards that are
// in groups have theirs, and the sums of the groups can be written instead:
// they are what is shown when all are folded.
func (p *Pane) export() []kernel.Intent {
	if p.store == nil {
		return nil
	}
	exported := p.exported()
	var cards []cardlist.Card
	var groups []string
	for _, row := range exported {
		c := p.store.Cards.All().At(int(row))
		cards = append(cards, c)
		if p.index.group.of != nil {
			groups = append(groups, p.index.group.of(&p.index, row, &c))
		}
	}
	others := slices.DeleteFunc(slices.Clone(p.columns), func(c column) bool { return c.Name == "id" })
	in := pane.ExportRows{Rows: pane.Rows("cards", others, cards, func(c *column, card *cardlist.Card) rows.Cell { return c.value(card) })}
	in.Rows = before(in.Rows, "id", func(i int) rows.Cell { return rows.Text(cards[i].ID) })
	in.Rows.Lacks = p.lacks()
	if groups == nil {
		return one(in)
	}
	in.Rows = before(in.Rows, "group", func(i int) rows.Cell { return rows.Text(groups[i]) })
	if len(p.Chosen()) == 0 {
		in.Sums, in.Wanted = p.sums(), p.index.allFolded()
		in.Sums.Lacks = in.Rows.Lacks
	}
	return one(in)
}

// exported are the places of the cards that are exported, in the order of the
// list: of those that are folded as well.
func (p *Pane) exported() []int32 {
	ids := p.Chosen()
	if len(ids) == 0 && p.index.group.of != nil {
		return p.index.grouped()
	}
	if len(ids) == 0 {
		return p.index.order
	}
	rows := make([]int32, 0, len(ids))
	for _, id := range ids {
		if row, ok := p.index.row(id); ok {
			rows = append(rows, row)
		}
	}
	return rows
}

// before puts a column before the others.
func before(list rows.Rows, name string, cell func(i int) rows.Cell) rows.Rows {
	row := list.Row
	list.Columns = append([]string{name}, list.Columns...)
	list.Row = func(i int) []rows.Cell { return append([]rows.Cell{cell(i)}, row(i)...) }
	return list
}

// sums are what the groups have in all.
func (p *Pane) sums() rows.Rows {
	var groups []group
	for _, i := range p.index.inOrder {
		groups = append(groups, p.index.groups[i])
	}
	return rows.Rows{
		What: "groups", N: len(groups), Columns: []string{"group", "cards", balanceColumn, "spent"},
		Row: func(i int) []rows.Cell {
			g := &groups[i]
			return []rows.Cell{rows.Text(g.name), {Text: fmt.Sprint(g.cards), Number: true}, rows.Money(g.balance), rows.Money(g.spent)}
		},
	}
}

// lacks says how many of the cards were read, or since when the transactions were that
// the columns or the filter tell of.
func (p *Pane) lacks() rows.Partial {
	w := p.theme.Words
	switch total, whole := p.store.Cards.Total(); {
	case whole:
		return p.figuresLack()
	case total == 0:
		return rows.Partial{Name: "from-the-last-run", Text: w.T("not all cards are loaded")}
	default:
		n := p.store.Cards.All().Len()
		return rows.Partial{Name: fmt.Sprintf("%d-of-%d", n, total), Text: w.Tf("%d of %d cards loaded", n, total)}
	}
}

// figuresLack says since when transactions were read, where figures are exported or
// filtered by that reach further back.
func (p *Pane) figuresLack() rows.Partial {
	w := p.theme.Words
	q, over := &p.index.query, ledger.Last7d
	needed := q.Asked(query.LeftField, query.BurnField, query.DeclinesField) || slices.ContainsFunc(p.columns, func(c column) bool { return c.figure != nil })
	if q.Asked(query.IdleField) {
		needed, over = true, ledger.Last30d
	}
	read := p.store.Insight.Ledger().Coverage(over)
	switch {
	case !needed || read.Complete:
		return rows.Partial{}
	case read.Since.IsZero():
		return rows.Partial{Name: "without-figures", Text: w.T("left, burn, declines and idle are not known yet")}
	}
	return rows.Partial{
		Name: "figures-since-" + read.Since.UTC().Format(time.DateOnly),
		Text: w.Tf("left, burn, declines and idle by the transactions since %s", read.Since.Local().Format("2006-01-02 15:04")),
	}
}
