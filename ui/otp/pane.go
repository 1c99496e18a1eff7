// Package otp is the pane of pending 3DS challenges and their codes, and the
// one-line strip that shows the newest where the pane has no room.
package otp

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the pending challenges, newest first. The cursor stays on the
// newest until a person moves it; then it is bound to a challenge's id.
type Pane struct {
	theme *theme.Theme
	store *state.Store
	table *widget.Table

	cursor state.ChallengeID // empty: the newest

	w, h    int
	dirty   bool
	focused bool
	lines   []string
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty list.
func New(t *theme.Theme) *Pane {
	p := &Pane{theme: t}
	p.table = widget.NewTable(widget.TableConfig{Columns: columns(), Gap: 2})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Codes }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic {
	return state.TopicCodes | state.TopicCards | state.TopicHealth | state.TopicClock
}

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, h-2)
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store) {
	p.store, p.dirty = s, true
	codes := s.Codes()
	p.table.SetRows(len(codes))
	at := slices.IndexFunc(codes, func(c state.Code) bool { return c.ID == p.cursor })
	if at < 0 {
		p.cursor, at = "", 0
	}
	p.table.SetCursor(at)
}

// Act moves the cursor, copies the code under it, or asks for something to
// be done with its card.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		p.follow()
		return nil
	}
	c, ok := p.picked()
	if a == keymap.CopyThisCode {
		return []state.Intent{state.CopyCode{Challenge: c.ID}}
	}
	if !ok {
		return pane.OnCard(p.store, "", a)
	}
	return pane.OnCard(p.store, c.Card, a)
}

// Click puts the cursor on a row.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

func (p *Pane) picked() (state.Code, bool) {
	if i, ok := p.table.Cursor(); ok && p.store != nil && i < len(p.store.Codes()) {
		return p.store.Codes()[i], true
	}
	return state.Code{}, false
}

func (p *Pane) follow() {
	if c, ok := p.picked(); ok {
		p.cursor = c.ID
	}
}
