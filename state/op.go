package state

import (
	"bytes"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// OpsTable holds the operations that are under way or unknown, and what became of the
// last ones.
type OpsTable struct {
	*core
	notices   *NoticesTable
	bins      *BINsTable
	history   *HistoryTable
	cards     *CardsTable
	news      *NewsTable
	poll      *PollTable
	wallet    *WalletTable
	webhooks  *WebhooksTable
	txns      *TxnsTable
	info      *InfoTable
	ops       []*Op
	lastOp    OpID
	lastBegun OpID // of this session
	refusals  []Refusal
	undo      *undo
	dry       bool
	lookDue   time.Time // when a write of which nobody could tell is looked at again
}

// WalletMoving tells whether the wallet may change by what this program does:
// an operation that moves it is under way, or was since it was last read.
func (ops *OpsTable) WalletMoving() bool {
	return ops.wallet.wallet.behind != 0 || slices.ContainsFunc(ops.ops, func(op *Op) bool {
		return op.Kind.MovesWallet() && op.Phase != Unsettled
	})
}

// OpID names an operation within one run.
type OpID uint32

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

// moves tells whether an operation moves an amount that was asked for between
// a card and the wallet.
func (k OpKind) moves() bool { return k == OpFund || k == OpWithdraw }

// MovesWallet tells whether an operation changes what the wallet holds.
func (k OpKind) MovesWallet() bool { return k.moves() || k == OpIssue || k == OpTerminate }

// Phase is how far an operation has come. An operation that is done or
// refused is gone.
type Phase uint8

// The phases.
const (
	// Sending: a request is under way.
	Sending Phase = iota
	// Unknown: it may have acted; the same request is sent again with the
	// same key until the server tells.
	Unknown
	// Unsettled: it may have acted and asking again did not tell. A person
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
	// Write is what is sent, the same bytes with every try. It is shared and
	// never changed.
	Write *api.Write
	// Name is what the card was called when the operation began, Label its label
	// then, by which guardrails count.
	Name, Label string
	// Key is minted once and goes with every try.
	Key api.IdempotencyKey
	// Bulk is the plan that the operation is a row of; empty for none.
	Bulk  PlanID
	Phase Phase
	Tries int
	At    time.Time
	// Expected balances, to compare the server's answer with the preview.
	Expected Preview
	// Firm says that the wallet's part of it is exact: nothing else that this
	// program does moves the wallet meanwhile.
	Firm bool
	// deposits are those that Expected counts with.
	deposits deposited

	retryAt time.Time
	// fence is the newest request that was asked for before its outcome became
	// unknown: what it tells may be from before.
	fence Seq
	// doubt is the same of its first try: what was asked for later was read after
	// the operation began.
	doubt Seq
	undo  *undo
	// lookedAt is when it was last read whether it has acted, acted that the
	// figures spoke for it.
	lookedAt time.Time
	acted    bool
	// here is its ID when this run began it; 0 for one of an earlier run.
	here OpID
}

const (
	// resendTries and resendFor bound how long an unknown outcome is settled
	// by sending the same request again. How long servers keep keys is not in
	// the contract; minutes are safe.
	resendTries = 5
	resendFor   = 2 * time.Minute
	resendCap   = 30 * time.Second
	// offlineRetry is how soon after the API is back an operation is asked for
	// again.
	offlineRetry = time.Second
)

// Preview is what a money operation will do, in USD.
type Preview struct {
	CardBefore, CardAfter     api.USD
	WalletBefore, WalletAfter api.USD
}

// setsStatus tells whether an operation changes the status of its card.
func (op *Op) setsStatus() bool {
	return op.Kind == OpFreeze || op.Kind == OpUnfreeze || op.Kind == OpTerminate
}

// Pending finds the operation under way on a card: the oldest, should a freeze
// be under way beside another.
func (ops *OpsTable) Pending(id api.CardID) (Op, bool) {
	return ops.pending(id, func(*Op) bool { return true })
}

// pending finds the oldest of some operations under way on a card.
func (ops *OpsTable) pending(id api.CardID, which func(*Op) bool) (Op, bool) {
	for _, op := range ops.ops {
		if op.Card == id && id != "" && which(op) {
			return *op, true
		}
	}
	return Op{}, false
}

// PendingCount is how many operations are under way.
func (ops *OpsTable) PendingCount() int { return len(ops.ops) }

// begin makes an operation of a request and mints its key. In a dry run it
// only shows what would be sent.
func (ops *OpsTable) begin(r request) []Effect {
	if ops.dry {
		return ops.rehearse(r)
	}
	undo := ops.undoOf(r.in)
	effects := ops.beginAs(r, ops.cfg.NewKey(), "")
	op := ops.ops[len(ops.ops)-1]
	op.undo, ops.lastBegun = undo, op.ID
	return effects
}

// beginAs makes an operation with a key that is there, of a plan or of none.
func (ops *OpsTable) beginAs(r request, key api.IdempotencyKey, bulk PlanID) []Effect {
	ops.lastOp++
	op := &Op{
		ID: ops.lastOp, Kind: r.kind, Card: r.card, Amount: r.amount, Write: &r.write, Name: r.name, Label: r.label,
		Key: key, Bulk: bulk, At: ops.now, Tries: 1, here: ops.lastOp,
	}
	if p, ok := ops.wallet.preview(r.kind, r.card, r.amount); ok {
		op.deposits = ops.wallet.wallet.deposited()
		op.Expected, op.Firm = p, bulk == "" && op.Kind.MovesWallet() && ops.wallet.wallet.behind == 0
	}
	ops.addOp(op)
	ops.cards.begun = op.ID
	return []Effect{Do{Op: *op}}
}

// pendingIssue finds the issue under way that would send the same request.
func (ops *OpsTable) pendingIssue(w api.Write) (Op, bool) {
	for _, op := range ops.ops {
		if op.Kind == OpIssue && op.Write != nil && bytes.Equal(op.Write.Body, w.Body) {
			return *op, true
		}
	}
	return Op{}, false
}

// resend sends operations of unknown outcome again, with the same key, for as
// long as a server surely keeps it.
func (s *Store) resend(now time.Time) (topics Topic, effects []Effect) {
	for _, op := range s.Ops.ops {
		if op.Phase != Unknown || op.retryAt.IsZero() {
			continue
		}
		if tooOld(op, now) {
			topics |= TopicOps | TopicCards | TopicNotice
			effects = append(effects, s.giveUp(op)...)
			continue
		}
		if now.Before(op.retryAt) {
			continue
		}
		if _, offline := s.Poll.Offline(); offline {
			op.retryIn(offlineRetry, now) // It would wait like the one before.
			continue
		}
		op.retryAt = time.Time{}
		op.Tries++
		effects = append(effects, Do{Op: *op})
	}
	return topics, effects
}

// isUnknownAt notes the newest request when a try's outcome became unknown.
func (op *Op) isUnknownAt(seq Seq) {
	op.fence = seq
	if op.doubt == 0 {
		op.doubt = seq
	}
}

// tooOld tells whether the server may have forgotten an operation's key: the
// same request would be a new one then. The age counts by both clocks, and an
// operation of the future is one whose age nobody knows.
func tooOld(op *Op, now time.Time) bool {
	return poll.Elapsed(op.At, now).Abs() >= resendFor
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

// Resume takes up operations that an earlier run left without an answer:
// recent ones are asked for again with their key, older ones are for a
// person to judge, as are all where nothing is sent.
func (s *Store) Resume(ops []Op, now time.Time) {
	s.now = now // What is told of the start stays its time.
	for _, op := range ops {
		if slices.ContainsFunc(s.Ops.ops, func(o *Op) bool { return o.Key == op.Key }) {
			continue
		}
		s.Ops.lastOp++
		op.ID, op.Phase, op.retryAt = s.Ops.lastOp, Unknown, now
		op.isUnknownAt(s.seq)
		// What may not be kept on disk is not there to be sent again.
		lost := op.Write != nil && op.Write.Sensitive
		if lost || s.cfg.ReadOnly || s.Ops.dry || tooOld(&op, now) {
			op.Phase, op.retryAt = Unsettled, time.Time{}
			s.Ops.lookDue = now.Add(lateEvery)
		}
		s.Ops.addOp(&op)
	}
	s.Bulk.linkOps()
}

func (ops *OpsTable) take(id OpID) (*Op, bool) {
	for _, op := range ops.ops {
		if op.ID == id {
			return op, true
		}
	}
	return nil, false
}

func (ops *OpsTable) drop(id OpID) {
	for i, op := range ops.ops {
		if op.ID == id {
			ops.ops = append(ops.ops[:i], ops.ops[i+1:]...)
			if op.Kind.MovesWallet() {
				ops.wallet.wallet.behind = ops.seq
			}
			return
		}
	}
}

// Preview tells what moving an amount (USD) would do, by the balances last
// told in this run; ok is false while the wallet or the card is not known.
func (s *Store) Preview(in Intent) (p Preview, ok bool) {
	switch in := in.(type) {
	case FundCard:
		return s.Wallet.preview(OpFund, in.Card, in.Amount)
	case WithdrawCard:
		return s.Wallet.preview(OpWithdraw, in.Card, in.Amount)
	case IssueCard:
		return s.Wallet.preview(OpIssue, "", in.Request.Amount)
	case TerminateCard:
		return s.Wallet.preview(OpTerminate, in.Card, 0)
	default:
		return Preview{}, false
	}
}
