package state

import (
	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
)

// OpDone is an operation the server confirmed. Amounts and balances (USD) are
// the server's; nil where its answer did not tell.
type OpDone struct {
	Meta
	Op OpID
	// Card is whose card the answer is about; empty when it did not tell.
	Card   api.CardID
	Status api.CardStatus
	// Moved is what was funded or withdrawn, Before the card's balance before.
	Moved, Before *api.USD
	// CardBalance and WalletBalance are those after it.
	CardBalance, WalletBalance *api.USD
	// Returned is the whole card where the answer was one.
	Returned *api.Card
	// Webhook is the endpoint that was registered, with its secret, which cannot
	// be printed.
	Webhook *api.Webhook
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
	// Note tells why the journal did not take the outcome; empty when it did.
	Note string
}

func (ev OpDone) apply(s *Store) (Topic, []Effect) {
	topics, effects := s.opDone(ev)
	return topics | s.History.record(ev.Record), effects
}

// OpFailed is an operation that the server refused, or whose outcome is
// unknown, as api.Outcome of the error says. NotSent says that it never left
// this machine.
type OpFailed struct {
	Meta
	Op      OpID
	Err     error
	NotSent bool
	// Record is its line in the history, nil when there is no new one, and Lost
	// why it is not there on disk.
	Record *Record
	Lost   string
	// Note tells why the journal did not take the outcome; empty when it did.
	Note string
}

func (ev OpFailed) apply(s *Store) (Topic, []Effect) {
	topics, effects := s.opFailed(ev)
	return topics | s.History.record(ev.Record), effects
}

// OpForgotten says that the journal let go of an operation, or why it could
// not.
type OpForgotten struct {
	Meta
	Err error
	// Record is its line in the history, Lost why it is not there on disk.
	Record *Record
	Lost   string
}

func (ev OpForgotten) apply(s *Store) (Topic, []Effect) {
	return s.Ops.forgotten(ev) | s.History.record(ev.Record), nil
}

// OperationsAdopted says what other dashboards left without an answer, now
// this one's, and what all dashboards of the profile took from the wallet in
// the last day, as far as guardrails look at that.
type OperationsAdopted struct {
	Meta
	Ops   []Op
	Moved []Moved
	Err   error
}

func (ev OperationsAdopted) apply(s *Store) (Topic, []Effect) { return s.adopted(ev), nil }

// DryRunSet says that the engine has heard whether writes are sent.
type DryRunSet struct {
	Meta
	On bool
}

func (ev DryRunSet) apply(s *Store) (Topic, []Effect) { return s.Ops.dryRunSet(ev), nil }

// Do sends an operation's write, with the operation's own idempotency key.
type Do struct{ Op Op }

func (Do) effect() {}

// Cost is that of a write; issuing has a limit of its own (contract, Limits).
func (f Do) Cost() Cost {
	c := Cost{Priority: budget.User, Lane: "writes"}
	if f.Op.Kind == OpIssue {
		c.Kind = budget.Create
	}
	if f.Op.Bulk != "" {
		c.Priority = budget.Bulk
	}
	return c
}

func (f Do) failed(s *Store, e failure) Topic { return s.opDeferred(f.Op.ID, e.wait) }

// Forget tells the journal that an operation is over although no answer said
// so: a person dismissed it, or what was read since tells.
type Forget struct {
	Op Op
	// Fate is what is known of it: judged one way or the other, or dismissed,
	// which an empty one is too.
	Fate Fate
}

func (Forget) effect() {}

// SetDryRun tells the engine that writes are not to be sent, or that they are
// again.
type SetDryRun struct{ On bool }

func (SetDryRun) effect() {}

// ShowRequest shows the write that would have been sent were it not a dry
// run, and the key it would have gone with.
type ShowRequest struct {
	Write *api.Write
	Name  string
	Kind  OpKind
	Key   api.IdempotencyKey
}

func (ShowRequest) effect() {}

// AdoptOperations takes over what dashboards that ended have left without an
// answer, and hears what all moved.
type AdoptOperations struct{}

func (AdoptOperations) effect() {}

// Examine asks to look at what tells whether a card's operation of unknown
// outcome acted; without one on the card, at that of an issue.
type Examine struct{ Card api.CardID }

func (in Examine) check(s *Store) Verdict {
	if _, ok := s.Ops.Unsettled(in.Card); !ok {
		return Verdict{Reason: "nothing is unconfirmed here"}
	}
	return Verdict{}
}

func (Examine) start(*Store) (Topic, []Effect) { return 0, nil }

// Judge says what became of an operation whose outcome nobody could tell.
type Judge struct {
	Op       OpID
	Happened bool
}

func (in Judge) check(s *Store) Verdict { return s.Ops.checkJudge(in) }

func (in Judge) start(s *Store) (Topic, []Effect) {
	return TopicOps | TopicCards | TopicNotice, s.pass(in)
}

// LookAgain asks anew for what tells whether an operation acted.
type LookAgain struct{ Op OpID }

func (LookAgain) check(*Store) Verdict { return Verdict{} }

func (in LookAgain) start(s *Store) (Topic, []Effect) { return 0, s.Ops.lookAgain(in.Op) }

// ToggleDryRun begins a dry run, in which writes are shown and not sent, or
// ends it.
type ToggleDryRun struct{}

func (ToggleDryRun) check(s *Store) Verdict { return s.Ops.checkDryRun() }

func (ToggleDryRun) start(s *Store) (Topic, []Effect) { return s.Ops.SetDryRun(!s.Ops.DryRun()) }
