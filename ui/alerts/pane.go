// Package alerts is the pane that shows what wants a person's attention. It
// takes the place of the card list.
package alerts

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the alerts. The cursor is bound to an alert; one that ends by
// itself takes its cursor along, and no key acts on another in its place.
type Pane struct {
	theme *theme.Theme
	store *state.Store
	table *widget.Table

	rows   []state.Alert
	cursor state.AlertID
	// stay says that the cursor keeps its place when the alert under it moves: a
	// person is done with it.
	stay bool

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{theme: t}
	p.table = widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2, Header: true})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Alerts }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic {
	return state.TopicAlerts | state.TopicCards | state.TopicClock
}

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, h-2)
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, changed state.Topic) {
	p.store, p.dirty = s, true
	if changed&state.TopicAlerts == 0 {
		return
	}
	place, _ := p.table.Cursor()
	p.rows = s.Alerts()
	p.table.SetRows(len(p.rows))
	if same := p.at(); same >= 0 && !p.stay {
		place = same
	}
	p.table.SetCursor(min(max(place, 0), len(p.rows)-1))
	if p.stay || p.cursor == "" || len(p.rows) == 0 {
		p.follow()
	}
	p.stay = false
}

// at finds the row of the cursor; -1 when its alert has ended.
func (p *Pane) at() int {
	return slices.IndexFunc(p.rows, func(a state.Alert) bool { return a.ID == p.cursor })
}

// Act moves the cursor, exports the list, acknowledges or snoozes the alert, or
// asks for something to be done with its card.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		p.follow()
		return nil
	}
	if a == keymap.Export && p.store != nil {
		return []state.Intent{state.ExportRows{Rows: p.store.AlertRows(p.rows)}}
	}
	i := p.at()
	if i < 0 {
		return nil
	}
	alert := &p.rows[i]
	switch {
	case a == keymap.Acknowledge:
		p.stay = true
		return []state.Intent{state.AckAlert{ID: alert.ID}}
	case a == keymap.Snooze:
		p.stay = true
		return []state.Intent{state.SnoozeAlert{ID: alert.ID}}
	case alert.Card != "":
		return pane.OnCard(p.store, alert.Card, a)
	}
	return nil
}

// Click puts the cursor on an alert.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

// follow binds the cursor to the alert it is on.
func (p *Pane) follow() {
	p.cursor = ""
	if i, ok := p.table.Cursor(); ok && i < len(p.rows) {
		p.cursor = p.rows[i].ID
	}
}
