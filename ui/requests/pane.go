// Package requests is the pane of what was asked of the API lately: which
// route, how it ended, how long it took, what it cost. It takes the place of
// the card list.
package requests

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the requests, the newest first. On the first row the list is
// live; elsewhere the cursor is bound to a request.
type Pane struct {
	theme  *theme.Theme
	store  *state.Store
	table  *widget.Table
	filter *pane.Filter

	rows   []state.Request // that match
	failed int             // of all
	cursor uint64          // 0: the newest

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

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
func (p *Pane) Context() keymap.Context { return keymap.Calls }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic { return state.TopicRequests }

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, max(0, h-2-p.detailLines()))
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) {
	p.store = s
	p.rebuild()
}

// Act moves the cursor, filters, exports what is shown, or copies the id of the
// request.
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
	if a == keymap.Export {
		return []state.Intent{state.ExportRows{Rows: state.RequestRows(p.rows)}}
	}
	if r, _ := p.picked(); a == keymap.CopyRequestID {
		return []state.Intent{state.CopyText{What: "request id", Text: string(r.ID)}}
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

// Click puts the cursor on a request.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

// rebuild lists the requests that match, and keeps the cursor on its own.
func (p *Pane) rebuild() {
	p.dirty = true
	if p.store == nil {
		return
	}
	words := p.filter.Words()
	p.rows, p.failed = p.rows[:0], 0
	at := 0
	for i := range p.store.Requests() {
		r := p.store.RequestAt(i)
		if r.Failed() {
			p.failed++
		}
		if !r.Matches(words) {
			continue
		}
		if r.N == p.cursor {
			at = len(p.rows)
		}
		p.rows = append(p.rows, r)
	}
	p.table.SetRows(len(p.rows))
	p.table.SetCursor(at)
}

func (p *Pane) picked() (state.Request, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.rows) {
		return state.Request{}, false
	}
	return p.rows[i], true
}

// follow binds the cursor to the request it is on, but for the first row.
func (p *Pane) follow() {
	p.cursor = 0
	if i, _ := p.table.Cursor(); i > 0 {
		r, _ := p.picked()
		p.cursor = r.N
	}
}
