// Package codes is the pane of pending 3DS challenges and their codes, and the
// one-line strip that shows the newest where the pane has no room.
package codes

import (
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the pending challenges, newest first, which stays in sight when the
// others scroll: it is what is copied from anywhere. While it has the focus the
// cursor is bound to a challenge's id, from the moment it is drawn; a code
// that ends takes its cursor along, and no key acts on another in its place.
type Pane struct {
	theme *theme.Theme
	store *state.Store
	table *widget.Table

	cursor codes.Code // the zero value: the newest
	// likely are the transactions that codes which ended probably led to.
	likely map[api.ChallengeID]api.Transaction

	w, h    int
	dirty   bool
	moving  pane.Moving
	focused bool
	lines   []string
	framing widget.Framing
}

var _ pane.Pane = (*Pane)(nil)

// New makes an empty list.
func New(t *theme.Theme) *Pane {
	p := &Pane{theme: t}
	p.table = widget.NewTable(widget.TableConfig{Pinned: true, Empty: p.empty})
	return p
}

// Context is where the pane's keys are looked up.
func (p *Pane) Context() keymap.Context { return keymap.Codes }

// Reads returns the parts of the store that the pane shows.
func (p *Pane) Reads() kernel.Topic {
	return kernel.TopicCodes | kernel.TopicFeed | kernel.TopicCards | kernel.TopicTeam | kernel.TopicHealth | kernel.TopicClock
}

// SetSize sets the pane's rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.table.SetSize(w-2, h-2)
}

// Sync reads the store again.
func (p *Pane) Sync(s *state.Store, changed kernel.Topic) {
	p.store = s
	if changed&(kernel.TopicCodes|kernel.TopicFeed) != 0 {
		p.likely = make(map[api.ChallengeID]api.Transaction)
		for _, e := range s.Codes.Ended() {
			if t, ok := s.Codes.LikelyTransaction(e); ok {
				p.likely[e.ID] = t
			}
		}
	}
	p.table.SetRows(len(s.Codes.All()))
	if p.focused && p.cursor.ID == "" {
		p.bindCursor()
	}
	p.table.SetCursor(max(0, p.at()))
	p.dirty = p.dirty || changed&^pane.Passing != 0 || p.counting() || p.moving.Differ(p.moves)
}

// counting reports whether there is a countdown: it moves with every second.
func (p *Pane) counting() bool {
	return len(p.store.Codes.All()) > 0 || p.store.Codes.Checkout().Card != ""
}

// moves adds what time and polls change while there is no countdown.
func (p *Pane) moves(m *pane.Moving) {
	m.Spans(p.source())
	m.Add(p.empty())
	for _, e := range p.store.Codes.Ended() {
		m.Add(p.ago(&e))
	}
}

// source says how old the codes are.
func (p *Pane) source() []widget.Span {
	return pane.Source(p.theme, p.store.Poll.Source(poll.Codes), p.store.Now())
}

// at finds the row of the cursor; -1 when its code has ended.
func (p *Pane) at() int {
	return slices.IndexFunc(p.store.Codes.All(), func(c codes.Code) bool { return c.ID == p.cursor.ID })
}

// Act moves the cursor, copies the code under it, or asks for something to
// be done with its card.
func (p *Pane) Act(a keymap.Action) []kernel.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		p.bindCursor()
		return nil
	}
	if a == keymap.CopyThisCode {
		return []kernel.Intent{secrets.CopyCode{Challenge: p.cursor.ID}}
	}
	if a == keymap.Fund {
		return []kernel.Intent{state.Fund(p.cursor.Card, p.store.Codes.Shortfall(p.cursor.ID))}
	}
	return pane.OnCard(p.store, p.cursor.Card, a)
}

// Card is that of the code under the cursor.
func (p *Pane) Card() api.CardID { return p.cursor.Card }

// OnRow reports whether there is a code that a key acts on.
func (p *Pane) OnRow() bool { return p.cursor.ID != "" }

// RowAt reports whether there is a row on a line of the pane.
func (p *Pane) RowAt(y int) bool {
	_, ok := p.table.RowAt(y - 1)
	return ok
}

// Click puts the cursor on a row.
func (p *Pane) Click(_, y int) []kernel.Intent {
	if i, ok := p.table.RowAt(y - 1); ok {
		p.table.SetCursor(i)
		p.bindCursor()
		p.dirty = true
	}
	return nil
}

// bindCursor binds the cursor to the row it is on.
func (p *Pane) bindCursor() {
	p.cursor = codes.Code{}
	if i, ok := p.table.Cursor(); ok && i < len(p.store.Codes.All()) {
		c := p.store.Codes.All()[i]
		// The code itself is not kept here.
		p.cursor = codes.Code{ID: c.ID, Card: c.Card}
	}
}

// bind takes the code that is on top when the pane gets the focus, unless
// another was gone to, and lets it go with the focus.
func (p *Pane) bind(focused bool) {
	if p.store == nil || focused && p.OnRow() {
		return
	}
	p.cursor = codes.Code{}
	p.table.SetCursor(0)
	if focused {
		p.bindCursor()
	}
}
