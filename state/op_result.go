package state

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

func (s *Store) opDone(ev OpDone) (Topic, []Effect) {
	op, ok := s.Ops.take(ev.Op)
	if !ok {
		if ev.Webhook != nil {
			ev.Webhook.Secret.Wipe() // Nobody waits for it any more.
		}
		return 0, nil
	}
	s.Ops.drop(ev.Op)
	s.Ops.remember(op, ev.Moved)
	effects := s.settle(op, ev)
	if b, row, ok := s.Bulk.rowOf(op); ok {
		s.Bulk.rowDone(b, row, op, ev)
		if op.Age(s.now) >= WriteDeadline {
			s.Bulk.tellLateRow(b)
		}
		return TopicOps | TopicCards | TopicWallet | TopicNotice, effects
	}
	level, text := Good, s.Ops.doneText(op, ev)
	odd := discrepancy(op, ev)
	if odd == "" {
		odd = s.Wallet.broken(op, ev)
	}
	for _, more := range []string{odd, unrecorded(ev.Note), unwritten(ev.Lost)} {
		if more != "" {
			level, text = Warn, text+"; "+more
		}
	}
	if op.inDoubt() { // A person has waited for this, perhaps since before a restart.
		s.Ops.tellLasting(op, level, s.Ops.lateText(op, text))
	} else {
		s.Notices.tellResult(level, text)
	}
	return TopicOps | TopicCards | TopicWallet | TopicNotice | TopicWebhooks, effects
}

// settle merges what the server answered and raises the fences, so that a
// poll sent before cannot bring back what was. What it answered of another
// card says nothing of this one.
func (s *Store) settle(op *Op, ev OpDone) []Effect {
	switch op.Kind {
	case OpSubscribe:
		return s.subscribed(ev)
	case OpUnsubscribe:
		return s.Webhooks.unsubscribed(op)
	default:
	}
	if op.Bulk == "" { // A batch has all read at its end.
		s.Poll.MakeDue(LaneHot)
		s.Poll.MakeDue(LaneWallet)
	}
	if strayed(op, ev) {
		ev.Status, ev.CardBalance, ev.WalletBalance, ev.Returned = "", nil, nil, nil
	}
	if ev.Returned != nil {
		s.merge(*ev.Returned)
	}
	if c := s.Cards.find(op.Card); c != nil {
		c.fence = s.seq
		if ev.Status != "" {
			c.status = wordOf(ev.Status)
		}
		if ev.CardBalance != nil {
			c.balance, c.read = *ev.CardBalance, stampOf(ev.At)
		}
	}
	s.Ops.walletMoved(op, ev.WalletBalance)
	switch {
	case s.Info.inspector.card == op.Card:
		return s.Info.reinspect()
	case op.Card == "" || op.Kind == OpTerminate && ev.Status != "":
		return nil
	case op.Kind.moves() && ev.CardBalance == nil, !op.Kind.moves() && ev.Status == "", op.Tries > 1:
		// The answer need not tell it (ASSUMED 10), one to a later try is from
		// the time of the first, and the hot page need not hold the card.
		return []Effect{FetchSummary{Seq: s.nextSeq(), Card: op.Card}}
	}
	return nil
}

// strayed tells whether an answer is about another card.
func strayed(op *Op, ev OpDone) bool { return ev.Card != "" && op.Card != "" && ev.Card != op.Card }

// merge takes a whole card that an operation gave back.
func (s *Store) merge(card api.Card) {
	c, _ := s.Cards.upsert(api.CardItem{
		ID: card.ID, BIN: card.BIN, Network: card.Network, Last4: card.Last4, Status: card.Status,
		Balance: card.Balance, Label: card.Label, CreatedAt: card.CreatedAt,
	}, s.nextSeq())
	if c != nil {
		c.fence, c.read = s.seq, stampOf(s.now)
	}
	s.Cards.total = max(s.Cards.total, s.Cards.Len())
	s.Info.settings.keep(card, s.seq)
	s.Limits.learnLimit(card.ID, card.SpendingLimit, s.now)
	delete(s.Info.summaries, card.ID) // It may show what was before.
}

func (s *Store) opFailed(ev OpFailed) (Topic, []Effect) {
	op, ok := s.Ops.take(ev.Op)
	if !ok {
		return 0, nil
	}
	if b, row, ok := s.Bulk.rowOf(op); ok {
		return TopicOps | TopicCards | TopicNotice, s.rowFailed(b, row, op, ev)
	}
	var effects []Effect
	switch {
	case settles(op, ev):
		s.Ops.drop(ev.Op)
		s.Ops.refused(op, ev.Err)
		if refusesRequest(ev.Err) {
			// What it rested on is not as it was known here.
			effects = s.Info.refresh(op.Card)
		}
		s.Ops.tellRefused(op, ev)
		return TopicOps | TopicCards | TopicNotice, effects
	case s.askedEnough(op, ev.Err):
		effects = s.giveUp(op)
	default:
		op.Phase = Unknown
		op.isUnknownAt(s.seq)
		op.retryIn(s.Poll.Backoff(op.Tries, resendCap), s.now)
		s.Notices.tellResult(Warn, s.Ops.unknownText(op, ev.Err))
	}
	s.Notices.notice.Text = sentence(s.Notices.notice.Text, onDisk(ev))
	return TopicOps | TopicCards | TopicNotice, effects
}

// onDisk tells what this machine could not write down of a failure.
func onDisk(ev OpFailed) string { return sentence(unrecorded(ev.Note), unwritten(ev.Lost)) }

// tellRefused tells that an operation did not act, and of one that was in doubt
// until somebody has read it.
func (ops *OpsTable) tellRefused(op *Op, ev OpFailed) {
	text := sentence(ops.refusedText(op, ev.Err), onDisk(ev))
	if op.inDoubt() {
		ops.tellLasting(op, Bad, text+"; it was unconfirmed, "+ops.begunAt(op))
		return
	}
	ops.notices.tellResult(Bad, text)
}

// settles tells whether a failure means for certain that nothing was done.
func settles(op *Op, ev OpFailed) bool {
	if ev.NotSent {
		return op.Tries == 1
	}
	return op.Outcome(ev.Err) == api.Refused
}

// askedEnough tells that sending an operation once more would tell nothing:
// what there is has to be read.
func (s *Store) askedEnough(op *Op, err error) bool {
	return op.Tries >= resendTries || tooOld(op, s.now) || op.Tries > 1 && op.Kind.removes() && refusesRequest(err)
}

// refusesRequest tells whether the API refused the request itself: asked
// again, it would be refused again.
func refusesRequest(err error) bool {
	return errors.Is(err, api.ErrInvalid) || errors.Is(err, api.ErrInsufficientFunds) || errors.Is(err, api.ErrNotFound)
}

// opDeferred takes back a try that the budget did not allow: nothing was
// sent.
func (s *Store) opDeferred(id OpID, wait time.Duration) Topic {
	op, ok := s.Ops.take(id)
	if !ok {
		return 0
	}
	if b, row, ok := s.Bulk.rowOf(op); ok && op.Tries == 1 {
		s.Ops.drop(id)
		s.Bulk.rowDeferred(b, row, wait)
		return TopicOps | TopicCards
	}
	if op.Tries == 1 {
		s.Ops.drop(id)
		why := "the request limit is used up, try again in " + seconds(wait)
		s.Ops.refuse(op, why, "")
		s.Notices.tellResult(Bad, fmt.Sprintf("%s of %s not sent: %s", op.Kind, s.Cards.opName(op), why))
		return TopicOps | TopicCards | TopicNotice
	}
	op.Tries--
	op.retryIn(wait, s.now)
	return TopicOps
}

// giveUp leaves an operation to a person and asks for what tells whether it
// acted. Nothing asked for before can tell.
func (s *Store) giveUp(op *Op) []Effect {
	op.Phase, op.retryAt = Unsettled, time.Time{}
	op.isUnknownAt(s.seq)
	op.lookedAt, s.Ops.lookDue = s.now, s.now.Add(lateEvery)
	s.Bulk.rowUnsettled(op)
	if c := s.Cards.find(op.Card); c != nil {
		c.fence = s.seq
	}
	s.Notices.tellResult(Bad, s.Ops.unsettledText(op))
	return s.Webhooks.look(op)
}

// judge settles a freeze or unfreeze nobody answered by the status read
// since. Money is not judged: balances move for other reasons too.
func (s *Store) judge(c Card) (Topic, []Effect) {
	op, ok := s.Ops.pending(c.ID, (*Op).setsStatus)
	if !ok || op.Phase != Unsettled || !judgeable(op, c) {
		return 0, nil
	}
	s.Ops.drop(op.ID)
	s.Bulk.rowJudged(&op, (c.Status == api.CardActive) == (op.Kind == OpUnfreeze), "read again: the card is "+string(c.Status))
	level := Good
	if judged(op, c) == FateJudgedNotDone {
		level = Warn
	}
	s.Ops.tellLasting(&op, level, s.Cards.name(c.ID)+" is "+string(c.Status)+", read again: the "+op.Kind.String()+", "+s.begunAt(&op)+", went unanswered")
	return TopicOps | TopicNotice, []Effect{Forget{Op: op, Fate: judged(op, c)}}
}

// judged tells which way the status read since decides.
func judged(op Op, c Card) Fate {
	want := CardActive
	switch op.Kind {
	case OpFreeze:
		want = CardFrozen
	case OpTerminate:
		want = CardTerminated
	default:
	}
	if c.Status == want {
		return FateJudgedDone
	}
	return FateJudgedNotDone
}

// judgeable tells whether what was read of a card says that an operation acted
// or did not.
func judgeable(op Op, c Card) bool {
	switch op.Kind {
	case OpFreeze, OpUnfreeze:
		return true
	case OpTerminate:
		return c.Status == api.CardTerminated
	default:
		return false
	}
}

func (ops *OpsTable) forgotten(ev OpForgotten) Topic {
	switch {
	case ev.Err != nil:
		ops.notices.tell(Warn, "the unconfirmed operation will be shown again after a restart: "+ev.Err.Error())
	case ev.Lost != "":
		ops.notices.tell(Warn, unwritten(ev.Lost))
	default:
		return 0
	}
	return TopicNotice
}

// adopted takes up what another dashboard left, and says so.
func (s *Store) adopted(ev OperationsAdopted) Topic {
	var topics Topic
	if ev.Err == nil {
		s.Poll.around.moved, s.Poll.around.at, s.Poll.around.failed = ev.Moved, ev.Sent, false
	} else if !s.Poll.around.failed {
		s.Poll.around.failed = true
		s.Notices.tell(Warn, "what other dashboards left cannot be seen: "+ev.Err.Error())
		topics |= TopicNotice
	}
	if len(ev.Ops) == 0 {
		return topics
	}
	s.Resume(ev.Ops, s.now)
	s.Notices.tell(Warn, fmt.Sprintf("another dashboard ended and left %s without an answer: taken up here", plural(len(ev.Ops), "operation", "operations")))
	return topics | TopicOps | TopicCards | TopicNotice
}

// walletMoved takes the balance that an answer told. Answers come in any order
// and a later try is answered as the first was: one that had another move
// beside it says at most that the wallet does not hold more. Then it is read.
func (ops *OpsTable) walletMoved(op *Op, told *api.USD) {
	if !op.Kind.MovesWallet() {
		return
	}
	alone := op.ID > ops.wallet.wallet.moved
	shrinks := op.Kind.Takes() && op.ID > ops.wallet.wallet.gave
	for _, o := range ops.ops {
		alone = alone && !o.Kind.MovesWallet()
		shrinks = shrinks && (o.Kind.Takes() || !o.Kind.MovesWallet())
	}
	ops.wallet.wallet.moved = ops.lastOp
	if !op.Kind.Takes() {
		ops.wallet.wallet.gave = ops.lastOp
	}
	fresh := told != nil && op.Tries == 1
	if fresh && (alone || shrinks && *told < ops.wallet.wallet.Balance) {
		ops.wallet.wallet.fence = ops.seq
		ops.wallet.wallet.Balance, ops.wallet.wallet.readAt = *told, ops.now
		if alone {
			ops.wallet.wallet.behind = 0
		}
	}
	if !fresh || !alone {
		ops.poll.MakeDueAfter(LaneWallet, walletPause)
	}
}

// judgeDeletions settles deletions that nobody answered by a list asked for
// since: what is not in it is gone. What still is may yet go.
func (s *Store) judgeDeletions(seq Seq) (topics Topic, effects []Effect) {
	for _, op := range slices.Clone(s.Ops.ops) {
		id := op.Webhook()
		if _, there := s.Webhooks.Get(id); id == "" || there || op.Phase != Unsettled || seq <= op.fence {
			continue
		}
		s.Ops.drop(op.ID)
		s.Ops.tellLasting(op, Good, s.Cards.opName(op)+" is gone, read again: its deletion, "+s.begunAt(op)+", went unanswered")
		topics |= TopicOps | TopicNotice
		effects = append(effects, Forget{Op: *op, Fate: FateJudgedDone})
	}
	return topics, effects
}

// subscribed takes a registered endpoint in, and hands its secret to the
// vault.
func (s *Store) subscribed(ev OpDone) []Effect {
	s.Webhooks.webhooks.fence = s.seq
	if ev.Webhook == nil {
		return s.Webhooks.load()
	}
	row := webhookOf(*ev.Webhook)
	s.Webhooks.webhooks.rows = slices.DeleteFunc(s.Webhooks.webhooks.rows, func(w Webhook) bool { return w.ID == row.ID })
	s.Webhooks.webhooks.rows = slices.Insert(s.Webhooks.webhooks.rows, 0, row)
	out := s.Webhooks.load()
	if ev.Webhook.Secret.IsZero() {
		return out
	}
	s.Webhooks.signing = Signing{Webhook: row.ID, URL: row.URL, Until: s.now.Add(signingLife)}
	if s.Privacy.locked {
		ev.Webhook.Secret.Wipe()
		return append(out, s.lockSigning()...)
	}
	return append(out, HoldSigning{Webhook: row.ID, Secret: ev.Webhook.Secret})
}
