package state

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/team"
)

func (s *Store) opDone(ev OpDone) (kernel.Topic, []kernel.Effect) {
	op, ok := s.Ops.findOp(ev.Op)
	if !ok {
		if ev.Webhook != nil {
			ev.Webhook.Secret.Wipe() // It is not waited for any more.
		}
		return 0, nil
	}
	ev = ev.Of(op)
	s.Ops.setUndo(op, ev.Moved)
	s.Ops.removeOp(ev.Op)
	effects := s.settle(op, ev)
	if b, row, ok := s.Bulk.rowOf(op); ok {
		s.Bulk.rowDone(b, row, op, ev)
		if op.Age(s.Time) >= WriteDeadline {
			s.Bulk.sayLateRows(b)
		}
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicWallet | kernel.TopicNotice, effects
	}
	level, text := kernel.Good, s.Ops.doneText(op, ev)
	odd := ""
	if wrong := Mismatch(s.Lang, op, ev); wrong != "" {
		odd = s.Lang.Tf("but %s", wrong)
	} else {
		odd = s.Ops.unexpected(op, ev.Returned != nil && op.Kind == OpIssue, ev.CardBalance, ev.WalletBalance)
	}
	for _, more := range []string{odd, unrecorded(s.Core, ev.Note), unwritten(s.Core, ev.Lost)} {
		if more != "" {
			level, text = kernel.Warn, text+"; "+more
		}
	}
	if op.ID == s.Push.op && level == kernel.Good {
		return kernel.TopicOps | kernel.TopicWebhooks | kernel.TopicHealth, effects // The header says so.
	}
	if op.inDoubt() { // The user has waited for this, perhaps since before a restart.
		s.Ops.sayUntilDismissed(op, level, s.Ops.lateText(op, text))
	} else {
		s.Notices.SayResult(level, text)
	}
	return kernel.TopicOps | kernel.TopicCards | kernel.TopicWallet | kernel.TopicNotice | kernel.TopicWebhooks, effects
}

// settle merges what the server answered and raises the fences, so that a
// poll sent before cannot bring back what was.
func (s *Store) settle(op *Op, ev OpDone) []kernel.Effect {
	switch op.Kind {
	case OpSubscribe:
		return s.subscribed(ev)
	case OpUnsubscribe:
		return s.Webhooks.Remove(op.Webhook())
	default:
	}
	if _, _, row := s.Bulk.rowOf(op); !row { // A batch has all read at its end.
		s.Poll.MakeDue(poll.Hot)
		s.Poll.MakeDue(poll.Wallet)
	}
	if ev.Returned != nil {
		s.merge(*ev.Returned)
	}
	if c := s.Cards.find(op.Card); c != nil {
		c.Fence = s.Seq
		if ev.Status != "" {
			c.SetStatus(ev.Status)
		}
		if ev.CardBalance != nil {
			c.Balance, c.Read = *ev.CardBalance, cardlist.StampOf(ev.At)
		}
		if op.Kind == OpWithdraw {
			c.Compared = false // Who took it knows that the card has less: the alert calls nobody.
		}
	}
	s.Ops.walletMoved(op, ev.WalletBalance)
	switch {
	case s.Info.Card() == op.Card:
		return s.Info.reinspect()
	case op.Card == "" || op.Kind == OpTerminate && ev.Status != "":
		return nil
	case op.Kind.moves() && ev.CardBalance == nil, !op.Kind.moves() && ev.Status == "", op.Tries > 1:
		// The answer need not say it (ASSUMED 10), one to a later try is from
		// the time of the first, and the hot page need not hold the card.
		return []kernel.Effect{FetchSummary{Seq: s.NextSeq(), Card: op.Card}}
	}
	return nil
}

// merge merges a card that an operation returned.
func (s *Store) merge(card api.Card) {
	c, _ := s.Cards.upsert(api.CardItem{
		ID: card.ID, BIN: card.BIN, Network: card.Network, Last4: card.Last4, Status: card.Status,
		Balance: card.Balance, Label: card.Label, NoLabel: card.NoLabel, CreatedAt: card.CreatedAt, ExpiresAt: card.ExpiresAt,
	}, s.NextSeq())
	if c != nil {
		c.Fence, c.Read = s.Seq, cardlist.StampOf(s.Time)
	}
	s.Cards.total = max(s.Cards.total, s.Cards.Len())
	s.Info.answers.set(card, s.Seq)
	if card.Metadata != nil { // An answer need not say it.
		s.Insight.Learn(card.ID, card.Metadata)
	}
	s.Limits.setLimit(card.ID, card.SpendingLimit, s.Time)
	delete(s.Info.summaries, card.ID) // It may show what was before.
}

func (s *Store) opFailed(ev OpFailed) (kernel.Topic, []kernel.Effect) {
	op, ok := s.Ops.findOp(ev.Op)
	if !ok {
		return 0, nil
	}
	if done, who, ok := settledOnHub(ev.Err); ok {
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, settledThere(s, op, done, who)
	}
	if b, row, ok := s.Bulk.rowOf(op); ok {
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, s.rowFailed(b, row, op, ev)
	}
	var effects []kernel.Effect
	switch {
	case settles(op, ev):
		s.Ops.removeOp(ev.Op)
		if waitsForLead(ev.Err) {
			return asked(s, op)
		}
		s.Ops.refused(op, ev.Err)
		if kernel.RefusesRequest(ev.Err) || errors.Is(ev.Err, ErrLimitMoved) {
			// What it rested on is not as it was known here.
			effects = s.Info.refresh(op.Card)
		}
		s.Notices.SayResult(kernel.Bad, sentence(s.Ops.refusedText(op, ev.Err), onDisk(s.Core, ev)))
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, effects
	case s.askedEnough(op, ev.Err):
		effects = s.markUnsettled(op, ev.Err)
	default:
		op.Phase = Unknown
		op.isUnknownAt(s.Seq)
		op.retryIn(max(errtext.RetryAfter(ev.Err), s.Poll.Backoff(op.Tries, resendCap)), s.Time)
		s.Notices.SayResult(kernel.Warn, s.Ops.unknownText(op, ev.Err))
	}
	s.Notices.Append(onDisk(s.Core, ev))
	return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, effects
}

// asked ends an operation that waits for a lead on the hub: nothing of it is sent again
// from here.
func asked(s *Store, op *Op) (kernel.Topic, []kernel.Effect) {
	s.Notices.SayResult(kernel.Info, s.Lang.Tf("waits for a lead: %s", waitingText(s.Lang, op.Kind.Noun(s.Lang), op.Amount, s.Cards.opName(op))))
	s.Team.Tell(s.Time, team.Requests)
	return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, readTeam(s)
}

// rowFailed records a failure: the row is refused, in doubt, or, when the
// failure is of the network and not of the row, waits for another try.
func (s *Store) rowFailed(b *Batch, i int, op *Op, ev OpFailed) []kernel.Effect {
	switch {
	case !settles(op, ev) && s.askedEnough(op, ev.Err):
		return s.markUnsettled(op, ev.Err)
	case !settles(op, ev):
		op.Phase = Unknown
		op.isUnknownAt(s.Seq)
		op.retryIn(max(errtext.RetryAfter(ev.Err), s.Poll.Backoff(op.Tries, resendCap)), s.Time)
		b.set(i, RowUnconfirmed, errtext.Explain(s.Lang, ev.Err))
		return nil
	}
	s.Ops.removeOp(op.ID)
	if errors.Is(ev.Err, ErrMoved) || errors.Is(ev.Err, ErrPlanned) {
		s.Bulk.rowBeaten(b, i, ev.Err)
		return nil
	}
	if ev.Note+ev.Lost == "" && inTheWay(ev) && b.Phase != BatchStopping {
		b.set(i, RowWaiting, errtext.Explain(s.Lang, ev.Err))
		s.Bulk.pauseFor(b, errtext.RetryAfter(ev.Err), errtext.Explain(s.Lang, ev.Err))
		return nil
	}
	why := errtext.Explain(s.Lang, ev.Err)
	if waitsForLead(ev.Err) {
		why = s.Lang.T("waits for a lead")
		s.Team.Tell(s.Time, team.Requests)
	}
	s.Bulk.rowRefused(b, i, why, endsAll(b, ev))
	b.Rows[i].Waits = waitsForLead(ev.Err)
	return nil
}

// onDisk says what of a failure could not be written to disk.
func onDisk(c *kernel.Core, ev OpFailed) string {
	return sentence(unrecorded(c, ev.Note), unwritten(c, ev.Lost))
}

// askedEnough reports whether sending an operation once more would answer nothing:
// what there is has to be read. Only a later try that is refused gets here.
func (s *Store) askedEnough(op *Op, err error) bool {
	return op.Tries >= resendTries || tooOld(op, s.Time) || kernel.RefusesRequest(err)
}

// opDeferred subtracts a try that the budget did not allow: nothing was
// sent.
func (s *Store) opDeferred(id OpID, wait time.Duration) kernel.Topic {
	op, ok := s.Ops.findOp(id)
	if !ok {
		return 0
	}
	if b, row, ok := s.Bulk.rowOf(op); ok && op.Tries == 1 {
		s.Ops.removeOp(id)
		s.Bulk.rowDeferred(b, row, wait)
		return kernel.TopicOps | kernel.TopicCards
	}
	if op.Tries == 1 {
		s.Ops.removeOp(id)
		why := s.Lang.Tf("the request limit is used up, try again in %s", s.Lang.Seconds(wait))
		s.Ops.refuse(op, why, "", false)
		s.Notices.SayResult(kernel.Bad, s.Lang.Tf("%s of %s not sent: %s", op.Kind.Noun(s.Lang), s.Cards.opName(op), why))
		return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice
	}
	op.Tries--
	op.retryIn(wait, s.Time)
	return kernel.TopicOps
}

// markUnsettled leaves an operation to the user and reads what shows whether it
// acted. Nothing requested before can say. err is that of its latest try, nil where the
// time is up.
func (s *Store) markUnsettled(op *Op, err error) []kernel.Effect {
	op.Phase, op.retryAt = Unsettled, time.Time{}
	op.isUnknownAt(s.Seq)
	op.readAt, s.Ops.lateDue = s.Time, s.Time.Add(lateEvery)
	s.Bulk.rowUnsettled(op)
	if c := s.Cards.find(op.Card); c != nil {
		c.Fence = s.Seq
	}
	s.Notices.SayResult(kernel.Bad, s.Ops.unsettledText(op, err))
	askOutcomes(s)
	return append(s.Ops.readEvidence(op), readTeam(s)...)
}

// resolveByStatus settles an unanswered freeze or unfreeze by the status read
// since. Money is not resolved: balances move for other reasons too.
func (s *Store) resolveByStatus(r *cardlist.Row) (kernel.Topic, []kernel.Effect) {
	op, ok := s.Ops.pending(r.ID, (*Op).setsStatus)
	if !ok || op.Phase != Unsettled {
		return 0, nil
	}
	c := r.Card()
	if !resolvable(op, c) {
		return 0, nil
	}
	s.Ops.resolved(&op, resolvedByStatus(op, c) == OpStatusResolvedDone)
	s.Bulk.rowResolved(&op, (c.Status == api.CardActive) == (op.Kind == OpUnfreeze), s.Lang.Tf("read again: the card is %s", s.Lang.T(string(c.Status))))
	level := kernel.Good
	if resolvedByStatus(op, c) == OpStatusResolvedNotDone {
		level = kernel.Warn
	}
	s.Ops.sayUntilDismissed(&op, level, s.Lang.Tf("%s is %s, read again: the %s, %s, went unanswered", s.Cards.name(c.ID), s.Lang.T(string(c.Status)), op.Kind.Noun(s.Lang), begunAt(s.Core, &op)))
	return kernel.TopicOps | kernel.TopicNotice, []kernel.Effect{Forget{Op: op, Status: resolvedByStatus(op, c)}}
}

// resolvedByStatus is the outcome that the status read since shows.
func resolvedByStatus(op Op, c cardlist.Card) OpStatus {
	want := api.CardActive
	switch op.Kind {
	case OpFreeze:
		want = api.CardFrozen
	case OpTerminate:
		want = api.CardTerminated
	default:
	}
	if c.Status == want {
		return OpStatusResolvedDone
	}
	return OpStatusResolvedNotDone
}

// resolvable reports whether what was read of a card shows that an operation acted
// or did not.
func resolvable(op Op, c cardlist.Card) bool {
	switch op.Kind {
	case OpFreeze, OpUnfreeze:
		return true
	case OpTerminate:
		return c.Status == api.CardTerminated
	default:
		return false
	}
}

func (ops *OpsTable) forgotten(ev OpForgotten) kernel.Topic {
	switch {
	case ev.Err != nil:
		ops.notices.Say(kernel.Warn, ops.Lang.Tf("the unconfirmed operation will be shown again after a restart: %s", ev.Err.Error()))
	case ev.Lost != "":
		ops.notices.Say(kernel.Warn, unwritten(ops.Core, ev.Lost))
	default:
		return 0
	}
	return kernel.TopicNotice
}

// resolveDeletions settles unanswered deletions by a list asked for
// since: what is not in it is gone. What still is may yet go.
func (s *Store) resolveDeletions(seq poll.Seq) (topics kernel.Topic, effects []kernel.Effect) {
	for _, op := range slices.Clone(s.Ops.ops) {
		id := op.Webhook()
		if _, there := s.Webhooks.Get(id); id == "" || there || s.Webhooks.MayBeUnread(id) || op.Phase != Unsettled || seq <= op.fence {
			continue
		}
		s.Ops.resolved(op, true)
		s.Ops.sayUntilDismissed(op, kernel.Good, s.Lang.Tf("%s is gone, read again: its deletion, %s, went unanswered", s.Cards.opName(op), begunAt(s.Core, op)))
		topics |= kernel.TopicOps | kernel.TopicNotice
		effects = append(effects, Forget{Op: *op, Status: OpStatusResolvedDone})
	}
	return topics, effects
}

// subscribed adds a registered endpoint, and passes its secret to the
// vault.
func (s *Store) subscribed(ev OpDone) []kernel.Effect {
	out := s.Webhooks.Add(ev.Webhook)
	if ev.Webhook == nil {
		return out
	}
	if keep, own := s.Push.registeredPush(ev); own {
		return append(out, keep...)
	}
	if ev.Webhook.Secret.IsZero() {
		return out
	}
	s.Webhooks.HoldSigning(ev.Webhook)
	if s.Privacy.Locked() {
		ev.Webhook.Secret.Wipe()
		return append(out, s.lockSigning()...)
	}
	return append(out, secrets.HoldSigning{Webhook: ev.Webhook.ID, Secret: ev.Webhook.Secret})
}

// Refused finds an operation among those refused lately. One that is neither
// under way nor refused is done, or the user resolved it.
func (ops *OpsTable) Refused(id OpID) (Refusal, bool) {
	for _, r := range ops.refusals {
		if r.Op.ID == id {
			return r, true
		}
	}
	return Refusal{}, false
}

// RefusedLimit reports whether the API refused, after a time on the server's clock, to set the monthly limit of a card to an
// amount or less, from the lower one that it has now.
func (ops *OpsTable) RefusedLimit(id api.CardID, limit api.USD, from time.Time) bool {
	now := ops.info.Settings(id).Limit
	return slices.ContainsFunc(ops.refusals, func(r Refusal) bool {
		if r.Op.Kind != OpUpdate || r.Op.Card != id || r.Op.Write == nil || !r.ByAPI || !ops.Clock.Server(r.Op.At).After(from) {
			return false
		}
		var body struct {
			Limit *api.USD `json:"spending_limit"`
		}
		if json.Unmarshal(r.Op.Write.Body, &body) != nil || body.Limit == nil {
			return false
		}
		before := r.Op.LimitBefore
		raised := before == nil || *body.Limit > *before
		return raised && *body.Limit <= limit && equalUSD(before, now)
	})
}

// refuse holds why an operation was not done.
func (ops *OpsTable) refuse(op *Op, reason, message string, byAPI bool) {
	field := ""
	if op.Write != nil {
		field = fieldNamed(op.Kind, message)
	}
	if field == cardcsv.BIN {
		ops.bins.Expire()
	}
	if len(ops.refusals) == refusalsKept {
		ops.refusals = append(ops.refusals[:0], ops.refusals[1:]...)
	}
	ops.refusals = append(ops.refusals, Refusal{Op: *op, Reason: reason, Field: field, ByAPI: byAPI})
}

// refused holds why the API, or this program, did not do an operation.
func (ops *OpsTable) refused(op *Op, err error) {
	message := ""
	if e := (*api.Error)(nil); errors.As(err, &e) {
		message = string(e.Message)
	}
	if errors.Is(err, api.ErrInsufficientFunds) {
		message = cardcsv.Amount
	}
	limited := errors.Is(err, api.ErrRateLimited)
	ops.refuse(op, errtext.Explain(ops.Lang, err), message, !limited && errors.As(err, new(*api.Error)))
}

// fieldNamed finds the field of a write's body that a message names first.
func fieldNamed(kind OpKind, message string) string {
	fields := []string{cardcsv.Amount}
	switch kind {
	case OpIssue:
		fields = append(fields, cardcsv.BIN, cardcsv.Label, cardcsv.Limit, cardcsv.Categories, cardcsv.AutoFreeze, FieldMetadata)
	case OpUpdate:
		fields = []string{cardcsv.Label, cardcsv.Limit, cardcsv.Categories, cardcsv.AutoFreeze, FieldMetadata}
	case OpSubscribe:
		fields = []string{FieldURL, FieldEvents}
	default:
	}
	named, first := "", len(message)
	for _, f := range fields {
		if at := strings.Index(strings.ToLower(message), f); at >= 0 && at < first {
			named, first = f, at
		}
	}
	return named
}

// sayUntilDismissed shows the result of an operation in doubt, as any result at first,
// and then until it is dismissed. The notice of it from before is not true any
// more.
func (ops *OpsTable) sayUntilDismissed(op *Op, level kernel.Level, text string) {
	ops.notices.SayResult(level, text)
	ops.notices.SayUntilDismissed(string(op.Key), level, text)
	ops.news.Report(news.News{Kind: news.Alert, ID: string(op.Key), Card: op.Card, Type: "late write", Text: text})
}

func (f Do) Failed(s *Store, e kernel.Failure) kernel.Topic { return s.opDeferred(f.Op.ID, e.Wait) }

func (ev OpDone) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.opDone(ev)
	return topics | s.History.record(ev.Record), effects
}

func (ev OpFailed) Apply(s *Store) (kernel.Topic, []kernel.Effect) {
	topics, effects := s.opFailed(ev)
	return topics | s.History.record(ev.Record), effects
}
