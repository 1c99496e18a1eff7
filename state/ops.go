package state

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// OpsTable holds the operations that are under way or unknown, and what became of the
// last ones.
type OpsTable struct {
	*kernel.Core
	notices   *kernel.Notices
	bins      *bins.Table
	history   *HistoryTable
	cards     *CardsTable
	news      *kernel.News
	poll      *kernel.Lanes
	others    *OthersTable
	wallet    *wallets.Table
	webhooks  *webhooks.Table
	txns      *txns.Table
	info      *InfoTable
	ops       []*Op
	lastOp    OpID
	lastBegun OpID // of this session
	// lastMoved is the newest operation that had begun when an operation that
	// moves the wallet was last confirmed; lastAdded is the same for one that
	// adds to it. Operations up to that one may have run at the same time.
	lastMoved, lastAdded OpID
	refusals             []Refusal
	undo                 *undo
	// undos are what would undo the operations that are under way.
	undos   map[OpID]*undo
	dry     bool
	lateDue time.Time // when unconfirmed writes are read again
}

// undo is a write of this session, and what undoes it.
type undo struct {
	did kernel.Intent
	// back is nil when it cannot be undone; why is the reason in one line.
	back kernel.Intent
	why  string
	// doneAt is when the write was done, passed that the user went on to
	// something else since.
	doneAt time.Time
	passed bool
}

// request is what an intent would send, before it has a key.
type request struct {
	kind   OpKind
	card   api.CardID
	amount api.USD
	name   string
	label  string
	write  api.Write
	in     kernel.Intent
	by     Actor
	// balanceAt is when the balance was asked for that the amount rests on.
	balanceAt time.Time
	// seen is the card as the user was shown it before a change of its limit; nil if it was not shown.
	seen *Known
}

// Refusal is an operation that was not done for certain, and why.
type Refusal struct {
	Op Op
	// Reason is one line.
	Reason string
	// Field is the field of the request's body that the API's message names
	// (ASSUMED 6); empty when it names none.
	Field string
	// ByAPI reports whether the API judged it, and not this program or a limit of requests.
	ByAPI bool
}

// writer is an intent that sends a request as an operation.
type writer interface {
	kernel.Intent
	// build makes the request. It leaves name and label to buildRequest
	// unless they are not those of the card.
	build(ops *OpsTable) (request, error)
}

func (ops *OpsTable) checkWrite(id api.CardID, danger kernel.Danger) kernel.Verdict {
	return ops.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which is unknown.
func (ops *OpsTable) checkBeside(id api.CardID, danger kernel.Danger, blocks func(*Op) bool) kernel.Verdict {
	v := kernel.Verdict{Danger: danger}
	c, ok := ops.cards.Get(id)
	switch op, busy := ops.pending(id, blocks); {
	case !ok:
		v.Reason = ops.Lang.T("no card is selected")
	case ops.Cfg.ReadOnly:
		v.Reason = errtext.ReadOnly(ops.Lang)
	case c.Status == api.CardTerminated:
		v.Reason = ops.Lang.Tf("%s is terminated", ops.cards.name(id))
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// checkLease refuses what the hub would: the money of a card is moved by one at a time.
func (ops *OpsTable) checkLease(id api.CardID, v kernel.Verdict) kernel.Verdict {
	if l, taken := ops.Team.Lease(id); taken && v.Reason == "" {
		v.Reason = ops.cards.name(id) + ": " + team.BusyText(ops.Lang, l)
	}
	return v
}

// checkMoney validates an amount in USD; zero stands for one not typed yet.
func (ops *OpsTable) checkMoney(kind OpKind, id api.CardID, amount api.USD) kernel.Verdict {
	v := ops.cards.checkFresh(id, ops.checkLease(id, ops.checkWrite(id, kernel.Money)))
	if v.Reason == "" && kind.FromWallet() {
		v.Reason = ops.cards.unlabelled(id)
	}
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := ops.preview(kind, id, amount)
	switch {
	case !ok:
		v.Reason = ops.Lang.T("the wallet is not read yet: what it would hold afterwards is not known")
	case amount%api.Cent != 0:
		v.Reason = ops.Lang.T("at most two decimals")
	case amount < 0:
		v.Reason = ops.TooLittle()
	case kind == OpFund && amount < api.MinFunding:
		v.Reason = ops.Lang.Tf("at least %s", ops.Lang.Dollars(api.MinFunding))
	case kind == OpFund && amount > api.MaxFunding:
		v.Reason = ops.Lang.Tf("at most %s at a time", ops.Lang.Dollars(api.MaxFunding))
	case kind == OpFund && p.WalletAfter < 0:
		v.Reason, v.Shortfall = ops.WalletShort(-p.WalletAfter), -p.WalletAfter
	case kind == OpWithdraw && p.CardAfter < 0:
		v.Reason = ops.Lang.Tf("the card is %s short", ops.Lang.Dollars(-p.CardAfter))
	case kind.FromWallet():
		c, _ := ops.cards.Get(id)
		v.Reason = ops.guarded(string(c.Label), amount)
	}
	return v
}

// buildRequest makes the request of an intent. An error says what is wrong
// with what was asked for.
func (ops *OpsTable) buildRequest(in writer) (request, error) {
	r, err := in.build(ops)
	r.in, r.label = in, labelOf(in, ops.cards.label)
	if r.name == "" {
		r.name = ops.cards.trueName(r.card)
	}
	return r, err
}

// checkRequest is why a request cannot be built, or that the same one is under
// way; empty when neither is so.
func (ops *OpsTable) checkRequest(in writer) string {
	d, err := ops.buildRequest(in)
	if err != nil {
		return errtext.Explain(ops.Lang, err)
	}
	if d.kind == OpIssue {
		if op, busy := ops.pendingIssue(d.write); busy {
			return ops.cards.busyText(op)
		}
	}
	return ""
}

// guarded returns why the guardrails refuse an amount for a card of a label; empty
// when they do not. The engine asks again, with what all dashboards moved until
// then.
func (ops *OpsTable) guarded(label string, amount api.USD) string {
	if !ops.Cfg.Guard.Sums() {
		return ops.Cfg.Guard.Refuse(ops.Lang, label, amount, nil, ops.Time)
	}
	return ops.Cfg.Guard.Refuse(ops.Lang, label, amount, ops.moved(), ops.Time)
}

// moved is what the dashboards moved out of the wallet in the last day: what was
// read of all of them, and what this one did since.
func (ops *OpsTable) moved() []guard.Moved {
	all := make(map[api.IdempotencyKey]guard.Moved)
	moved, at := ops.others.movedByAll()
	for _, m := range moved {
		all[m.Key] = m
	}
	for _, r := range ops.history.records() {
		if !r.At.Before(at) {
			countRecord(all, r)
		}
	}
	for _, op := range ops.ops {
		countOp(all, op)
	}
	out := make([]guard.Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	return out
}

// sayTriedOffline says of a freeze that is sent while offline that nothing answers.
func (ops *OpsTable) sayTriedOffline(r request) kernel.Topic {
	since, offline := ops.poll.Offline()
	if !offline || ops.dry {
		return 0
	}
	ops.notices.Say(kernel.Warn, ops.Lang.Tf("offline since %s: the %s of %s is sent anyway", errtext.Clock(ops.Lang, since, ops.Time), r.kind.Noun(ops.Lang), ops.cards.name(r.card)))
	return kernel.TopicNotice
}

// WalletMoving reports whether the wallet may change by what this program does:
// an operation that moves it is under way, or was since it was last read.
func (ops *OpsTable) WalletMoving() bool {
	return !ops.wallet.UpToDate() || slices.ContainsFunc(ops.ops, func(op *Op) bool {
		return op.Kind.MovesWallet() && op.Phase != Unsettled
	})
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

// PendingWebhook finds the deletion of a webhook that is under way.
func (ops *OpsTable) PendingWebhook(id api.WebhookID) (Op, bool) {
	for _, op := range ops.ops {
		if op.Kind == OpUnsubscribe && op.Webhook() == id {
			return *op, true
		}
	}
	return Op{}, false
}

// Webhook is the endpoint that an operation deletes; empty for none.
func (op *Op) Webhook() api.WebhookID {
	if op.Kind != OpUnsubscribe || op.Write == nil {
		return ""
	}
	return api.WebhookID(strings.TrimPrefix(op.Write.Path, "/webhooks/"))
}

// beginAs makes an operation with a key that is there, of a plan or of none.
func (ops *OpsTable) beginAs(r request, key api.IdempotencyKey, bulk PlanID, rule string) []kernel.Effect {
	ops.lastOp++
	op := &Op{
		ID: ops.lastOp, Kind: r.kind, Card: r.card, Amount: r.amount, Write: &r.write, Name: r.name, Label: r.label,
		Key: key, Bulk: bulk, Rule: rule, By: r.by, BalanceAt: r.balanceAt, At: ops.Time, Tries: 1, here: ops.lastOp,
	}
	if p, ok := ops.preview(r.kind, r.card, r.amount); ok {
		op.deposits = ops.wallet.Deposited()
		op.Expected, op.Firm = p, bulk == "" && op.Kind.MovesWallet() && ops.wallet.UpToDate()
	}
	if r.kind == OpUpdate {
		op.LimitBefore = ops.info.Settings(r.card).Limit
	}
	if r.seen != nil {
		op.LimitBefore, op.LimitSeen = r.seen.Limit, true
	}
	ops.addOp(op)
	ops.cards.setNewestOp(op.ID)
	return []kernel.Effect{Do{Op: *op}}
}

// rehearse returns what would have been sent.
func (ops *OpsTable) rehearse(r request) []kernel.Effect {
	return []kernel.Effect{ShowRequest{Write: &r.write, Name: r.name, Kind: r.kind, Key: ops.Cfg.NewKey()}}
}

// addOp puts an operation among those under way. Of several that move the
// wallet none is certain of what it will hold afterwards.
func (ops *OpsTable) addOp(op *Op) {
	if op.Kind.MovesWallet() {
		ops.wallet.ExpectNothing()
		for _, other := range ops.ops {
			if other.Kind.MovesWallet() {
				other.Firm, op.Firm = false, false
			}
		}
	}
	ops.ops = append(ops.ops, op)
}

// Do sends an operation's write, with the operation's own idempotency key.
type Do struct{ Op Op }

func (Do) Effect() {}

// Cost is that of a write; issuing has a limit of its own (contract, Limits).
func (f Do) Cost() kernel.Cost {
	c := kernel.Cost{Priority: budget.User, Lane: lang.N("writes")}
	if f.Op.Kind == OpIssue {
		c.Kind = budget.Create
	}
	if f.Op.Bulk != "" && f.Op.Tries == 1 { // A doubt is settled before more is begun.
		c.Priority = budget.Bulk
	}
	return c
}

// begin makes an operation of a request and mints its key. In a dry run it
// only shows what would be sent.
func (ops *OpsTable) begin(r request) []kernel.Effect {
	if ops.dry {
		return ops.rehearse(r)
	}
	undo := ops.undoOf(r.in)
	effects := ops.beginAs(r, ops.Cfg.NewKey(), "", "")
	op := ops.ops[len(ops.ops)-1]
	ops.undos[op.ID], ops.lastBegun = undo, op.ID
	return effects
}

// WriteDeadline is how long a write waits for its answer at first.
const WriteDeadline = 10 * time.Second

const (
	// lateEvery is how often it is read again whether an unconfirmed write
	// has acted, lateRarely how often when it is long ago. One is read
	// at at a time.
	lateEvery  = 15 * time.Second
	lateRarely = 5 * time.Minute
)

// pendingIssue returns the issue under way that would send the same request.
func (ops *OpsTable) pendingIssue(w api.Write) (Op, bool) {
	for _, op := range ops.ops {
		if op.Kind == OpIssue && op.Write != nil && bytes.Equal(op.Write.Body, w.Body) {
			return *op, true
		}
	}
	return Op{}, false
}

func (ops *OpsTable) findOp(id OpID) (*Op, bool) {
	for _, op := range ops.ops {
		if op.ID == id {
			return op, true
		}
	}
	return nil, false
}

// ByID finds an operation that is under way.
func (ops *OpsTable) ByID(id OpID) (Op, bool) {
	if op, ok := ops.findOp(id); ok {
		return *op, true
	}
	return Op{}, false
}

// resolved removes an operation that had no answer, of which is known now whether it
// happened: if so it is what undo takes back.
func (ops *OpsTable) resolved(op *Op, happened bool) {
	if happened {
		ops.setUndo(op, nil)
	}
	ops.removeOp(op.ID)
}

func (ops *OpsTable) removeOp(id OpID) {
	for i, op := range ops.ops {
		if op.ID == id {
			ops.ops = append(ops.ops[:i], ops.ops[i+1:]...)
			delete(ops.undos, id)
			if op.Kind.MovesWallet() {
				ops.wallet.Outdate()
			}
			return
		}
	}
}

// tooOld reports whether the server may have forgotten an operation's key: the
// same request would be a new one then. The age counts by both clocks, and an
// operation of the future is one whose age is unknown.
func tooOld(op *Op, now time.Time) bool {
	return poll.Elapsed(op.At, now).Abs() >= resendFor
}

// all are the operations under way.
func (ops *OpsTable) all() []*Op { return ops.ops }

// wakes calls at with the times at which the table has something to do.
func (ops *OpsTable) wakes(at func(time.Time)) {
	at(ops.lateDue)
	for _, op := range ops.ops {
		at(op.retryAt)
	}
}

// begin starts the operation of a request.
func (s *Store) begin(r request) (kernel.Topic, []kernel.Effect) {
	effects := s.Ops.begin(r)
	return kernel.TopicOps | kernel.TopicCards | s.Ops.sayTriedOffline(r), effects
}
