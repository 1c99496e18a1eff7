// Package bins is the pane of the ranges that cards can be issued from: what
// the service says of them, and how often their cards were refused here. It
// takes the place of the card list.
package bins

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the BINs.
type Pane struct {
	pane.List[api.BIN, api.BINID]
	keys *keymap.Map

	over ledger.Range
	// measured is what was declined over the range, week over the 7 days that alerts are about. complete and read report
	// whether all of that was read.
	measured, week map[api.BINID]bins.Declines
	complete, read bool
	stale          bool // Something of it has changed since.
	sort           order
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys, sort: order{column: colAccepted, desc: true}}
	p.List = pane.NewList(t, pane.ListConfig[api.BIN, api.BINID]{
		Name: lang.N("BINs"), Columns: columns(ledger.Last24h), Filtered: true, Key: func(bin api.BIN) api.BINID { return bin.ID },
		List: p.matching, Frame: p.frame, Empty: p.empty, Row: p.row, Detail: p.detail, MostDetail: 3,
	})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.BINs }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicBINs | kernel.TopicFeed | kernel.TopicCards | kernel.TopicSpend | kernel.TopicClock
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.stale = p.stale || p.measured == nil || changed&(kernel.TopicSpend|kernel.TopicFeed|kernel.TopicCards) != 0
	if p.stale && changed&kernel.TopicClock != 0 { // Once a second at most: sums change with every page.
		p.measure(s)
	}
	p.Update(s)
}

// measure reads what was declined.
func (p *Pane) measure(s *state.Store) {
	p.stale = false
	l := s.Insight.Ledger()
	p.complete, p.read = l.Coverage(p.over).Complete, l.Coverage(ledger.Last7d).Complete
	p.measured = s.Insight.DeclinesByBIN(p.over)
	if p.week = p.measured; p.over != ledger.Last7d {
		p.week = s.Insight.DeclinesByBIN(ledger.Last7d)
	}
}

// turnRange shows what was declined over the next longer range, or the next shorter one.
func (p *Pane) turnRange(by int) {
	p.over = pane.TurnRange(ranges(), p.over, by)
	p.setColumns()
	p.measure(p.Store)
	p.Relist()
}

// setColumns names the range in the title of its column.
func (p *Pane) setColumns() {
	p.Table.SetColumns(columns(p.over))
	p.Table.SetSort(p.sort.column, p.sort.desc)
}

// Act moves the cursor, filters, sorts, exports what is shown, or asks for a
// card from the BIN.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) || p.Store == nil {
		return nil
	}
	switch a {
	case keymap.Sort:
		p.sort = p.sort.next()
		p.Relist()
	case keymap.SortBack:
		p.sort.desc = !p.sort.desc
		p.Relist()
	case keymap.LongerRange:
		p.turnRange(1)
	case keymap.ShorterRange:
		p.turnRange(-1)
	case keymap.Export:
		return []kernel.Intent{pane.ExportRows{Rows: bins.Rows(p.Rows(), p.over, p.measured)}}
	case keymap.Reload:
		return []kernel.Intent{bins.Load{Anew: true}}
	case keymap.IssueFrom:
		if bin, ok := p.Picked(); ok {
			return []kernel.Intent{state.Issue(api.CreateCardRequest{BIN: bin.ID})}
		}
	default:
	}
	return nil
}

// Click puts the cursor on a BIN, or sorts by a column.
func (p *Pane) Click(x, y int) []kernel.Intent {
	if col, ok := p.Table.ColumnAt(x - 1); ok && y == 1 {
		p.sort = p.sort.by(col)
		p.Relist()
		return nil
	}
	return p.List.Click(x, y)
}

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
