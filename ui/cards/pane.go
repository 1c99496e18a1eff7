// Package cards is the pane that lists the cards.
package cards

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the cards, one a row. The cursor is bound to a card's id: the
// list may be sorted, filtered and refreshed under it.
type Pane struct {
	theme  *theme.Theme
	keys   *keymap.Map
	store  *state.Store
	table  *widget.Table
	filter *pane.Filter
	tabs   pane.Tabs

	columns  []column // as the table has them
	view     settings.View
	language query.Language[*subject]
	index    index

	cursor api.CardID
	head   string // the group whose head the cursor is on, when it is on no card
	// placed says that the cursor is bound: the user put it where it is, or all
	// cards have been read once. Before, it stays on the first row.
	placed   bool
	selected selection
	marked   func(row int) bool // as last drawn
	// whole24h reports whether what was spent in 24 hours is known, as last drawn.
	whole24h bool
	// summary describes the selection, once it was summed up.
	summary string
	summed  bool

	w, h int
	// dirty says that the pane is to be drawn, moved that no row of it is another.
	// drawnFrom is the first row in sight when it was drawn.
	dirty, moved bool
	drawnFrom    int

	moving  pane.Moving
	aging   cardlist.Card // the one whose ages are read: one for all rows, every second
	focused bool
	lines   []string
	framing widget.Framing
}

var _ interface {
	pane.Pane
	pane.Typist
	pane.Adviser
	pane.Worker
} = (*Pane)(nil)

// New makes an empty list.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{theme: t, keys: keys, filter: pane.NewFilter(t), language: language(), tabs: pane.Tabs{List: settings.CardList}}
	p.table = widget.NewTable(widget.TableConfig{Gap: pane.ColumnGap, Header: true, Empty: p.empty})
	p.applyView(settings.View{})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Cards }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicCards | kernel.TopicViews | kernel.TopicOps | kernel.TopicInspector | kernel.TopicHealth | kernel.TopicAlerts | kernel.TopicWallet | kernel.TopicSpend | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h = w, h
	p.redraw()
	p.fit()
	p.setColumns()
}

func (p *Pane) fit() {
	p.table.SetSize(p.w-2, p.h-2-p.previewLines()-p.tabs.Lines(p.h))
}

// Sync reads the store again. A second that passed changes
// no row.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.store = s
	p.summed = p.summed && changed == kernel.TopicClock
	if changed&kernel.TopicViews != 0 {
		p.applyView(s.Views.Get(settings.CardList))
	}
	if p.syncIndex(changed) {
		p.relist()
	}
	p.markTabs()
	if changed&^pane.Passing != 0 || p.moving.Differ(p.moves) {
		p.redraw()
	}
}

// moves adds what time and polls change.
func (p *Pane) moves(m *pane.Moving) {
	m.Spans(p.source())
	if len(p.index.lines) == 0 {
		m.Add(p.empty())
	}
	aged := false
	for i := range p.columns {
		if p.columns[i].figure != nil { // They are read anew by the minute.
			m.Add(p.index.figures.at.Format(time.TimeOnly))
		}
		aged = aged || p.columns[i].aged != nil
	}
	if !aged {
		return
	}
	first, last := p.table.Range()
	for _, row := range p.index.lines[first:min(last, len(p.index.lines))] {
		if row >= 0 { // Else it is the head of a group.
			p.ages(m, int(row))
		}
	}
}

// ages adds how long ago what is shown of a card was.
func (p *Pane) ages(m *pane.Moving, row int) {
	p.aging = p.store.Cards.All().At(row)
	for i := range p.columns {
		if aged := p.columns[i].aged; aged != nil {
			m.Add(aged(p, &p.aging))
		}
	}
}

// source says how old the cards are.
func (p *Pane) source() []widget.Span {
	return pane.Source(p.theme, p.store.Poll.Source(poll.Hot), p.store.Now())
}

// syncIndex puts what changed into the index, and reports whether the list may
// be another.
func (p *Pane) syncIndex(changed kernel.Topic) bool {
	s := p.store
	if changed&kernel.TopicCards != 0 {
		p.pruneSelection()
		p.index.sync(s)
	}
	refigured := changed&(kernel.TopicSpend|kernel.TopicClock) != 0 && p.index.refigure()
	switch {
	case changed&kernel.TopicCards != 0 || refigured:
	case changed&kernel.TopicClock != 0 && p.index.query.Timed():
		p.index.tick(s.ServerNow())
		p.index.test()
	case changed&kernel.TopicClock != 0 && p.index.tick(s.ServerNow()):
	default:
		return false
	}
	return true
}

// Card is the one under the cursor; empty when there is none.
func (p *Pane) Card() api.CardID { return p.cursor }

// OnRow reports whether there is a row under the cursor.
func (p *Pane) OnRow() bool { return len(p.index.lines) > 0 }

// Show puts the cursor on a card; false when the list does not show it.
func (p *Pane) Show(id api.CardID) bool {
	line, ok := p.index.line(id)
	if !ok {
		return false
	}
	p.placed = true
	p.table.SetCursor(line)
	p.bindCursor()
	p.touch()
	return true
}

// Reach puts the cursor on a card, clears the filter where it hides the card, and
// unfolds its group.
func (p *Pane) Reach(id api.CardID) {
	if _, ok := p.index.line(id); !ok {
		p.Ask("")
	}
	p.index.unfold(id)
	p.relist()
	p.Show(id)
}

// Next returns the card that is so many places below another in the list, as it
// is sorted, grouped and filtered; false when there is none, or the list does
// not show the other.
func (p *Pane) Next(id api.CardID, by int) (api.CardID, bool) {
	line, ok := p.index.line(id)
	for line += by; ok && line >= 0 && line < len(p.index.lines); line += by {
		if next := p.at(line); next != "" {
			return next, true
		}
	}
	return "", false
}

// Act moves the cursor, opens the filter, or asks for something to be done
// with the card under the cursor.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	same := !p.dirty || p.moved
	p.touch()
	if a == keymap.Back && !p.filter.Typing() && p.back() {
		return nil
	}
	if intents, done := p.choose(a); done {
		return intents
	}
	if done, changed := p.filter.Act(a); done {
		if changed {
			p.applyFilter()
		}
		return nil
	}
	if intents, changed, done := p.tabs.Act(a, p.filter); done {
		if changed {
			p.applyFilter()
		}
		return intents
	}
	switch a {
	case keymap.Sort:
		return p.sortNext()
	case keymap.GroupBy:
		return p.chooseGrouping()
	case keymap.FoldAll:
		if p.index.group.of == nil {
			return p.chooseGrouping()
		}
		p.index.foldAll()
		p.relist()
	case keymap.Columns:
		return pane.ColumnsToChoose(p.theme.Words, settings.CardList, p.choices())
	case keymap.Export:
		return p.export()
	case keymap.SortBack:
		return p.sortBy(p.index.by.Name, !p.index.desc)
	default:
		if !p.move(a, same) {
			return p.onCards(a)
		}
	}
	return nil
}

// move moves the cursor, or folds the group that it is on; false for what does
// neither. same says that the rows are as they were drawn.
func (p *Pane) move(a keymap.Action, same bool) bool {
	p.placed = true
	if pane.Move(p.table, a) {
		p.bindCursor()
		p.moved = same && p.selected.from == "" // A range marks other rows.
		return true
	}
	g, ok := p.underHead()
	if !ok || a != keymap.Inspect {
		return false
	}
	p.index.fold(g.name)
	p.relist()
	return true
}

// Typing reports whether the filter's field is open.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// Advice says what is to be known of the filter's text.
func (p *Pane) Advice() (text string, wrong bool) { return p.filter.Advice() }

// Type puts a key into the filter; the list follows as it is typed.
func (p *Pane) Type(key, text string) {
	p.redraw()
	if p.filter.Type(key, text) {
		p.applyFilter()
	}
}

// RowAt reports whether there is a row on a line of the pane.
func (p *Pane) RowAt(y int) bool {
	_, ok := p.table.RowAt(y - 1 - p.tabs.Lines(p.h))
	return ok
}

// Click puts the cursor on a row, or sorts by a column's header.
func (p *Pane) Click(x, y int) []kernel.Intent {
	top := 1 + p.tabs.Lines(p.h)
	if y == 1 && top > 1 {
		if p.tabs.Click(p.theme, x-1, p.w-2, p.filter) {
			p.applyFilter()
		}
	} else if i, ok := p.table.RowAt(y - top); ok {
		p.placed = true
		p.table.SetCursor(i)
		p.bindCursor()
	} else if c, ok := p.table.ColumnAt(x - 1); ok && y == top {
		return p.sortOn(p.columns[c])
	}
	p.touch()
	return nil
}

// Order returns the places of all cards in the order of the list, whatever is
// filtered.
func (p *Pane) Order() []int32 { return slices.Clone(p.index.sorted) }

// Working reports whether an expression was not asked of every card yet.
func (p *Pane) Working() bool { return p.index.testing() }

// Work filters more of the list by an expression.
func (p *Pane) Work(enough func() bool) {
	p.index.work(enough)
	p.relist()
}

// touch has the list drawn anew, and the selection summed up.
func (p *Pane) touch() {
	p.summed = false
	p.redraw()
}

// redraw has the list drawn anew.
func (p *Pane) redraw() { p.dirty, p.moved = true, false }

// bindCursor binds the cursor to the card it is on.
func (p *Pane) bindCursor() {
	p.cursor, p.head = "", ""
	line, ok := p.table.Cursor()
	if id := p.at(line); ok && id != "" {
		p.cursor = id
	} else if g, ok := p.index.head(line); ok {
		p.head = g.name
	}
}

// at names the card in a line of the list; empty where there is none.
func (p *Pane) at(line int) api.CardID {
	if line < 0 || line >= len(p.index.lines) || p.index.lines[line] < 0 {
		return ""
	}
	return p.store.Cards.All().ID(int(p.index.lines[line]))
}

// Ask filters the list by a text.
func (p *Pane) Ask(filter string) {
	p.filter.Set(filter)
	p.touch()
	p.applyFilter()
}

// applyFilter filters the list by what is typed, as far as it can be understood.
func (p *Pane) applyFilter() {
	p.index.ask(pane.Understand(p.filter, &p.language, p.index.query))
	p.relist()
}

// relist updates the table after the list has changed, and keeps the cursor on its card.
// While the list fills for the first time it is on the first row, so that it
// does not slide down with a card that nobody chose.
func (p *Pane) relist() {
	p.touch()
	if p.table.ColumnCells() < narrow {
		p.setColumns()
	}
	p.table.SetRows(len(p.index.lines))
	if !p.placed {
		_, p.placed = p.store.Cards.Total()
		p.table.Home()
		p.bindCursor()
		return
	}
	line, ok := p.index.line(p.cursor)
	if p.cursor == "" && p.index.group.of != nil {
		line, ok = p.index.lineOf(p.head)
	}
	if ok {
		p.table.SetCursor(line)
	}
	p.bindCursor()
}
