package state

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// Evidence is what tells whether an operation of unknown outcome acted.
type Evidence struct {
	Op Op
	// Method, Path and Body are what was sent.
	Method, Path, Body string
	// Card is the operation's card as the summary told it at CardAt; zero when
	// it was not read since the operation began.
	Card   api.USD
	CardAt time.Time
	Status api.CardStatus
	// CardEarlier says that it was read before the latest try was over, so that
	// it does not tell of that one.
	CardEarlier bool
	// Wallet is the wallet's balance as told at WalletAt.
	Wallet   api.USD
	WalletAt time.Time
	// Since are the card's transactions since it began, newest first.
	Since []api.Transaction
	// Appeared are cards issued since it began with the label and the BIN that
	// a new one was asked for.
	Appeared []Card
	// Webhooks are those registered since it began, or the one it deletes if it
	// is still there, as they were read at WebhooksAt; zero when they were not
	// since it began.
	Webhooks   []Webhook
	WebhooksAt time.Time
	// Suggests tells what the figures speak for; they may have moved for other
	// reasons too.
	Suggests Suggestion
}

// Suggestion is what figures speak for.
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
	op, ok := ops.take(id)
	if !ok {
		return Evidence{}, false
	}
	e := Evidence{Op: *op}
	if w := op.Write; w != nil && !w.Sensitive {
		e.Method, e.Path, e.Body = w.Method, w.Path, string(w.Body)
	}
	from := ops.clock.Server(op.At).Add(-evidenceSkew)
	if sum, ok := ops.info.summaries[op.Card]; ok && sum.seq > op.doubt && sum.at.After(op.At) {
		e.Card, e.CardAt, e.Status, e.CardEarlier = sum.Balance, sum.at, sum.Status, sum.seq <= op.fence
	}
	if ops.wallet.wallet.live() {
		e.Wallet, e.WalletAt = ops.wallet.wallet.Balance, ops.poll.OKAt(LaneWallet)
	}
	switch op.Kind {
	case OpIssue:
		e.Appeared = ops.cards.appeared(op, from)
	case OpSubscribe, OpUnsubscribe:
		e.Webhooks, e.WebhooksAt = ops.webhooks.webhookEvidence(op, from)
	default:
		e.Since = ops.txns.transactionsSince(op.Card, from)
	}
	e.Suggests = e.suggest()
	return e, true
}

// appeared finds the cards that an unanswered issue may have made. One that
// was known when it began is another's, whatever the clocks say.
func (ca *CardsTable) appeared(op *Op, from time.Time) []Card {
	var asked api.CreateCardRequest
	if op.Write == nil || json.Unmarshal(op.Write.Body, &asked) != nil {
		return nil
	}
	var out []Card
	for _, r := range ca.rows() {
		if r.after >= op.here && r.bin.text() == asked.BIN && r.label == api.Clean(asked.Label) && !r.created.time().Before(from) {
			out = append(out, r.card())
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
		moved -= spent(t)
	}
	if e.Card == e.Op.Expected.CardAfter+moved {
		return SuggestsDone
	}
	if e.Card == e.Op.Expected.CardBefore+moved {
		return SuggestsNotDone
	}
	return SuggestsNothing
}

// suggestByList tells by the list of webhooks: one that was registered is in
// it, one that was deleted is not.
func (e *Evidence) suggestByList() Suggestion {
	if (e.Op.Kind == OpSubscribe) == (len(e.Webhooks) > 0) {
		return SuggestsDone
	}
	return SuggestsNotDone
}

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

// What acts when nobody thinks of it any more is told by a notice that stays
// until somebody puts it away: a write that was in doubt and turns out to have
// acted, or not.

// WriteDeadline is how long a write waits for its answer at first.
const WriteDeadline = 10 * time.Second

// tellLasting tells what came of an operation in doubt, as any result at first,
// and then until somebody puts it away. What was told of it before is not so any
// more.
func (ops *OpsTable) tellLasting(op *Op, level Level, text string) {
	ops.notices.tellResult(level, text)
	ops.notices.keepTelling(string(op.Key), level, text)
	ops.news.report(News{Kind: NewsAlert, ID: string(op.Key), Card: op.Card, Type: "late write", Text: text})
}

// tellLateRow tells likewise of the rows of a batch, all in one: what came of
// each is with the batch.
func (bu *BulkTable) tellLateRow(b *Batch) {
	b.late++
	bu.notices.keepTelling(string(b.Plan.ID), Warn, fmt.Sprintf("bulk %s: %s confirmed late; J shows them", b.Plan.Kind, plural(b.late, "row was", "rows were")))
}

// lateText tells of a write that acts after it was in doubt.
func (ops *OpsTable) lateText(op *Op, text string) string {
	return "confirmed late, " + ops.begunAt(op) + ": " + text
}

const (
	// lateEvery is how often it is looked at whether a write of which nobody
	// knows has acted, lateRarely how often when it is long ago. One is looked
	// at at a time.
	lateEvery  = 15 * time.Second
	lateRarely = 5 * time.Minute
)

// lookLate reads again what tells whether a write has acted of which nobody
// could tell: the server may get to it when it is back. The cards that an issue
// may have made are read anyway.
func (ops *OpsTable) lookLate(now time.Time) {
	if !poll.Reached(now, ops.lookDue) {
		return
	}
	ops.lookDue = time.Time{}
	var next *Op
	for _, op := range ops.ops {
		if op.Phase == Unsettled && op.Kind != OpIssue && !op.acted && (next == nil || op.lookedAt.Before(next.lookedAt)) {
			next = op
		}
	}
	if next == nil {
		return
	}
	ops.lookDue = now.Add(min(max(lateEvery, poll.Elapsed(next.At, now)/8), lateRarely))
	if _, offline := ops.poll.Offline(); !offline {
		next.lookedAt = now
		ops.wants = append(ops.wants, ops.webhooks.look(next)...)
	}
}

// sawLate tells of writes of which nobody could tell, and whose figures now
// speak for it that they have acted. A person has the last word.
func (ops *OpsTable) sawLate(changed Topic) Topic {
	if changed&(TopicCards|TopicInspector|TopicWebhooks|TopicWallet|TopicFeed) == 0 {
		return 0
	}
	var topics Topic
	for _, op := range ops.ops {
		if op.Phase != Unsettled || op.acted {
			continue
		}
		e, _ := ops.Evidence(op.ID)
		if e.Suggests != SuggestsDone {
			continue
		}
		op.acted = true
		ops.tellLasting(op, Warn, ops.seenText(op, e))
		topics |= TopicNotice | TopicOps
	}
	return topics
}

// seenText tells what speaks for it that a write has acted.
func (ops *OpsTable) seenText(op *Op, e Evidence) string {
	what := fmt.Sprintf("the %s of %s", op.Kind, ops.cards.opName(op))
	if op.Amount != 0 {
		what = fmt.Sprintf("the %s of $%s of %s", op.Kind, op.Amount.Grouped(), ops.cards.opName(op))
	}
	text := what + ", " + ops.begunAt(op) + " and never confirmed, seems to have acted"
	if op.Kind.moves() {
		text += ": card $" + e.Card.Grouped()
	}
	return text + "; x settles it"
}
