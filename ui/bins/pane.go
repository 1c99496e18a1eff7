// Package bins is the pane of the ranges that cards can be issued from: what
// the service says of them, and how often their cards were refused here. It
// takes the place of the card list.
package bins

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
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
