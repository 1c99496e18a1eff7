package bins

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/widget"
)

// The columns, as the table has them.
const (
	colID = iota
	colNetwork
	colType
	colFrom
	colThreeDS
	colAccepted
	colCharge
	colMonth
	colDeclined
	colToAlert
	colWallets
	colBest
)

// What is dropped first where there is little room is told of the BIN under
// the cursor.
func columns(over ledger.Range) []widget.Column {
	return []widget.Column{
		{Title: "BIN", Min: 6, Max: 12, Weight: 1},
		{Title: lang.Column("network"), Min: 10, Max: 12, Weight: 1},
		{Title: lang.Column("type"), Min: 11, Max: 12, Weight: 1, Priority: 4},
		{Title: lang.Column("from"), Min: 4, Max: 4, Priority: 5},
		{Title: "3DS", Min: 3, Max: 3, Priority: 6},
		{Title: lang.Column("accepts"), Min: 8, Align: widget.Right},
		{Title: lang.Column("charge"), Min: 8, Max: 11, Align: widget.Right, Priority: 3},
		{Title: lang.Column("month"), Min: 9, Max: 12, Align: widget.Right, Priority: 2},
		{Title: declinedTitle(over), Min: 11, Align: widget.Right, Priority: 1},
		{Title: lang.Column("to alert"), Min: 10, Align: widget.Right, Priority: 9},
		{Title: lang.Column("wallets"), Min: 10, Max: 22, Weight: 2, Priority: 8},
		{Title: lang.Column("best for"), Min: 12, Max: 30, Weight: 3, Priority: 7},
	}
}

// ranges are those that rates are shown over: a day has too few charges.
func ranges() []ledger.Range { return ledger.Ranges()[1:] }

// declinedTitle names the range of the decline rate.
func declinedTitle(over ledger.Range) string {
	switch over {
	case ledger.Last24h:
		return lang.Column("decl. 24h")
	case ledger.Last7d:
		return lang.Column("decl. 7d")
	case ledger.Last14d:
		return lang.Column("decl. 14d")
	default:
		return lang.Column("decl. 30d")
	}
}

// order is the column the list is sorted by.
type order struct {
	column int
	desc   bool
}

// next goes through the columns the user chooses a BIN by.
func (o order) next() order {
	ring := [...]int{colAccepted, colDeclined, colCharge, colMonth, colNetwork, colID}
	return bestFirst(ring[(slices.Index(ring[:], o.column)+1)%len(ring)])
}

// by is the order after a click on a column: the best on top, the other way
// round when the list is sorted by it already.
func (o order) by(column int) order {
	if o.column == column {
		return order{column: column, desc: !o.desc}
	}
	return bestFirst(column)
}

func bestFirst(column int) order {
	return order{column: column, desc: column == colAccepted || column == colCharge || column == colMonth}
}

// matching filters and sorts the BINs.
func (p *Pane) matching() []api.BIN {
	all, _, _ := p.Store.BINs.All()
	words := p.Filter.Words()
	out := p.Rows()[:0]
	for _, bin := range all {
		if words.All() || words.Match(p.text(bin)) {
			out = append(out, bin)
		}
	}
	slices.SortStableFunc(out, p.compare)
	p.Table.SetSort(p.sort.column, p.sort.desc)
	return out
}

// text is what the filter asks of a BIN.
func (p *Pane) text(bin api.BIN) string {
	return strings.ToLower(strings.Join(append(pane.BINCells(p.Theme.Words, bin), pane.BINTags(bin), pane.BINWallets(p.Theme.Words, bin)), " "))
}

// compare orders two BINs. What is not known comes last either way.
func (p *Pane) compare(a, b api.BIN) int {
	x, xok := p.value(a)
	y, yok := p.value(b)
	switch {
	case xok && !yok:
		return -1
	case yok && !xok:
		return 1
	}
	c := cmp.Compare(x, y)
	switch p.sort.column {
	case colID:
		c = cmp.Compare(a.ID, b.ID)
	case colNetwork, colType, colFrom, colWallets, colBest:
		c = cmp.Compare(p.word(a), p.word(b))
	}
	if p.sort.desc {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(a.ID, b.ID))
}

// value is the figure that a BIN is sorted by; words are all known.
func (p *Pane) value(bin api.BIN) (float64, bool) {
	usd := func(u *api.USD) (float64, bool) {
		if u == nil {
			return 0, false
		}
		return float64(*u), true
	}
	switch p.sort.column {
	case colAccepted:
		if bin.AcceptanceRate == nil {
			return 0, false
		}
		return *bin.AcceptanceRate, true
	case colCharge:
		return usd(bin.MaxTransaction)
	case colMonth:
		return usd(bin.MaxMonthly)
	case colDeclined:
		return p.measured[bin.ID].Rate()
	case colToAlert:
		n, ok := p.toAlert(bin.ID)
		return float64(n), ok
	case colThreeDS:
		if bin.ThreeDS {
			return 0, true
		}
		return 1, true
	}
	return 0, true
}

func (p *Pane) word(bin api.BIN) string {
	switch p.sort.column {
	case colNetwork:
		return string(bin.Network)
	case colType:
		return string(bin.Type)
	case colFrom:
		return string(bin.IssuerCountry)
	case colWallets:
		return pane.BINWallets(p.Theme.Words, bin)
	}
	return pane.BINTags(bin)
}
