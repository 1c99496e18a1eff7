// Package inspect is the pane that shows one card closely: its summary, how
// much of its limit the month used, its codes, and what happened to it. It
// takes the place of the card list.
package inspect

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txlink"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane shows the inspected card. On the first row the timeline is live;
// elsewhere the cursor is bound to an entry.
type Pane struct {
	theme *theme.Theme
	keys  *keymap.Map
	store *state.Store
	table *widget.Table

	card     api.CardID
	timeline []state.TimelineEntry // newest first
	spent    api.USD               // in this month
	whole    bool                  // all of the month was read
	spending spending
	cursor   string // empty: the newest
	// likely are the transactions that the codes which ended probably led to, by
	// the code's place in timeline; linked is what the transaction under the cursor
	// belongs with.
	likely map[int]api.Transaction
	linked []txlink.Related
	// above and below count the facts that are not in sight.
	above, below int

	w, h    int
	dirty   bool
	focused bool
	lines   []string
	framing widget.Framing
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme, keys *keymap.Map) *Pane {
	p := &Pane{theme: t, keys: keys}
	p.table = widget.NewTable(widget.TableConfig{Gap: 2, Header: true, Empty: p.empty})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Inspector }

// retold are the parts of the store that the timeline is made of.
const retold = kernel.TopicInspector | kernel.TopicFeed | kernel.TopicCards | kernel.TopicCodes | kernel.TopicHistory

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return retold | kernel.TopicSpend | kernel.TopicOps | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetColumns(columns(p.narrow()))
	p.fit()
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.store, p.dirty = s, true
	if card := s.Info.Inspected().Card; card != p.card {
		p.card, p.cursor, p.above = card, "", 0
		changed |= retold
	}
	if changed&retold != 0 {
		p.timeline = s.Timeline()
		p.spent, p.whole = s.MonthSpent()
		p.likely = likely(s, p.timeline)
	}
	if changed&(retold|kernel.TopicSpend) != 0 {
		p.spending = spendingOf(s, p.card, p.timeline)
	}
	p.table.SetRows(len(p.timeline))
	p.table.SetCursor(max(0, slices.IndexFunc(p.timeline, func(m state.TimelineEntry) bool { return m.ID == p.cursor })))
	if changed&retold != 0 {
		p.relate()
	}
	p.fit()
}

// likely finds the transactions that codes which ended probably led to, by
// the codes' places.
func likely(s *state.Store, timeline []state.TimelineEntry) map[int]api.Transaction {
	out := make(map[int]api.Transaction)
	for i := range timeline {
		if e := timeline[i].Ended; e != nil {
			if t, ok := s.Codes.LikelyTransaction(*e); ok {
				out[i] = t
			}
		}
	}
	return out
}

// relate finds what belongs with the transaction under the cursor.
func (p *Pane) relate() {
	p.linked = nil
	if m, ok := p.picked(); ok && m.Transaction != nil {
		p.linked = p.store.Txns.Linked(*m.Transaction)
	}
}

// Act scrolls, moves the cursor, opens the transaction under it, exports the timeline,
// or asks for something to be done with the card.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	if p.scroll(a) {
		return nil
	}
	if older, moved := pane.MoveBack(p.table, p.card, a); moved {
		p.bindCursor()
		return older
	}
	if p.store == nil {
		return nil
	}
	switch a {
	case keymap.Inspect:
		return nil
	case keymap.OpenTransaction:
		return p.open()
	case keymap.Export:
		return p.export()
	default:
		return pane.OnCard(p.store, p.card, a)
	}
}

// export asks for the timeline in a file; what of it was not read yet can be
// read first.
func (p *Pane) export() []kernel.Intent {
	in := pane.ExportRows{Rows: p.rows(), Again: p.rows}
	if older := p.store.Past.State(p.card); !older.End && !older.Full {
		in.Rest = &txns.Rest{Card: p.card}
	}
	return []kernel.Intent{in}
}

// rows are the timeline for other programs.
func (p *Pane) rows() rows.Rows {
	list := p.store.TimelineRows(p.timeline)
	if older := p.store.Past.State(p.card); !older.End {
		list.Lacks = rows.Since(older.Back)
	}
	return list
}

// Card is the one that is looked at.
func (p *Pane) Card() api.CardID { return p.card }

// Transaction is that of the entry under the cursor.
func (p *Pane) Transaction() api.TransactionID {
	if m, ok := p.picked(); ok && m.Transaction != nil {
		return m.Transaction.ID
	}
	return ""
}

// open asks for the transaction under the cursor, among the card's own, or for
// the one that a code which is over has led to.
func (p *Pane) open() []kernel.Intent {
	m, ok := p.picked()
	if !ok {
		return nil
	}
	in := txns.Inspect{}
	for i := range p.timeline {
		if t := p.timeline[i].Transaction; t != nil {
			in.Among = append(in.Among, t.ID)
		}
	}
	switch {
	case m.Transaction != nil:
		in.Transaction = m.Transaction.ID
	case m.Ended != nil:
		at, _ := p.table.Cursor()
		in.Transaction = p.likely[at].ID
	case len(in.Among) == 0:
		return nil
	}
	return []kernel.Intent{in}
}

// RowAt reports whether there is a row on a line of the pane.
func (p *Pane) RowAt(y int) bool {
	_, ok := p.table.RowAt(y - 1 - len(p.facts()))
	return ok
}

// Click puts the cursor on a row.
func (p *Pane) Click(_, y int) []kernel.Intent {
	if i, ok := p.table.RowAt(y - 1 - len(p.facts())); ok {
		p.table.SetCursor(i)
		p.bindCursor()
		p.dirty = true
	}
	return nil
}

func (p *Pane) picked() (state.TimelineEntry, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.timeline) {
		return state.TimelineEntry{}, false
	}
	return p.timeline[i], true
}

// bindCursor binds the cursor to the entry it is on, but for the first row.
func (p *Pane) bindCursor() {
	p.cursor = ""
	if i, _ := p.table.Cursor(); i > 0 {
		m, _ := p.picked()
		p.cursor = m.ID
	}
	p.relate()
}

// The sizes from which there is room: below the first height the facts and the
// timeline have no line between them and nothing more is told of the row under
// the cursor; below the width the rows have the shortest times.
const (
	roomyFrom = 14
	wideFrom  = 60
)

func (p *Pane) narrow() bool { return p.w < wideFrom }

// fit sizes the table to what the lines around it leave.
func (p *Pane) fit() {
	p.table.SetSize(p.w-2, max(0, p.h-2-len(p.facts())-p.detailLines()))
}

// columns are those of the timeline; a narrow one has the shortest times.
func columns(narrow bool) []widget.Column {
	clock, name := pane.TimeCells, 8
	if narrow {
		clock, name = len("Jan _2"), 6
	}
	return []widget.Column{
		{Title: lang.Column("time"), Min: clock},
		{Title: lang.Column("what"), Min: 10, Max: 13, Weight: 1},
		{Title: lang.Column("who"), Min: name, Want: 22, Max: 30, Weight: 4},
		{Title: lang.Column("amount"), Min: 9, Max: 11, Weight: 1, Align: widget.Right},
		{Title: lang.Column("balance"), Min: 9, Max: 11, Weight: 1, Align: widget.Right, Priority: 1},
		{Title: "", Min: 2, Priority: 2},
		{Title: "", Min: 46, Weight: 4, Priority: 3}, // moreColumn
	}
}

// moreColumn is the place of the column for what the others have no room
// for, where there is much room.
const moreColumn = 6

// View draws the card.
func (p *Pane) View(focused bool) []string {
	if !p.dirty && focused == p.focused {
		return p.lines
	}
	p.dirty, p.focused = false, focused
	f := pane.Frame(p.theme, "1", p.theme.Words.T("Card"), focused)
	p.table.SetStyles(pane.Table(p.theme))
	var body []string
	if p.store != nil {
		in := p.store.Info.Inspected()
		f.Leave = []widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.T("esc back")}}
		f.Title = append(f.Title, pane.NameNote(p.theme, &f, p.store.Cards.Name(in.Card), p.w))
		p.table.SetTail(pane.Tail(p.theme.Words, p.store.Past.State(in.Card), p.theme.Words.T("loading older activity…"), p.theme.Words.T("no older activity"), p.store.ServerNow()))
		body = append(p.facts(), p.table.Draw(focused, p.row)...)
		body = append(body, p.detail()...)
		f.Foot = pane.Source(p.theme, in.Source, p.store.Now())
		if p.below > 0 {
			f.Foot = append([]widget.Span{{Style: p.theme.Muted, Text: p.theme.Words.Tf("↓ %d more · ", p.below)}}, f.Foot...)
		}
	}
	f.Scroll = p.table.Scroll()
	f.Scroll.Offset += p.above
	f.Scroll.Total += p.above + p.below
	p.lines = p.framing.Draw(f, body, p.w, p.h)
	return p.lines
}

func (p *Pane) empty() string {
	switch in := p.store.Info.Inspected(); {
	case in.Err != nil:
		return p.theme.Words.Tf("not loaded: %s", in.Why)
	case !in.Loaded:
		return p.theme.Words.T("loading transactions…")
	}
	return p.theme.Words.T("no activity yet")
}
