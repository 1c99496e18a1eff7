package dialog

import (
	"strings"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// submission is an operation that a dialog sent and waits for. The dialog
// closes when it is done, and shows again what was typed when it was refused.
type submission struct {
	op      state.OpID
	waiting bool
	done    bool
}

// sent binds the dialog to the operation that its intent began.
func (s *submission) sent(op state.OpID) { s.op, s.waiting = op, true }

// traits adds those of a dialog that waits for an operation: while it does,
// nothing is typed.
func (s *submission) traits(t Traits) Traits {
	t.Typing = t.Typing && !s.waiting
	t.Done, t.Sent = s.done, s.sent
	return t
}

// refusal follows the operation and reports whether it was refused. One of
// unknown outcome goes on without the dialog: its row and the header show it.
func (s *submission) refusal(st *state.Store) (state.Refusal, bool) {
	if !s.waiting {
		return state.Refusal{}, false
	}
	if op, ok := st.Ops.ByID(s.op); ok && op.Phase == state.Sending {
		return state.Refusal{}, false
	}
	s.waiting = false
	if r, ok := st.Ops.Refused(s.op); ok {
		return r, true
	}
	s.done = true
	return state.Refusal{}, false
}

// sentOp returns the operation that is waited for when it has confirmed
// figures, and false before it is sent.
func (s *submission) sentOp(st *state.Store) (state.Op, bool) {
	if !s.waiting {
		return state.Op{}, false
	}
	op, ok := st.Ops.ByID(s.op)
	return op, ok && op.Expected != (state.Preview{})
}

// effect draws what an intent will do, and the confirmed figures once it is
// sent: the balances read meanwhile may already include it.
func (s *submission) effect(t *theme.Theme, st *state.Store, in state.Intent, w int) []string {
	if op, ok := s.sentOp(st); ok {
		return previewLines(t, op.Expected, w)
	}
	return effectLines(t, st, in, w)
}

// updated draws the balances read since the figures were confirmed, where they
// differ.
func (s *submission) updated(t *theme.Theme, st *state.Store, w int) []string {
	op, ok := s.sentOp(st)
	if !ok {
		return nil
	}
	var parts []string
	if c, known := st.Cards.Get(op.Card); known && c.Balance != op.Expected.CardBefore {
		parts = append(parts, "card "+dollars(c.Balance))
	}
	if wallet, known := st.Wallet.Balance(); known && wallet.Balance != op.Expected.WalletBefore {
		parts = append(parts, "wallet "+dollars(wallet.Balance))
	}
	if len(parts) == 0 {
		return nil
	}
	return paragraph(w, t.Info, "updated: "+strings.Join(parts, ", "))
}

// statusLine draws the status of a card before and after. While it is sent the
// card may already be read with the new one.
func (s *submission) statusLine(t *theme.Theme, st *state.Store, id state.CardID, after state.CardStatus, w int) []string {
	c, _ := st.Cards.Get(id)
	before := c.Status
	if s.waiting && before == after {
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

// effectLines draws card and wallet before and after.
func effectLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	p, ok := s.Preview(in)
	if !ok {
		return []string{pair(t, w, "card      ", widget.Span{Style: t.Muted, Text: "the wallet is not read yet"}), widget.Spans(w)}
	}
	return previewLines(t, p, w)
}

// previewLines draws balances before and after, to the cent.
func previewLines(t *theme.Theme, p state.Preview, w int) []string {
	return []string{
		pair(t, w, "card      ", change(t, p.CardBefore, p.CardAfter)...),
		pair(t, w, "wallet    ", change(t, p.WalletBefore, p.WalletAfter)...),
	}
}

// staleLines warns when the figures of a review may be out of date.
func staleLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	f := s.Figures(in)
	if !f.Stale {
		return nil
	}
	return paragraph(w, t.Warn, t.Glyphs.Stale+" stale: figures of "+pane.When(f.At, s.Now())+", "+widget.AgeCoarse(max(0, s.Now().Sub(f.At)))+" old")
}

// frozenLines warns when the card to fund cannot spend.
func frozenLines(t *theme.Theme, s *state.Store, in state.Intent, w int) []string {
	fund, ok := in.(state.FundCard)
	if c, _ := s.Cards.Get(fund.Card); !ok || c.Status != state.CardFrozen {
		return nil
	}
	return paragraph(w, t.Warn, "frozen: declines until unfrozen")
}

// sendingLine stands in place of the keys until there is a response.
func sendingLine(t *theme.Theme, w int) string {
	return widget.Spans(w, widget.Span{Style: t.Warn, Text: " " + t.Glyphs.Pending + " sending…  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " leaves it running"})
}
