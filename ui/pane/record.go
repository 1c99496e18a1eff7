package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Outcome says in a sign and a word what came of an operation.
func Outcome(t *theme.Theme, fate state.OpStatus) (text, style string) {
	switch fate {
	case state.OpStatusDone:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "done"), t.Good
	case state.OpStatusRefused:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "refused"), t.Bad
	case state.OpStatusNotSent:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "not sent"), t.Warn
	case state.OpStatusWaits:
		return t.Glyphs.Pending + " " + t.Words.Tc("outcome", "waits"), t.Info
	case state.OpStatusApproved:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "approved"), t.Info
	case state.OpStatusUnknown:
		return t.Glyphs.Unknown + " " + t.Words.Tc("outcome", "unknown"), t.Warn
	case state.OpStatusResolvedDone:
		return t.Glyphs.Check + " " + t.Words.Tc("outcome", "resolved"), t.Info
	case state.OpStatusResolvedNotDone:
		return t.Glyphs.Cross + " " + t.Words.Tc("outcome", "resolved"), t.Info
	case state.OpStatusDismissed:
		return t.Glyphs.Dot + " " + t.Words.Tc("outcome", "dismissed"), t.Muted
	}
	return t.Glyphs.Unknown + " " + fate, t.Warn
}

// Balances are what the answer to an operation told.
func Balances(w *lang.Words, d display.Display, r *state.Record) []string {
	var parts []string
	switch {
	case r.CardBefore != nil && r.CardAfter != nil:
		parts = append(parts, w.Tf("card %s → %s", d.Dollars(*r.CardBefore), d.Dollars(*r.CardAfter))+unlike(w, d, r.CardAfter, r.CardShown))
	case r.CardAfter != nil:
		parts = append(parts, w.Tf("card %s", d.Dollars(*r.CardAfter))+unlike(w, d, r.CardAfter, r.CardShown))
	}
	if r.WalletAfter != nil {
		parts = append(parts, w.Tf("wallet %s", d.Dollars(*r.WalletAfter))+unlike(w, d, r.WalletAfter, r.WalletShown))
	}
	switch r.Outcome {
	case state.OpStatusResolvedDone:
		parts = append(parts, w.T("no answer; settled as done"))
	case state.OpStatusResolvedNotDone:
		parts = append(parts, w.T("no answer; settled as not done"))
	case state.OpStatusDismissed:
		parts = append(parts, w.T("outcome not known"))
	}
	return parts
}

// unlike says what a confirmation showed, where the answer was another.
func unlike(w *lang.Words, d display.Display, told, shown *api.USD) string {
	if shown == nil || *told == *shown {
		return ""
	}
	return w.Tf(" (shown as %s)", d.Dollars(*shown))
}

// KindWord is the kind of a transaction in a word, as a filter has it; a kind that is
// not known is shown as sent.
func KindWord(t *api.Transaction) string {
	return query.KindWord(t.Type)
}

// KindText is KindWord on the screen.
func KindText(w *lang.Words, t *api.Transaction) string {
	switch t.Type {
	case api.TransactionAuthorization:
		return w.Tc("kind", "hold")
	case api.TransactionSettlement:
		return w.Tc("kind", "settled")
	case api.TransactionRefund:
		return w.Tc("kind", "refund")
	case api.TransactionDecline:
		return w.Tc("kind", "declined")
	}
	return string(t.Type)
}

// Kind returns the glyph and the style of a transaction's kind.
func Kind(th *theme.Theme, t *api.Transaction) (glyph, style string) {
	switch t.Type {
	case api.TransactionAuthorization:
		return th.Glyphs.Pending, th.Muted
	case api.TransactionSettlement:
		return th.Glyphs.Check, th.Good
	case api.TransactionRefund:
		return th.Glyphs.In, th.Info
	case api.TransactionDecline:
		return th.Glyphs.Cross, th.Bad
	}
	return "?", th.Warn
}

// Where is a text about a merchant for the next column; nothing when it is hidden
// and the column has no room for the mask.
func Where(d display.Display, text string, w *widget.RowWriter) string {
	if masked := d.Text(text); widget.Width(masked) <= w.Width() || !d.Private() {
		return masked
	}
	return ""
}

// AmountStyle is muted for money that did not move.
func AmountStyle(d display.Display, th *theme.Theme, t *api.Transaction) string {
	switch {
	case d.Private():
		return th.Muted
	case t.Type == api.TransactionDecline || t.Type == api.TransactionAuthorization:
		return th.Muted
	case t.Sent() > 0:
		return th.Good
	}
	return th.Text
}

// OpName is what an operation is called on the screen, by the name that the history and
// a hub have of it: the store's kinds have theirs in the catalogue. A name that is not
// known is shown as it is.
func OpName(w *lang.Words, name string) string {
	if text := w.Tc("operation", name); text != name {
		return text
	}
	return w.T(name)
}

// UnderWay are the ways to say what is being done with a card, here or by somebody else
// on a hub, the longest first; none when nothing is.
func UnderWay(t *theme.Theme, s *state.Store, id api.CardID) []string {
	d := s.Privacy.Display()
	if op, busy := s.Ops.Pending(id); busy {
		return Progresses(t, d, op)
	}
	l, taken := s.Team.Lease(id)
	if !taken {
		return nil
	}
	word, glyph := t.Words.Tf("unconfirmed %s", OpName(t.Words, string(l.Operation))), t.Glyphs.Unknown
	if l.State == "sending" {
		word, glyph = doing(t.Words, string(l.Operation)), t.Glyphs.Pending
	}
	// Who it is of says more than what it is: that is who can be asked.
	by := d.Text(team.By(t.Words, l.By))
	return []string{by + ": " + word, glyph + " " + by, glyph}
}

// doing is what an operation does, by its name.
func doing(w *lang.Words, name string) string {
	for _, k := range []state.OpKind{state.OpFund, state.OpWithdraw, state.OpTerminate} {
		if k.String() == name {
			return Progress(w, display.Display{}, state.Op{Kind: k})
		}
	}
	return OpName(w, name) + "…"
}

// Progresses are the ways to say it, the longest first.
func Progresses(t *theme.Theme, d display.Display, op state.Op) []string {
	brief, glyph := "", t.Glyphs.Pending
	switch op.Phase {
	case state.Unknown:
		brief, glyph = t.Words.Tc("progress", "unconfirmed"), t.Glyphs.Unknown
	case state.Unsettled:
		brief, glyph = t.Words.T("UNCONFIRMED, x"), t.Glyphs.Unknown+" x"
	default:
		small := op
		small.Amount = 0
		brief = Progress(t.Words, d, small)
	}
	return []string{Progress(t.Words, d, op), brief, glyph}
}

// Progress says on a card's row what is being done with it. Money is said
// with its amount: what is on its way is not in the balance yet.
func Progress(w *lang.Words, d display.Display, op state.Op) string {
	amount := ""
	if op.Amount != 0 {
		amount = " " + d.Dollars(op.Amount)
	}
	switch op.Phase {
	case state.Unknown:
		return w.Tf("unconfirmed %s", OpName(w, op.Kind.String())+amount)
	case state.Unsettled:
		return w.Tf("UNCONFIRMED %s, x", OpName(w, op.Kind.String())+amount)
	default:
	}
	switch op.Kind {
	case state.OpFreeze:
		return w.T("freezing…")
	case state.OpUnfreeze:
		return w.T("unfreezing…")
	case state.OpFund:
		return w.Tf("funding%s…", amount)
	case state.OpWithdraw:
		return w.Tf("withdrawing%s…", amount)
	case state.OpTerminate:
		return w.T("terminating…")
	default:
		return w.T("updating…")
	}
}
