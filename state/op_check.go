package state

import (
	"bytes"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

func (cl *ClipTable) checkCode(in CopyCode) Verdict {
	_, ok := cl.codes.codeToCopy(in)
	switch {
	case ok:
		return Verdict{}
	case in.Challenge != "":
		return Verdict{Reason: "that code has ended: choose another"}
	}
	return Verdict{Reason: cl.noCode()}
}

func (ops *OpsTable) checkWrite(id api.CardID, danger Danger) Verdict {
	return ops.checkBeside(id, danger, func(*Op) bool { return true })
}

// checkBeside is checkWrite for what only some operations stand in the way of: a
// freeze does not wait for money of which nobody knows.
func (ops *OpsTable) checkBeside(id api.CardID, danger Danger, inTheWay func(*Op) bool) Verdict {
	v := Verdict{Danger: danger}
	c, ok := ops.cards.Get(id)
	switch op, busy := ops.pending(id, inTheWay); {
	case !ok:
		v.Reason = "no card is selected"
	case ops.cfg.ReadOnly:
		v.Reason = readOnly
	case c.Status == api.CardTerminated:
		v.Reason = ops.cards.name(id) + " is terminated"
	case busy:
		v.Reason = ops.cards.busyText(op)
	}
	return v
}

// checkMoney judges an amount in USD; zero stands for one not typed yet.
func (ops *OpsTable) checkMoney(kind OpKind, id api.CardID, amount api.USD) Verdict {
	v := ops.cards.checkFresh(id, ops.checkWrite(id, Money))
	if v.Reason != "" || amount == 0 {
		return v
	}
	p, ok := ops.wallet.preview(kind, id, amount)
	switch {
	case !ok:
		v.Reason = "the wallet is not read yet: what it would hold afterwards is not known"
	case amount%api.Cent != 0:
		v.Reason = "at most two decimals"
	case amount < 0:
		v.Reason = tooLittle
	case kind == OpFund && amount < api.MinFunding:
		v.Reason = "at least $" + api.MinFunding.Grouped()
	case kind == OpFund && amount > api.MaxFunding:
		v.Reason = "at most $" + api.MaxFunding.Grouped() + " at a time"
	case kind == OpFund && p.WalletAfter < 0:
		v.Reason, v.Short = walletShort(-p.WalletAfter), -p.WalletAfter
	case kind == OpWithdraw && p.CardAfter < 0:
		v.Reason = "the card is $" + (-p.CardAfter).Grouped() + " short"
	case kind.Takes():
		c, _ := ops.cards.Get(id)
		v.Reason = ops.guarded(string(c.Label), amount)
	}
	return v
}

// lacks is what the wallet is short of for an amount, USD; 0 or less when it
// is enough.
func (w *WalletTable) lacks(amount api.USD) api.USD { return amount - w.wallet.Balance }

// buildRequest makes the request of an intent. An error says what is wrong
// with what was asked for.
func (we *WebhooksTable) buildRequest(in writer) (request, error) {
	r, err := in.build(we)
	r.in, r.label = in, we.cards.labelOf(in)
	if r.name == "" {
		r.name = we.cards.trueName(r.card)
	}
	return r, err
}

// quoted is a label in a sentence.
func quoted(label string) string {
	if label == "" {
		return "without label"
	}
	return string(api.Clean(label))
}

// checkRequest is why a request cannot be built, or that the same one is under
// way; empty when neither is so.
func (ops *OpsTable) checkRequest(in writer) string {
	d, err := ops.webhooks.buildRequest(in)
	if err != nil {
		return explain(err)
	}
	if d.kind == OpIssue {
		if op, busy := ops.pendingIssue(d.write); busy {
			return ops.cards.busyText(op)
		}
	}
	return ""
}

// shownCopy is how long a request that was copied stays on the clipboard: it
// is no secret.
const shownCopy = 2 * time.Minute

// DryRun tells whether writes are shown and not sent.
func (ops *OpsTable) DryRun() bool { return ops.dry }

// SetDryRun begins or ends a dry run. It begins here at once; it ends when
// the engine has heard of it, so that there is no moment at which one of the
// two would send what the other shows.
func (ops *OpsTable) SetDryRun(on bool) (Topic, []Effect) {
	if on {
		ops.dry = true
		ops.notices.tell(Info, "dry run: writes are shown, nothing is sent")
	}
	return TopicOps | TopicNotice, []Effect{SetDryRun{On: on}}
}

// checkDryRun refuses to begin while something sent waits for its outcome: it
// may have to be sent again.
func (ops *OpsTable) checkDryRun() Verdict {
	if ops.dry {
		return Verdict{}
	}
	for _, op := range ops.ops {
		if op.Phase != Unsettled {
			return Verdict{Reason: "no dry run yet: " + ops.cards.busyText(*op)}
		}
	}
	return Verdict{}
}

func (ops *OpsTable) dryRunSet(ev DryRunSet) Topic {
	if ev.On || !ops.dry {
		return 0
	}
	ops.dry = false
	ops.notices.tell(Warn, "the dry run is over: writes are sent")
	return TopicOps | TopicNotice
}

// rehearse gives what would have been sent.
func (ops *OpsTable) rehearse(r request) []Effect {
	return []Effect{ShowRequest{Write: &r.write, Name: r.name, Kind: r.kind, Key: ops.cfg.NewKey()}}
}

func (cl *ClipTable) copyText(in CopyText) []Effect {
	seq := cl.beginCopy(copying{what: in.What, kind: "text"})
	return []Effect{CopyPlain{Seq: seq, Text: in.Text, TTL: shownCopy}}
}

// guarded tells why the guardrails refuse an amount for a card of a label; empty
// when they do not. The engine asks again, with what all dashboards moved until
// then.
func (ops *OpsTable) guarded(label string, amount api.USD) string {
	if !ops.cfg.Guard.Sums() {
		return ops.cfg.Guard.Refuse(label, amount, nil, ops.now)
	}
	return ops.cfg.Guard.Refuse(label, amount, ops.moved(), ops.now)
}

// moved is what the dashboards took from the wallet in the last day: what was
// told of all of them, and what this one did since.
func (ops *OpsTable) moved() []Moved {
	all := make(map[api.IdempotencyKey]Moved)
	for _, m := range ops.poll.around.moved {
		all[m.Key] = m
	}
	for _, r := range ops.history.past.rows {
		if !r.At.Before(ops.poll.around.at) {
			countRecord(all, r)
		}
	}
	for _, op := range ops.ops {
		countOp(all, op)
	}
	out := make([]Moved, 0, len(all))
	for _, m := range all {
		out = append(out, m)
	}
	return out
}

// labelOf is the label of the card that an intent is about; empty when
// guardrails do not look at it.
func (ca *CardsTable) labelOf(in Intent) string {
	if l, ok := in.(labelled); ok {
		return l.labelIn(ca)
	}
	return ""
}

func (ca *CardsTable) label(id api.CardID) string {
	c, _ := ca.Get(id)
	return string(c.Label)
}

// tellTried says of a freeze that is sent while offline that nothing answers.
func (ops *OpsTable) tellTried(r request) Topic {
	since, offline := ops.poll.Offline()
	if !offline || ops.dry {
		return 0
	}
	ops.notices.tell(Warn, "offline since "+clockOf(since, ops.now)+": the "+r.kind.String()+" of "+ops.cards.name(r.card)+" is tried all the same")
	return TopicNotice
}

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

// tooOld tells whether the server may have forgotten an operation's key: the
// same request would be a new one then. The age counts by both clocks, and an
// operation of the future is one whose age nobody knows.
func tooOld(op *Op, now time.Time) bool {
	return poll.Elapsed(op.At, now).Abs() >= resendFor
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
