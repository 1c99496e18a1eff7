package state

import (
	"github.com/cardtop/cardtop/api"
)

// judgedAs is the fate that a person gives an operation.
func judgedAs(happened bool) Fate {
	if happened {
		return FateJudgedDone
	}
	return FateJudgedNotDone
}

// Unanswered finds the operation of unknown outcome on a card, or else one
// that issues a card: that has no row to look for it on.
func (s *Store) Unanswered(id api.CardID) (Op, bool) {
	for _, card := range []api.CardID{id, ""} {
		for _, op := range s.ops {
			if op.Card == card && op.Phase != Sending {
				return *op, true
			}
		}
	}
	return Op{}, false
}

// UnansweredCount is how many operations have an unknown outcome.
func (s *Store) UnansweredCount() int {
	n := 0
	for _, op := range s.ops {
		if op.Phase != Sending {
			n++
		}
	}
	return n
}

func (s *Store) checkJudge(in Judge) Verdict {
	switch op, ok := s.take(in.Op); {
	case !ok:
		return Verdict{Reason: "it was answered meanwhile"}
	case op.Phase != Unsettled:
		return Verdict{Reason: "it is still being asked for: its answer decides"}
	}
	return Verdict{}
}

// pass lets go of an operation as a person judged it.
func (s *Store) pass(in Judge) []Effect {
	op, ok := s.take(in.Op)
	if !ok {
		return nil
	}
	s.drop(op.ID)
	s.forgetLasting(string(op.Key))
	what := "noted: the " + op.Kind.String() + " of " + s.opName(op) + " was not done"
	if in.Happened {
		what = "noted: the " + op.Kind.String() + " of " + s.opName(op) + " was done"
		s.remember(op, nil)
	}
	s.rowJudged(op, in.Happened, "as you judged")
	s.tell(Info, what)
	return append(s.look(op), Forget{Op: *op, Fate: judgedAs(in.Happened)})
}

// lookAgain reads anew what tells whether an operation acted.
func (s *Store) lookAgain(id OpID) []Effect {
	op, ok := s.take(id)
	if !ok {
		return nil
	}
	return s.look(op)
}

// look asks for what tells whether an operation acted.
func (s *Store) look(op *Op) []Effect {
	s.Poll.MakeDue(LaneWallet)
	s.Poll.MakeDue(LaneFeed)
	if op.Kind == OpSubscribe || op.Kind == OpUnsubscribe {
		s.webhooks.fence = max(s.webhooks.fence, op.fence)
		return s.loadWebhooks()
	}
	if op.Card == "" {
		s.Poll.MakeDue(LaneHot)
		s.Poll.MakeDue(LaneSweep)
		return nil
	}
	return []Effect{FetchSummary{Seq: s.nextSeq(), Card: op.Card}}
}
