// Package bins is the pane of the ranges that cards can be issued from: what
// the service says of them, and how often their cards were refused here. It
// takes the place of the card list.
package bins

import (
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the BINs. The cursor is bound to a BIN.
type Pane struct {
	theme  *theme.Theme
	store  *state.Store
	table  *widget.Table
	filter *pane.Filter

	rows     []state.BIN // that match, sorted
	measured map[state.BINID]state.Declines
	sort     order
	cursor   state.BINID

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
	p := &Pane{theme: t, filter: pane.NewFilter(), sort: order{column: colAccepted, desc: true}}
	p.table = widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2, Header: true})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.BINs }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic { return state.TopicBINs | state.TopicFeed | state.TopicCards }

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, max(0, h-2-p.detailLines()))
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, changed state.Topic) {
	p.store = s
	if changed&(state.TopicFeed|state.TopicCards) != 0 || p.measured == nil {
		p.measured = s.DeclinesByBIN()
	}
	p.rebuild()
}

// Act moves the cursor, filters, sorts, exports what is shown, or asks for a
// card from the BIN.
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
	switch a {
	case keymap.Sort:
		p.sort = p.sort.next()
		p.rebuild()
	case keymap.SortBack:
		p.sort.desc = !p.sort.desc
		p.rebuild()
	case keymap.Export:
		return []state.Intent{state.ExportRows{Rows: state.BINRows(p.rows, p.measured)}}
	case keymap.Reload:
		return []state.Intent{state.LoadBINs{Anew: true}}
	case keymap.IssueFrom:
		if bin, ok := p.picked(); ok {
			return []state.Intent{state.IssueCard{Request: state.CardRequest{BIN: bin.ID}}}
		}
	default:
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

// Click puts the cursor on a BIN, or sorts by a column.
func (p *Pane) Click(x, y int) []state.Intent {
	p.dirty = true
	if col, ok := p.table.ColumnAt(x - 1); ok && y == 1 {
		p.sort = p.sort.by(col)
		p.rebuild()
		return nil
	}
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
	}
	return nil
}

func (p *Pane) picked() (state.BIN, bool) {
	i, ok := p.table.Cursor()
	if !ok || i >= len(p.rows) {
		return state.BIN{}, false
	}
	return p.rows[i], true
}

// follow binds the cursor to the BIN it is on.
func (p *Pane) follow() {
	bin, _ := p.picked()
	p.cursor = bin.ID
}
