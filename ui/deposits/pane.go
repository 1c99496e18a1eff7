// Package deposits is the pane of what fills the wallet: the deposits and how
// far they have come, and the addresses they go to. It takes the place of the
// card list.
package deposits

import (
	"slices"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Pane lists the deposits, newest first. The cursor is bound to a deposit.
type Pane struct {
	theme *theme.Theme
	store *state.Store
	table *widget.Table

	cursor state.DepositID // empty: the newest

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
func (p *Pane) Context() keymap.Context { return keymap.Deposits }

// Reads tells which parts of the store the pane shows.
func (p *Pane) Reads() state.Topic {
	return state.TopicWallet | state.TopicHealth | state.TopicClock
}

// SetSize gives the pane its rectangle, borders included.
func (p *Pane) SetSize(w, h int) {
	p.w, p.h, p.dirty = w, h, true
	p.fit()
}

// fit gives the table what the lines around it leave.
func (p *Pane) fit() {
	p.table.SetSize(p.w-2, max(0, p.h-2-len(p.addresses())-p.detailLines()))
}

// Sync makes the pane look at the store again.
func (p *Pane) Sync(s *state.Store, _ state.Topic) {
	p.store, p.dirty = s, true
	rows := s.Deposits()
	p.table.SetRows(len(rows))
	if i := slices.IndexFunc(rows, func(d state.Deposit) bool { return d.ID == p.cursor }); i >= 0 && p.cursor != "" {
		p.table.SetCursor(i)
	}
	p.fit()
}

// Act moves the cursor, exports the list, or asks for the address or the hash
// of the deposit.
func (p *Pane) Act(a keymap.Action) []state.Intent {
	p.dirty = true
	if pane.Move(p.table, a) {
		p.follow()
		return nil
	}
	d, _ := p.picked()
	switch a {
	case keymap.ShowAddress:
		return []state.Intent{state.ShowAddress{Currency: d.Currency}}
	case keymap.Export:
		return []state.Intent{state.ExportRows{Rows: state.DepositRows(p.store.Deposits())}}
	case keymap.CopyHash:
		return []state.Intent{state.CopyText{What: "transaction hash", Text: string(d.TxHash)}}
	default:
	}
	return nil
}

// Click puts the cursor on a deposit.
func (p *Pane) Click(_, y int) []state.Intent {
	if i, ok := p.table.RowAt(y - 1 - len(p.addresses())); ok {
		p.table.SetCursor(i)
		p.follow()
		p.dirty = true
	}
	return nil
}

func (p *Pane) picked() (state.Deposit, bool) {
	if p.store == nil {
		return state.Deposit{}, false
	}
	rows := p.store.Deposits()
	i, ok := p.table.Cursor()
	if !ok || i >= len(rows) {
		return state.Deposit{}, false
	}
	return rows[i], true
}

// follow binds the cursor to the deposit it is on.
func (p *Pane) follow() {
	d, _ := p.picked()
	p.cursor = d.ID
}
