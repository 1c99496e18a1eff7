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
func (ops *OpsTable) Unsettled(id api.CardID) (Op, bool) {
	for _, card := range []api.CardID{id, ""} {
		for _, op := range ops.ops {
			if op.Card == card && op.Phase != Sending {
				return *op, true
			}
		}
	}
	return Op{}, false
}

// UnansweredCount is how many operations have an unknown outcome.
func (ops *OpsTable) UnsettledCount() int {
	n := 0
	for _, op := range ops.ops {
		if op.Phase != Sending {
			n++
		}
	}
	return n
}

func (ops *OpsTable) checkJudge(in Judge) Verdict {
	switch op, ok := ops.take(in.Op); {
	case !ok:
		return Verdict{Reason: "it was answered meanwhile"}
	case op.Phase != Unsettled:
		return Verdict{Reason: "it is still being asked for: its answer decides"}
	}
	return Verdict{}
}

// pass lets go of an operation as a person judged it.
func (s *Store) pass(in Judge) []Effect {
	op, ok := s.Ops.take(in.Op)
	if !ok {
		return nil
	}
	s.Ops.drop(op.ID)
	s.Notices.forgetLasting(string(op.Key))
	what := "noted: the " + op.Kind.String() + " of " + s.Cards.opName(op) + " was not done"
	if in.Happened {
		what = "noted: the " + op.Kind.String() + " of " + s.Cards.opName(op) + " was done"
		s.Ops.remember(op, nil)
	}
	s.Bulk.rowJudged(op, in.Happened, "as you judged")
	s.Notices.tell(Info, what)
	return append(s.Webhooks.look(op), Forget{Op: *op, Fate: judgedAs(in.Happened)})
}

// lookAgain reads anew what tells whether an operation acted.
func (ops *OpsTable) lookAgain(id OpID) []Effect {
	op, ok := ops.take(id)
	if !ok {
		return nil
	}
	return ops.webhooks.look(op)
}

// look asks for what tells whether an operation acted.
func (we *WebhooksTable) look(op *Op) []Effect {
	we.poll.MakeDue(LaneWallet)
	we.poll.MakeDue(LaneFeed)
	if op.Kind == OpSubscribe || op.Kind == OpUnsubscribe {
		we.webhooks.fence = max(we.webhooks.fence, op.fence)
		return we.load()
	}
	if op.Card == "" {
		we.poll.MakeDue(LaneHot)
		we.poll.MakeDue(LaneSweep)
		return nil
	}
	return []Effect{FetchSummary{Seq: we.nextSeq(), Card: op.Card}}
}
