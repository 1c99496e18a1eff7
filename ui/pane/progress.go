package pane

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/theme"
)

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
