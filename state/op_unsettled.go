package state

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/txnlist"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Evidence is what shows whether an operation of unknown outcome acted.
type Evidence struct {
	Op Op
	// Method, Path and Body are what was sent.
	Method, Path, Body string
	// Card is the operation's card as the summary said at CardAt; zero when
	// it was not read since the operation began.
	Card   api.USD
	CardAt time.Time
	Status api.CardStatus
	// CardEarlier reports whether it was read before the latest try was over, so that
	// it does not include that one.
	CardEarlier bool
	// Wallet is the wallet's balance as read at WalletAt.
	Wallet   api.USD
	WalletAt time.Time
	// Since are the card's transactions since it began, newest first.
	Since []api.Transaction
	// Appeared are cards issued since it began with the label and the BIN that
	// a new one was asked for.
	Appeared []cardlist.Card
	// Webhooks are those registered since it began, or the one it deletes if it
	// is still there, as they were read at WebhooksAt; zero when they were not
	// since it began.
	Webhooks   []webhooks.Webhook
	WebhooksAt time.Time
	// Suggests is what the figures suggest; they may have moved for other
	// reasons too.
	Suggests Suggestion
}

// Suggestion is what figures suggest.
type Suggestion uint8

// The suggestions.
const (
	SuggestsNothing Suggestion = iota
	SuggestsDone
	SuggestsNotDone
)

// evidenceSkew is how far a server's clock may be behind this machine's for
// what it dates still to count as since.
const evidenceSkew = 5 * time.Second

// Evidence puts together what is known of an operation of unknown outcome;
// false when it is not under way any more.
func (ops *OpsTable) Evidence(id OpID) (Evidence, bool) {
	op, ok := ops.findOp(id)
	if !ok {
		return Evidence{}, false
	}
	e := Evidence{Op: *op}
	if w := op.Write; w != nil && !w.Sensitive {
		e.Method, e.Path, e.Body = w.Method, w.Path, string(w.Body)
	}
	from := ops.Clock.Server(op.At).Add(-evidenceSkew)
	if sum, ok := ops.info.summaryOf(op.Card); ok && sum.seq > op.doubt && sum.at.After(op.At) {
		e.Card, e.CardAt, e.Status, e.CardEarlier = sum.Balance, sum.at, sum.Status, sum.seq <= op.fence
	}
	if w, _ := ops.wallet.Balance(); ops.wallet.Live() {
		e.Wallet, e.WalletAt = w.Balance, ops.poll.OKAt(poll.Wallet)
	}
	switch op.Kind {
	case OpIssue:
		e.Appeared = ops.cards.appeared(op, from)
	case OpSubscribe, OpUnsubscribe:
		e.Webhooks, e.WebhooksAt = ops.webhookEvidence(op, from)
	default:
		e.Since = ops.txns.Since(op.Card, from)
	}
	e.Suggests = e.suggest()
	return e, true
}

// appeared finds the cards that an unanswered issue may have made. One that
// was known when it began is another's, whatever the clocks say.
func (ca *CardsTable) appeared(op *Op, from time.Time) []cardlist.Card {
	var asked api.CreateCardRequest
	if op.Write == nil || json.Unmarshal(op.Write.Body, &asked) != nil {
		return nil
	}
	var out []cardlist.Card
	for _, r := range ca.rows() {
		if r.After >= uint32(op.here) && r.BIN() == asked.BIN && r.Label == api.Clean(asked.Label) && !r.Created.Time().Before(from) {
			out = append(out, r.Card())
		}
	}
	return out
}

// suggest compares the balance there is with those there would be, counting
// what merchants moved since.
func (e *Evidence) suggest() Suggestion {
	read := !e.CardAt.IsZero() && !e.CardEarlier
	switch {
	case e.Op.Kind == OpIssue && len(e.Appeared) > 0:
		return SuggestsDone
	case !e.WebhooksAt.IsZero():
		return e.suggestByList()
	case e.Op.Kind == OpTerminate && read && e.Status != "":
		if e.Status == api.CardTerminated {
			return SuggestsDone
		}
		return SuggestsNotDone
	case !e.Op.Kind.moves() || !read || e.Op.Expected == (Preview{}):
		return SuggestsNothing
	}
	moved := api.USD(0)
	for _, t := range e.Since {
		moved -= txnlist.Spent(t)
	}
	if e.Card == e.Op.Expected.CardAfter+moved {
		return SuggestsDone
	}
	if e.Card == e.Op.Expected.CardBefore+moved {
		return SuggestsNotDone
	}
	return SuggestsNothing
}

// suggestByList suggests by the list of webhooks: one that was registered is in
// it, one that was deleted is not.
func (e *Evidence) suggestByList() Suggestion {
	if (e.Op.Kind == OpSubscribe) == (len(e.Webhooks) > 0) {
		return SuggestsDone
	}
	return SuggestsNotDone
}

// resolvedStatus is the status of an operation that the user resolved.
func resolvedStatus(happened bool) OpStatus {
	if happened {
		return OpStatusResolvedDone
	}
	return OpStatusResolvedNotDone
}

// Unsettled finds the operation of unknown outcome on a card, or else one
// that issues a card: that has no row to show it on.
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

// List returns the operations under way and of unknown outcome, the oldest first.
func (ops *OpsTable) List() []Op {
	out := make([]Op, len(ops.ops))
	for i, op := range ops.ops {
		out[i] = *op
	}
	return out
}

// UnsettledCount is how many operations have an unknown outcome.
func (ops *OpsTable) UnsettledCount() int {
	n := 0
	for _, op := range ops.ops {
		if op.Phase != Sending {
			n++
		}
	}
	return n
}

func (ops *OpsTable) checkResolve(in Resolve) kernel.Verdict {
	switch op, ok := ops.findOp(in.Op); {
	case !ok:
		return kernel.Verdict{Reason: ops.Lang.T("it was answered meanwhile")}
	case op.Phase != Unsettled:
		return kernel.Verdict{Reason: ops.Lang.T("it is still being asked for: its answer decides")}
	}
	return kernel.Verdict{}
}

// resolve removes an operation as the user resolved it.
func (s *Store) resolve(in Resolve) []kernel.Effect {
	op, ok := s.Ops.findOp(in.Op)
	if !ok {
		return nil
	}
	what := s.Lang.Tf("noted: the %s of %s was not done", op.Kind.Noun(s.Lang), s.Cards.opName(op))
	if in.Happened {
		what = s.Lang.Tf("noted: the %s of %s was done", op.Kind.Noun(s.Lang), s.Cards.opName(op))
	}
	effects := endAs(s, op, in.Happened, s.Lang.T("resolved by you"), "")
	s.Notices.Say(kernel.Info, what)
	return effects
}

// endAs removes an operation as somebody resolved it; why says so in its batch, record in
// the history.
func endAs(s *Store, op *Op, happened bool, why, record string) []kernel.Effect {
	s.Notices.ForgetLasting(string(op.Key))
	s.Ops.resolved(op, happened)
	s.Bulk.rowResolved(op, happened, why)
	return append(s.Ops.readEvidence(op), Forget{Op: *op, Status: resolvedStatus(happened), Why: record})
}

// settledOnHub reports whether a person settled a write on the hub, and as what; who says
// it in words.
func settledOnHub(err error) (done bool, who string, ok bool) {
	var e *api.Error
	if !errors.As(err, &e) {
		return false, "", false
	}
	done = e.ID == api.HubSettledDone
	return done, string(e.Message), done || e.ID == api.HubSettledNotDone
}

// askHub marks the operations that a hub is to be asked about, and reports whether there
// are any.
func (ops *OpsTable) askHub() (some bool) {
	for _, op := range ops.ops {
		if op.Phase == Unsettled && op.Write != nil {
			op.askHub, some = true, true
		}
	}
	return some
}

// toAskHub returns an operation that the hub is to be asked about.
func (ops *OpsTable) toAskHub() (*Op, bool) {
	i := slices.IndexFunc(ops.ops, func(op *Op) bool { return op.askHub })
	if i < 0 {
		return nil, false
	}
	return ops.ops[i], true
}

// settledThere removes an operation that has its outcome on the hub; who says how it is
// known there.
func settledThere(s *Store, op *Op, done bool, who string) []kernel.Effect {
	level := kernel.Good
	if !done {
		level = kernel.Warn
	}
	effects := endAs(s, op, done, who, who)
	s.Ops.sayUntilDismissed(op, level, s.Lang.Tf("%s of %s: %s", op.Kind.Noun(s.Lang), s.Cards.opName(op), who))
	return effects
}

// readAgain reads again what shows whether an operation acted.
func (ops *OpsTable) readAgain(id OpID) []kernel.Effect {
	op, ok := ops.findOp(id)
	if !ok {
		return nil
	}
	return ops.readEvidence(op)
}

// readEvidence reads what shows whether an operation acted.
func (ops *OpsTable) readEvidence(op *Op) []kernel.Effect {
	ops.poll.MakeDue(poll.Wallet)
	ops.poll.MakeDue(poll.Feed)
	if op.Kind == OpSubscribe || op.Kind == OpUnsubscribe {
		return ops.webhooks.LoadAfter(op.fence)
	}
	if op.Card == "" {
		ops.poll.MakeDue(poll.Hot)
		ops.poll.MakeDue(poll.Sweep)
		return nil
	}
	return []kernel.Effect{FetchSummary{Seq: ops.NextSeq(), Card: op.Card}}
}

// sayLateRows tells in one notice, which stays until it is dismissed, of the rows of a
// batch that turned out to have acted late: what came of each is with the batch.
func (bu *BulkTable) sayLateRows(b *Batch) {
	b.late++
	bu.notices.SayUntilDismissed(string(b.Plan.ID), kernel.Warn, bu.Lang.Tf("bulk %s: %s confirmed late; J shows them", b.Plan.Kind.Noun(bu.Lang), bu.Lang.Tn(b.late, "%d row was", "%d rows were")))
}

// lateText reports a write that acts after it was in doubt.
func (ops *OpsTable) lateText(op *Op, text string) string {
	return ops.Lang.Tf("confirmed late, %s: %s", begunAt(ops.Core, op), text)
}

// readLate reads again what shows whether an unconfirmed write
// has acted: the server may get to it when it is back. The cards that an issue
// may have made are read anyway.
func (ops *OpsTable) readLate(now time.Time) {
	if !poll.Reached(now, ops.lateDue) {
		return
	}
	ops.lateDue = time.Time{}
	var next *Op
	for _, op := range ops.ops {
		if op.Phase == Unsettled && op.Kind != OpIssue && !op.acted && (next == nil || op.readAt.Before(next.readAt)) {
			next = op
		}
	}
	if next == nil {
		return
	}
	ops.lateDue = now.Add(min(max(lateEvery, poll.Elapsed(next.At, now)/8), lateRarely))
	if _, offline := ops.poll.Offline(); !offline {
		next.readAt = now
		ops.Wants = append(ops.Wants, ops.readEvidence(next)...)
	}
}

// checkLate reports unconfirmed writes whose figures now
// suggest that they have acted. The user decides.
func (ops *OpsTable) checkLate(changed kernel.Topic) kernel.Topic {
	if changed&(kernel.TopicCards|kernel.TopicInspector|kernel.TopicWebhooks|kernel.TopicWallet|kernel.TopicFeed) == 0 {
		return 0
	}
	var topics kernel.Topic
	for _, op := range ops.ops {
		if op.Phase != Unsettled || op.acted {
			continue
		}
		e, _ := ops.Evidence(op.ID)
		if e.Suggests != SuggestsDone {
			continue
		}
		op.acted = true
		ops.sayUntilDismissed(op, kernel.Warn, ops.seenText(op, e))
		topics |= kernel.TopicNotice | kernel.TopicOps
	}
	return topics
}

// seenText says what suggests that a write has acted.
func (ops *OpsTable) seenText(op *Op, e Evidence) string {
	what := ops.Lang.Tf("the %s of %s", op.Kind.Noun(ops.Lang), ops.cards.opName(op))
	if op.Amount != 0 {
		what = ops.Lang.Tf("the %s of %s of %s", op.Kind.Noun(ops.Lang), ops.Lang.Dollars(op.Amount), ops.cards.opName(op))
	}
	text := ops.Lang.Tf("%s, %s and never confirmed, seems to have acted", what, begunAt(ops.Core, op))
	if op.Kind.moves() {
		text += ops.Lang.Tf(": card %s", ops.Lang.Dollars(e.Card))
	}
	return ops.Lang.Tf("%s; x settles it", text)
}

// resend sends operations of unknown outcome again, with the same key, for as
// long as a server surely stores it.
func (s *Store) resend(now time.Time) (topics kernel.Topic, effects []kernel.Effect) {
	for _, op := range s.Ops.all() {
		if op.Phase != Unknown || op.retryAt.IsZero() {
			continue
		}
		if tooOld(op, now) {
			topics |= kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice
			effects = append(effects, s.markUnsettled(op, nil)...)
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

// Resume continues operations that an earlier run left without an answer:
// recent ones are asked for again with their key, older ones are for a
// user to resolve, as are all where nothing is sent.
func (s *Store) Resume(ops []Op, now time.Time) {
	s.Time = now // A notice of the start stays its time.
	for _, op := range ops {
		if slices.ContainsFunc(s.Ops.ops, func(o *Op) bool { return o.Key == op.Key }) {
			continue
		}
		s.Ops.lastOp++
		op.ID, op.Phase, op.retryAt, op.here = s.Ops.lastOp, Unknown, now, 0
		op.isUnknownAt(s.Seq)
		// What may not be kept on disk is not there to be sent again.
		lost := op.Write != nil && op.Write.Sensitive
		if lost || s.Cfg.ReadOnly || s.Ops.dry || tooOld(&op, now) {
			op.Phase, op.retryAt = Unsettled, time.Time{}
			s.Ops.lateDue = now.Add(lateEvery)
		}
		s.Ops.addOp(&op)
	}
	s.Bulk.linkOps()
}

// adopted continues what another dashboard left, and shows a notice.
func (s *Store) adopted(ev OperationsAdopted) kernel.Topic {
	var topics kernel.Topic
	if ev.Err == nil {
		s.Others.moved, s.Others.at, s.Others.adoptFailed = ev.Moved, ev.Sent, false
		s.Others.planned = ev.Planned
	} else if !s.Others.adoptFailed {
		s.Others.adoptFailed = true
		s.Notices.Say(kernel.Warn, s.Lang.Tf("what other dashboards left cannot be seen: %s", ev.Err.Error()))
		topics |= kernel.TopicNotice
	}
	topics |= SayDamage(s.Notices, ev.Damaged)
	if len(ev.Ops) == 0 {
		return topics
	}
	s.Resume(ev.Ops, s.Time)
	s.Notices.Say(kernel.Warn, s.Lang.Tn(len(ev.Ops), "another dashboard ended and left %d operation without an answer: continued here", "another dashboard ended and left %d operations without an answer: continued here"))
	return topics | kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice
}

// OperationsAdopted says what other dashboards left without an answer, now
// this one's, and what all dashboards of the profile moved out of the wallet in
// the last day, as far as guardrails check that.
type OperationsAdopted struct {
	kernel.Meta
	Ops   []Op
	Moved []guard.Moved
	// Planned are the cards that plans of other programs are about.
	Planned map[api.CardID]bool
	// Damaged are records of those dashboards that cannot be read.
	Damaged []Damage
	Err     error
}

func (ev OperationsAdopted) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	return s.adopted(ev), nil
}

// Resolve sets the outcome of an operation that could not be confirmed.
type Resolve struct {
	Op       OpID
	Happened bool
}

func (in Resolve) Check(s *Store) kernel.Verdict {
	if op, ok := s.Ops.findOp(in.Op); ok && op.atHub {
		return kernel.Verdict{Reason: s.Lang.T("the hub has it: a lead settles it on the screen of the team")}
	}
	return s.Ops.checkResolve(in)
}

func (in Resolve) Start(s *Store) (kernel.Topic, []kernel.Effect) {
	return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, s.resolve(in)
}
