package spending

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/rows"
)

// export is the table as it is shown, all rows of it, for other programs.
func (p *Pane) export() rows.Rows {
	list := slices.Clone(p.all())
	columns := p.shown()
	out := rows.Rows{What: p.way().many, N: len(list)}
	for _, c := range columns {
		out.Columns = append(out.Columns, cmp.Or(c.exported, c.name))
	}
	out.Columns[0] = p.way().one
	cells := make([][]rows.Cell, len(list))
	for i := range list {
		cells[i] = make([]rows.Cell, len(columns))
		for at, c := range columns {
			cells[i][at] = c.value(p, &list[i])
		}
	}
	if p.by == ledger.ByCard {
		out.Columns = append(out.Columns, "card_id")
		for i := range list {
			id, _ := p.Store.Insight.Ledger().Name(ledger.ByCard, list[i].Place)
			cells[i] = append(cells[i], rows.Text(id))
		}
	}
	out.Row = func(i int) []rows.Cell { return cells[i] }
	if c := p.sum.Coverage; !c.Complete {
		out.Lacks = rows.Since(c.Since)
	}
	return out
}

// all are the rows that match, in order.
func (p *Pane) all() []ledger.Row {
	if p.table.matching > len(p.Rows()) {
		p.table.most = p.table.matching
		p.Relist()
	}
	return p.Rows()
}

// percentCell is a percentage with one decimal; nothing where it is not known.
func percentCell(percent float64, known bool) rows.Cell {
	if !known {
		return rows.Cell{}
	}
	return rows.Cell{Text: strconv.FormatFloat(math.Round(10*percent)/10, 'f', 1, 64), Number: true}
}
