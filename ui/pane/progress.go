package pane

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/ui/theme"
)

// UnderWay are the ways to say what is being done with a card, here or by somebody else
// on a hub, the longest first; none when nothing is.
func UnderWay(t *theme.Theme, s *state.Store, id state.CardID) []string {
	d := s.Privacy.Display()
	if op, busy := s.Ops.Pending(id); busy {
		return Progresses(t, d, op)
	}
	l, taken := s.Team.Lease(id)
	if !taken {
		return nil
	}
	word := "unconfirmed " + string(l.Operation)
	if l.State == "sending" {
		word = doing(string(l.Operation))
	}
	by := d.Text(team.By(l.By)) + ": "
	return []string{by + word, word, t.Glyphs.Pending}
}

// doing is what an operation does, by its name.
func doing(name string) string {
	for _, k := range []state.OpKind{state.OpFund, state.OpWithdraw, state.OpTerminate} {
		if k.String() == name {
			return Progress(state.Display{}, state.Op{Kind: k})
		}
	}
	return name + "…"
}

// Progresses are the ways to say it, the longest first.
func Progresses(t *theme.Theme, d state.Display, op state.Op) []string {
	brief, glyph := "", t.Glyphs.Pending
	switch op.Phase {
	case state.Unknown:
		brief, glyph = "unconfirmed", t.Glyphs.Unknown
	case state.Unsettled:
		brief, glyph = "UNCONFIRMED, x", t.Glyphs.Unknown+" x"
	default:
		small := op
		small.Amount = 0
		brief = Progress(d, small)
	}
	return []string{Progress(d, op), brief, glyph}
}

// Progress says on a card's row what is being done with it. Money is said
// with its amount: what is on its way is not in the balance yet.
func Progress(d state.Display, op state.Op) string {
	amount := ""
	if op.Amount != 0 {
		amount = " " + d.Dollars(op.Amount)
	}
	switch op.Phase {
	case state.Unknown:
		return "unconfirmed " + op.Kind.String() + amount
	case state.Unsettled:
		return "UNCONFIRMED " + op.Kind.String() + amount + ", x"
	default:
	}
	switch op.Kind {
	case state.OpFreeze:
		return "freezing…"
	case state.OpUnfreeze:
		return "unfreezing…"
	case state.OpFund:
		return "funding" + amount + "…"
	case state.OpWithdraw:
		return "withdrawing" + amount + "…"
	case state.OpTerminate:
		return "terminating…"
	default:
		return "updating…"
	}
}
