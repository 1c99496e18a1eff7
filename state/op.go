package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/wallets"
)

// OpID names an operation within one run.
type OpID uint32

// PlanID names a plan for good, on disk as well.
type PlanID string

// OpKind is the write an operation sends.
type OpKind uint8

// The kinds.
const (
	OpFreeze OpKind = iota + 1
	OpUnfreeze
	OpFund
	OpWithdraw
	OpIssue
	OpUpdate
	OpTerminate
	OpSubscribe   // registers a webhook
	OpUnsubscribe // deletes one
)

// Phase is how far an operation has come. An operation that is done or
// refused is gone.
type Phase uint8

// The phases.
const (
	// Sending: a request is under way.
	Sending Phase = iota
	// Unknown: it may have acted; the same request is sent again with the
	// same key until the server answers.
	Unknown
	// Unsettled: it may have acted and asking again was not answered. The user
	// decides by the card's balance and transactions.
	Unsettled
)

// Op is an intent under way.
type Op struct {
	ID   OpID
	Kind OpKind
	// Card is empty while a card is issued: it has no id yet.
	Card   api.CardID
	Amount api.USD // fund, withdraw and issue, USD
	// Moved is what the answer says that it moved, USD; 0 before there is one.
	Moved api.USD
	// Write is what is sent, the same bytes with every try. It is shared and
	// never changed.
	Write *api.Write
	// Name is what the card was called when the operation began, Label its label
	// then, by which guardrails count.
	Name, Label string
	// Key is minted once and goes with every try.
	Key api.IdempotencyKey
	// Bulk is the plan that the operation is a row of; empty for none.
	Bulk PlanID
	// Rule is the name of the rule that asked for it; empty for the user.
	Rule string
	// By is the person who asked for it over a hub; empty on this machine.
	By Actor
	// BalanceAt is when the card's balance was asked for that the amount rests on; zero
	// when it rests on none.
	BalanceAt time.Time

	Phase Phase
	Tries int
	At    time.Time
	// Expected balances, to compare the server's answer with the preview.
	Expected Preview
	// Firm reports whether the wallet's part of it is exact: nothing else that this
	// program does moves the wallet meanwhile.
	Firm bool
	// LimitBefore is the monthly limit of the card before a change of its settings; nil where that is not known.
	LimitBefore *api.USD
	// LimitSeen reports whether the user was shown LimitBefore. Nothing is sent if the limit has changed by then.
	LimitSeen bool
	// deposits are those that Expected counts with.
	deposits wallets.Deposited

	retryAt time.Time
	// fence is the newest request that was asked for before its outcome became
	// unknown: what it says may be from before.
	fence poll.Seq
	// doubt is the same of its first try: what was asked for later was read after
	// the operation began.
	doubt poll.Seq
	// readAt is when it was last read whether it has acted, acted that the
	// figures spoke for it.
	readAt time.Time
	acted  bool
	// askHub: the hub is to be asked what became of it; atHub: it said that the operation
	// has no outcome there yet, so that a lead settles it.
	askHub, atHub bool
	// here is its ID when this run began it; 0 for one of an earlier run.
	here OpID
}

// Actor is a person who asks for an operation over a hub.
type Actor struct {
	Name, Role string
	// From is the address of the request.
	From string
	// Approved is who approved it; empty where nobody had to.
	Approved string
}

// Shown returns what the confirmation of an operation said that its card and the
// wallet would hold; nil where it said nothing for certain.
func (op Op) Shown() (card, wallet *api.USD) {
	if op.Bulk != "" || op.Expected == (Preview{}) {
		return nil, nil
	}
	if op.Firm {
		wallet = &op.Expected.WalletAfter
	}
	return &op.Expected.CardAfter, wallet
}

// Outcome returns what became of the operation from the error of its latest
// try. Once an earlier try may have acted, no refusal says that it did not: a
// server may check the request before the idempotency key, and refuse it because
// the first try emptied the wallet or removed the card. A hub is the exception: it
// looks for the key before it has a request wait for a lead.
func (op Op) Outcome(err error) api.Result {
	outcome := api.Outcome(err)
	if outcome == api.Refused && op.Tries > 1 && !waitsForLead(err) {
		return api.Unknown
	}
	return outcome
}

// inDoubt reports whether an operation is unconfirmed.
func (op *Op) inDoubt() bool { return op.Tries > 1 || op.Phase != Sending }

// begunAt says when an operation was asked for.
func begunAt(c *kernel.Core, op *Op) string {
	return c.Lang.Tf("asked for at %s", errtext.Clock(c.Lang, op.At, c.Time))
}

// Preview is what a money operation will do, in USD.
type Preview struct {
	CardBefore, CardAfter     api.USD
	WalletBefore, WalletAfter api.USD
}

// setsStatus reports whether an operation changes the status of its card.
func (op *Op) setsStatus() bool {
	return op.Kind == OpFreeze || op.Kind == OpUnfreeze || op.Kind == OpTerminate
}

// isUnknownAt sets the newest request when a try's outcome became unknown.
func (op *Op) isUnknownAt(seq poll.Seq) {
	op.fence = seq
	if op.doubt == 0 {
		op.doubt = seq
	}
}

// Age is how long ago an operation was asked for, by the clock that ran further.
func (op Op) Age(now time.Time) time.Duration { return max(0, poll.Elapsed(op.At, now)) }

// retryIn plans the next try, at the latest when the tries end.
func (op *Op) retryIn(wait time.Duration, now time.Time) {
	op.retryAt = now.Add(wait)
	if end := op.At.Add(resendFor); op.retryAt.After(end) {
		op.retryAt = end
	}
}

const (
	// resendTries and resendFor bound how long an unknown outcome is settled
	// by sending the same request again. How long servers store keys is not in
	// the contract; minutes are safe.
	resendTries = 5
	resendFor   = 2 * time.Minute
	resendCap   = 30 * time.Second
	// offlineRetry is how soon after the API is back an operation is asked for
	// again.
	offlineRetry = time.Second
)

// Verbs lists what operations do.
func Verbs() []string {
	var verbs []string
	for k := OpFreeze; k <= OpUnsubscribe; k++ {
		verbs = append(verbs, k.Verb())
	}
	return verbs
}

// VerbOf returns the verb of an operation that a hub calls by its noun.
func VerbOf(noun string) string {
	for k := OpFreeze; k <= OpUnsubscribe; k++ {
		if k.String() == noun {
			return k.Verb()
		}
	}
	return noun
}

// OpStatus is the latest status of an operation, in the journal and in the history.
type OpStatus = string

// The statuses. An operation that has none was never begun: nothing of
// it was sent.
const (
	// OpStatusBegun: its request may have been sent, no outcome is recorded.
	OpStatusBegun OpStatus = "begun"
	// OpStatusDone: the server confirmed it.
	OpStatusDone OpStatus = "done"
	// OpStatusRefused: the server did not do it; in the journal, or it never left
	// this machine.
	OpStatusRefused OpStatus = "refused"
	// OpStatusNotSent: it never left this machine, or it is a row that a limit held up: the server
	// did not refuse it, and a row is sent again. The history alone says so.
	OpStatusNotSent OpStatus = "not-sent"
	// OpStatusWaits: it was not done, a request on a hub waits for a lead. The history alone
	// says so.
	OpStatusWaits OpStatus = "waits"
	// OpStatusApproved: a lead approved it, and the hub began it. The history alone says so.
	OpStatusApproved OpStatus = "approved"
	// OpStatusUnknown: it may have acted.
	OpStatusUnknown OpStatus = "unknown"
	// OpStatusResolvedDone and OpStatusResolvedNotDone: no answer said, what was read since
	// did.
	OpStatusResolvedDone    OpStatus = "judged-done"
	OpStatusResolvedNotDone OpStatus = "judged-not-done"
	// OpStatusDismissed: the user removed it and is unknown.
	OpStatusDismissed OpStatus = "dismissed"
)

// Forget ends an operation in the journal although no answer said
// so: the user dismissed it, or what was read since resolved it.
type Forget struct {
	Op Op
	// Status is what is known of it: resolved one way or the other, or dismissed,
	// which an empty one is too.
	Status OpStatus
	// Why says who resolved it, where that was not the user.
	Why string
}

func (Forget) Effect() {}

// SetDryRun has the engine send no writes, or that they are
// again.
type SetDryRun struct{ On bool }

func (SetDryRun) Effect() {}

// ShowRequest shows the write that would have been sent were it not a dry
// run, and the key it would have gone with.
type ShowRequest struct {
	Write *api.Write
	Name  string
	Kind  OpKind
	Key   api.IdempotencyKey
}

func (ShowRequest) Effect() {}

// AdoptOperations adopts what dashboards that ended have left without an
// answer, and reads what all moved.
type AdoptOperations struct{}

func (AdoptOperations) Effect() {}

// The fields of the bodies of writes (contract, Endpoints).
const (
	FieldMetadata = "metadata"
	FieldURL      = "url"
	FieldEvents   = "events"
)
