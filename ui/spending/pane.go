// Package spending is the pane of what was spent: the account by hour or day, and
// below that by campaign, BIN, merchant or card. It takes the place of the card
// list.
package spending

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane shows the sums of a range and a row for each that they are put together
// by.
type Pane struct {
	pane.List[ledger.Row, place]

	keys *keymap.Map
	by   ledger.By
	over ledger.Range
	sort order
	// brief reports whether it is the summary beside the list.
	brief bool

	cells []column // as the table has them
	table table
	sum   ledger.Sum
	// suggested is the pattern of campaigns that labels show; empty for that which is set.
	suggested string
	charts    []ledger.Bucket
	// above is the chart and the figures over the rows, as last drawn.
	above []string
	// stale says that the sums changed since they were read.
	stale bool
	// minute is the one that they were read in: what they are compared with goes on with the time.
	minute time.Time
}

// place identifies a row.
type place struct {
	by ledger.By
	at uint32
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{keys: keys}
	p.init(t, "", ledger.Last24h)
	return p
}

// init makes the list of a pane whose box has a number; none for a screen over the
// list of cards.
func (p *Pane) init(t *theme.Theme, number string, over ledger.Range) {
	p.by, p.over, p.sort, p.brief = ledger.ByCampaign, over, order{columnSpent, true}, number != ""
	p.List = pane.NewList(t, pane.ListConfig[ledger.Row, place]{
		Name: lang.N("Spending"), Number: number, Filtered: true, Key: func(r ledger.Row) place { return place{p.by, r.Place} },
		List: p.rows, Frame: p.frame, Empty: p.empty, Row: p.row, Above: func() []string { return p.above },
	})
	p.setColumns()
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Spending }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic { return kernel.TopicSpend | kernel.TopicCards | kernel.TopicClock }

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.W, p.H = w, h
	p.setColumns()
	p.above = p.drawAbove()
	p.List.SetSize(w, h)
}

// Sync reads the store again, at most once a second: sums change with every page
// of transactions that is read.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	minute := s.ServerNow().Truncate(time.Minute)
	p.stale = p.stale || p.Store == nil || changed&(kernel.TopicSpend|kernel.TopicCards) != 0 || !minute.Equal(p.minute)
	p.minute = minute
	if p.Store = s; p.stale && changed&kernel.TopicClock != 0 {
		p.read()
		p.Update(s)
	}
}

// read reads the sums and the rows of the range.
func (p *Pane) read() {
	p.stale = false
	l := p.Store.Insight.Ledger()
	p.sum = l.Total(ledger.Account(), p.over)
	p.readCards()
	p.table.left = make(map[uint32]left)
	p.charts = l.Bars(ledger.Account(), p.over)
	if p.suggested = ""; p.by == ledger.ByCampaign && !p.brief {
		p.suggested = p.Store.Insight.SuggestCampaign()
	}
	p.above = p.drawAbove()
}

// readCards reads what the list has of the cards of the rows.
func (p *Pane) readCards() {
	t := &p.table
	t.held.read(p.Store, p.by)
	if p.by == ledger.ByCard {
		t.listed.read(p.Store, func(place uint32) { t.names.set(place, p.sortName(place)) })
	}
}

// Act moves the cursor, filters, sorts, changes the range or what the rows are,
// exports the table, or asks for the cards of a row.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	if p.Moves(a) {
		p.reach()
		return nil
	}
	if p.Store == nil {
		return nil
	}
	switch a {
	case keymap.LongerRange:
		p.turnRange(1)
	case keymap.ShorterRange:
		p.turnRange(-1)
	case keymap.GroupBy:
		p.turnBy()
	case keymap.Sort:
		p.sortBy(p.next())
	case keymap.SortBack:
		p.sortBy(order{p.sort.column, !p.sort.desc})
	case keymap.Export:
		return []kernel.Intent{pane.ExportRows{Rows: p.export()}}
	case keymap.EditCampaigns:
		return []kernel.Intent{pane.EditSetting{Name: "campaign", Value: p.Store.Insight.SuggestCampaign()}}
	case keymap.Inspect:
		return p.open()
	default:
	}
	return nil
}

// turnRange shows the next longer or shorter range, the other end after the last.
func (p *Pane) turnRange(by int) {
	p.over = pane.TurnRange(ledger.Ranges(), p.over, by)
	p.reread()
}

// turnBy shows the figures by something else.
func (p *Pane) turnBy() {
	all := ways()
	at := slices.IndexFunc(all, func(w way) bool { return w.by == p.by })
	p.by, p.table.names = all[(at+1)%len(all)].by, names{}
	p.Filter.Set("")
	p.setColumns()
	p.reread()
}

// reread reads the store for another range, or for other rows.
func (p *Pane) reread() {
	p.table.most = leastRows
	p.read()
	p.List.SetSize(p.W, p.H) // Other figures above take other lines.
	p.Relist()
}

// Click puts the cursor on a row, or sorts by a column.
func (p *Pane) Click(x, y int) []kernel.Intent {
	if col, ok := p.Table.ColumnAt(x - 1); ok && y == 1+len(p.above) && p.Store != nil {
		p.sortBy(p.sort.by(p.cells[col]))
		return nil
	}
	return p.List.Click(x, y)
}

// sortBy sorts the rows in another order.
func (p *Pane) sortBy(o order) {
	p.sort = o
	p.setColumns()
	p.Relist()
}

// wholeName is the width in cells that most names need, which where there is room they
// have before the last columns.
const wholeName = 22

// setColumns shows the columns that the rows have.
func (p *Pane) setColumns() {
	all := p.shown()
	p.cells = all
	columns, sorted := make([]widget.Column, len(all)), -1
	for i, c := range all {
		columns[i] = c.Column
		if c.name == p.sort.column {
			sorted = i
		}
	}
	columns[0].Title = p.way().one
	switch {
	case p.brief: // The bars of the shares have the room.
		columns[0].Max = wholeName
	case p.W >= roomy:
		columns[0].Min = wholeName
	}
	if sorted < 0 { // The rows have no such column.
		p.sort, sorted = order{columnSpent, true}, 1
	}
	p.Table.SetColumns(columns)
	p.Table.SetSort(sorted, p.sort.desc)
}

// Summary is the spending in brief, beside the list on a wide screen: the days and
// the campaigns that spent most.
type Summary struct{ Pane }

// NewSummary makes an empty pane.
func NewSummary(t *theme.Theme) *Summary {
	s := &Summary{}
	s.init(t, "5", ledger.Last30d)
	return s
}

// Context is where the pane's keys are looked up.
func (s *Summary) Context() keymap.Context { return keymap.Summary }

// Act moves the cursor or changes the range.
func (s *Summary) Act(a keymap.Action) []kernel.Intent {
	switch a {
	case keymap.LongerRange, keymap.ShorterRange, keymap.Up, keymap.Down, keymap.PageUp, keymap.PageDown, keymap.First, keymap.Last:
		return s.Pane.Act(a)
	default:
		return nil
	}
}

// Follow shows the range of a summary, with the cursor on the same campaign.
func (p *Pane) Follow(s *Summary) {
	p.by, p.over, p.table.names = s.by, s.over, names{}
	p.Filter.Set("")
	p.setColumns()
	p.reread()
	r, ok := s.Picked()
	if !ok {
		return
	}
	p.all()
	p.Choose(place{p.by, r.Place})
}
