// Package inspect is the pane that shows one card closely: its summary and
// its own transactions. It takes the place of the card list.
package inspect

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane shows the inspected card.
type Pane struct {
	theme *theme.Theme
	store *state.Store
	table *widget.Table

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	return &Pane{theme: t, table: widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2, Header: true})}
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Inspector }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic {
	return state.TopicInspector | state.TopicCards | state.TopicOps | state.TopicHistory | state.TopicClock
}

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.fitTable()
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) {
	p.store, p.dirty = s, true
	p.table.SetRows(len(s.Inspected().Transactions))
	p.fitTable()
}

// Act moves the cursor, or asks for something to be done with the card.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		return nil
	}
	if p.store == nil || a == keymap.Inspect {
		return nil
	}
	if a == keymap.OpenTransaction {
		return p.open()
	}
	return pane.OnCard(p.store, p.store.Inspected().Card, a)
}

// open asks for the transaction under the cursor, among the card's own.
func (p *Pane) open() []state.Intent {
	rows := p.store.Inspected().Transactions
	i, ok := p.table.Cursor()
	if !ok || i >= len(rows) {
		return nil
	}
	among := make([]state.TransactionID, 0, len(rows))
	for _, t := range rows {
		among = append(among, t.ID)
	}
	return []state.Intent{state.InspectTransaction{Transaction: rows[i].ID, Among: among}}
}

// Click puts the cursor on a transaction.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1 - len(p.facts())); ok {
		p.table.SetCursor(i)
		p.dirty = true
	}
	return nil
}

func (p *Pane) fitTable() {
	p.table.SetSize(p.w-2, max(0, p.h-2-len(p.facts())))
}
