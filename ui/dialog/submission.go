package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// errand is an operation that a dialog has started and waits for: the dialog
// closes when it is done, and comes back with all that was typed when it was
// refused.
type errand struct {
	op      state.OpID
	waiting bool
	over    bool
}

// sent binds the dialog to the operation that its intent began.
func (e *errand) sent(op state.OpID) { e.op, e.waiting = op, true }

// traits adds those of a dialog that waits for an operation: while it does,
// nothing is typed.
func (e *errand) traits(t Traits) Traits {
	t.Typing = t.Typing && !e.waiting
	t.Done, t.Sent = e.over, e.sent
	return t
}

// look follows the operation; false as long as it was not refused. One whose
// outcome is unknown goes on without the dialog: its card's row, and the
// header, tell of it.
func (e *errand) look(s *state.Store) (state.Refusal, bool) {
	if !e.waiting {
		return state.Refusal{}, false
	}
	if op, ok := s.Ops.ByID(e.op); ok && op.Phase == state.Sending {
		return state.Refusal{}, false
	}
	e.waiting = false
	if r, ok := s.Ops.Refused(e.op); ok {
		return r, true
	}
	e.over = true
	return state.Refusal{}, false
}

// agreed gives the operation that is waited for and has figures that a person
// agreed to; false before it is sent.
func (e *errand) agreed(s *state.Store) (state.Op, bool) {
	if !e.waiting {
		return state.Op{}, false
	}
	op, ok := s.Ops.ByID(e.op)
	return op, ok && op.Expected != (state.Preview{})
}

// effect shows what an intent will do, and while it is sent what was agreed to:
// what is read meanwhile may hold it already.
func (e *errand) effect(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	if op, ok := e.agreed(s); ok {
		return previewLines(t, op.Expected, w)
	}
	return effectLines(t, s, in, w)
}

// readSince tells in words what was read of card and wallet since the figures
// were agreed to; nothing where they are the same.
func (e *errand) readSince(t *theme.Theme, s *state.Store, w int) []string {
	op, ok := e.agreed(s)
	if !ok {
		return nil
	}
	var parts []string
	if c, known := s.Cards.Get(op.Card); known && c.Balance != op.Expected.CardBefore {
		parts = append(parts, "card "+dollars(c.Balance))
	}
	if wallet, known := s.Wallet.Balance(); known && wallet.Balance != op.Expected.WalletBefore {
		parts = append(parts, "wallet "+dollars(wallet.Balance))
	}
	if len(parts) == 0 {
		return nil
	}
	return paragraph(w, t.Info, "read since: "+strings.Join(parts, ", "))
}

// staleLines tell from when the figures of a review are, when they may be
// otherwise by now.
func staleLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	f := s.Figures(in)
	if !f.Stale {
		return nil
	}
	return paragraph(w, t.Warn, t.Glyphs.Stale+" stale: figures of "+pane.When(f.At, s.Now())+", "+widget.AgeCoarse(max(0, s.Now().Sub(f.At)))+" old")
}

// previewLines are card and wallet before and after, to the cent.
func previewLines(t *theme.Theme, p state.Preview, w int) []string {
	return []string{
		pair(t, w, "card      ", change(t, p.CardBefore, p.CardAfter)...),
		pair(t, w, "wallet    ", change(t, p.WalletBefore, p.WalletAfter)...),
	}
}

// statusLine shows the status of a card before and after. While it is sent the
// card may be read as it is to be.
func (e *errand) statusLine(t *theme.Theme, s *state.Store, id state.CardID, after state.CardStatus, w int) []string {
	c, _ := s.Cards.Get(id)
	before := c.Status
	if e.waiting && before == after {
		before = state.CardFrozen
		if after == state.CardFrozen {
			before = state.CardActive
		}
	}
	return []string{pair(t, w, "card      ",
		widget.Span{Style: t.Text, Text: string(before)},
		widget.Span{Style: t.Muted, Text: " " + t.Glyphs.Arrow + " "},
		widget.Span{Style: t.Strong, Text: string(after)})}
}
