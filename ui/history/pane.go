// Package history is the pane that shows what was done from this machine and
// what came of it. It takes the place of the card list.
package history

import (
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the history, the newest record first. The cursor is bound to a
// record: what comes in pushes it down.
type Pane struct {
	theme  *theme.Theme
	store  *state.Store
	table  *widget.Table
	filter *pane.Filter

	order  []int // rows of the store, the newest first, that match the filter
	cursor name

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

// name tells a record from all others.
type name struct {
	key, outcome string
	at           time.Time
}

func nameOf(r *state.Record) name { return name{string(r.Key), r.Outcome, r.At} }

var _ interface {
	pane.Pane
	pane.Typist
	pane.Backer
} = (*Pane)(nil)

// New makes an empty pane.
func New(t *theme.Theme) *Pane {
	p := &Pane{theme: t, filter: pane.NewFilter()}
	p.table = widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2, Header: true})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.History }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic { return state.TopicHistory }

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, h-2-p.detailLines())
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) {
	p.store = s
	p.rebuild()
}

// Act moves the cursor, opens the filter, exports what is shown, or asks for
// something to be done with the card of the record.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if a != keymap.Back || p.filter.Typing() {
		if done, changed := p.filter.Act(a); done {
			if changed {
				p.rebuild()
			}
			return nil
		}
	}
	if pane.Move(p.table, a) {
		p.follow()
		return nil
	}
	if p.store == nil {
		return nil
	}
	if a == keymap.Export {
		return []state.Intent{state.ExportRows{Rows: state.RecordRows(p.shown())}}
	}
	if r, ok := p.picked(); ok && r.Card != "" {
		return pane.OnCard(p.store, r.Card, a)
	}
	return nil
}

// Back clears the filter, if there is one.
func (p *Pane) Back() bool {
	_, changed := p.filter.Act(keymap.Back)
	if changed {
		p.rebuild()
	}
	return changed
}

// Typing tells whether the filter's field is open.
func (p *Pane) Typing() bool { return p.filter.Typing() }

// Type puts a key into the filter; the list follows as it is typed.
func (p *Pane) Type(key, text string) {
	p.dirty = true
	if p.filter.Type(key, text) {
		p.rebuild()
	}
}

// Click puts the cursor on a record.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

// shown are the records that match, the oldest first.
func (p *Pane) shown() []state.Record {
	rows := p.store.Past().Rows
	out := make([]state.Record, 0, len(p.order))
	for i := len(p.order) - 1; i >= 0; i-- {
		out = append(out, rows[p.order[i]])
	}
	return out
}

func (p *Pane) picked() (*state.Record, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.order) {
		return nil, false
	}
	return &p.store.Past().Rows[p.order[i]], true
}

// follow binds the cursor to the record it is on.
func (p *Pane) follow() {
	p.cursor = name{}
	if r, ok := p.picked(); ok {
		p.cursor = nameOf(r)
	}
}

// rebuild lists the records that match, and keeps the cursor on its own.
func (p *Pane) rebuild() {
	p.dirty = true
	if p.store == nil {
		return
	}
	rows := p.store.Past().Rows
	words := p.filter.Words()
	p.order = p.order[:0]
	at := 0
	for i := len(rows) - 1; i >= 0; i-- {
		if !rows[i].Matches(words) {
			continue
		}
		if nameOf(&rows[i]) == p.cursor {
			at = len(p.order)
		}
		p.order = append(p.order, i)
	}
	p.table.SetRows(len(p.order))
	p.table.SetCursor(at)
	p.follow()
}
