package state

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
)

// runBatches sends what batches may send now.
func (s *Store) runBatches() []Effect {
	var out []Effect
	for _, b := range s.Bulk.bulk.list {
		for more := true; more; {
			var effects []Effect
			effects, more = s.step(b)
			out = append(out, effects...)
		}
	}
	return out
}

func (s *Store) resumeBatch(id PlanID) (Topic, []Effect) {
	if b, ok := s.Bulk.Get(id); ok {
		b.run(s.now)
	}
	return TopicOps | TopicCards, s.runBatches()
}

func (s *Store) stopBatch(id PlanID) (Topic, []Effect) {
	if b, ok := s.Bulk.Get(id); ok {
		b.stopped = true
		s.Bulk.halt(b, s.words.T("stopped by you"))
	}
	return TopicOps | TopicCards | TopicNotice, s.runBatches()
}

// step sends a batch's next row, unless it has to wait, or ends the batch.
func (s *Store) step(b *Batch) (effects []Effect, more bool) {
	i, waits := b.waiting()
	switch {
	case b.Phase == BatchSaving || b.Phase == BatchInterrupted || b.Phase == BatchOver:
		return nil, false
	case !waits && s.Bulk.inFlight(b) == 0:
		return s.Bulk.endBatch(b), false
	case !waits || b.Phase != BatchRunning || s.Ops.dry || s.now.Before(b.Until) || s.Bulk.inFlight(b) >= maxInFlight:
		return nil, false
	}
	row := &b.Plan.Rows[i]
	if since, offline := s.Poll.Offline(); offline && waitsForAPI(row.Intent) {
		s.Bulk.pauseFor(b, 0, s.offlineSince(since))
		return nil, false
	}
	switch o := s.blockerOf(row, b.Plan.ID); {
	case o.wait:
		return nil, false
	case o.stop != "":
		s.Bulk.halt(b, s.words.Tf("stopped before %s: %s", row.Name, o.stop))
		return nil, true
	case o.refuse != "":
		s.Bulk.rowRefused(b, i, o.refuse, false)
		return nil, true
	}
	d, err := s.Ops.requestOf(row.Intent)
	if err != nil {
		s.Bulk.rowRefused(b, i, errtext.Explain(s.words, err), false)
		return nil, true
	}
	b.set(i, RowSending, "")
	return s.Ops.beginAs(d, row.Key, b.Plan.ID, b.Plan.Rule), true
}

// inFlight counts the rows that wait for an answer, those in doubt among them:
// a server that answers nothing is not sent ever more.
func (bu *BulkTable) inFlight(b *Batch) int {
	n := 0
	for _, op := range bu.ops.all() {
		if op.Bulk == b.Plan.ID && op.Phase != Unsettled {
			n++
		}
	}
	return n
}

// blocker is what stands between a row and its request: it waits for
// something to pass, everything ends, or the row alone cannot be done.
type blocker struct {
	wait         bool
	stop, refuse string
}

// blockerOf checks a row again before it is sent: much may have changed since
// the plan was made.
func (s *Store) blockerOf(row *PlanRow, id PlanID) blocker {
	switch row.Intent.(type) {
	case FundCard, IssueCard:
		inFlight := s.Bulk.amountInFlight()
		short := row.Amount + inFlight - s.Wallet.wallet.Balance
		if short > 0 && inFlight > 0 {
			return blocker{wait: true}
		}
		if short > 0 && s.Wallet.live() {
			return blocker{stop: s.walletShort(short)}
		}
	default:
	}
	v := s.checkAlone(row.Intent)
	if v.Reason == "" {
		return blocker{}
	}
	if d, err := s.Ops.requestOf(row.Intent); err == nil && d.kind == OpIssue {
		// Two cards of one plan may be alike. They are issued one after the other,
		// so that an answer that does not come is about one of them.
		if op, busy := s.Ops.pendingIssue(d.write); busy && op.Bulk == id && op.Phase != Unsettled {
			return blocker{wait: true}
		}
	}
	if _, known := s.Cards.Get(row.Card); !known && row.Card != "" {
		v.Reason = s.words.T("the card is not in the list any more")
	}
	return blocker{refuse: s.Cards.ofRow(row.Card, v.Reason)}
}

// amountInFlight is what operations under way move out of the wallet, USD. Whether its
// balance reports them already is not known.
func (bu *BulkTable) amountInFlight() api.USD {
	var sum api.USD
	for _, op := range bu.ops.all() {
		if (op.Kind == OpFund || op.Kind == OpIssue) && op.Phase != Unsettled {
			sum += op.Amount
		}
	}
	return sum
}

// endBatch closes a batch whose rows all have an outcome.
func (bu *BulkTable) endBatch(b *Batch) []Effect {
	b.Phase, b.Until = BatchOver, time.Time{}
	bu.poll.MakeDue(LaneHot)
	bu.poll.MakeDue(LaneWallet)
	level := Good
	if b.tally[RowDone] < len(b.at) {
		level = Bad
	}
	text := bu.words.Tf("bulk %s: %s", b.Plan.Kind.Noun(bu.words), b.Outcome(bu.words))
	if b.Reason != "" {
		text += "; " + b.Reason
	}
	if n := b.Later(); n > 0 {
		text += bu.words.Tf("; %d for the next part: J", n)
	}
	bu.notices.say(level, text)
	return []Effect{DropPlan{ID: b.Plan.ID}}
}

// Outcome sums up what became of the rows.
func (b *Batch) Outcome(w *lang.Words) string {
	parts := []string{w.Tf("%d of %d done", b.tally[RowDone], len(b.at))}
	for _, p := range []struct {
		n    int
		text string
	}{
		{b.tally[RowRefused], lang.N("%d refused")},
		{b.tally[RowUnconfirmed] + b.tally[RowUnsettled], lang.N("%d unconfirmed")},
		{b.tally[RowWaiting] + b.tally[RowNotSent], lang.N("%d not sent")},
	} {
		if p.n > 0 {
			parts = append(parts, w.Tf(p.text, p.n))
		}
	}
	return strings.Join(parts, ", ")
}

// cardsInPlans are the cards that plans are about which are not over.
func (bu *BulkTable) cardsInPlans() map[api.CardID]bool {
	var in map[api.CardID]bool
	for _, b := range bu.bulk.list {
		if !b.Active() {
			continue
		}
		for i, row := range b.Rows {
			if row.State.open() {
				if in == nil {
					in = make(map[api.CardID]bool)
				}
				in[b.Plan.Rows[i].Card] = true
			}
		}
	}
	return in
}

// Progress counts the rows that were sent and have an outcome, and all.
func (b *Batch) Progress() (settled, total int) {
	return b.tally[RowDone] + b.tally[RowRefused] + b.tally[RowUnsettled], len(b.at)
}

// Left counts the rows that wait to be sent, and what they move, USD.
func (b *Batch) Left() (rows int, sum api.USD) {
	for i, r := range b.Rows {
		if r.State == RowWaiting {
			rows++
			sum += b.Plan.Rows[i].Amount
		}
	}
	return rows, sum
}

// Active reports whether the batch has something left to do.
func (b *Batch) Active() bool { return b.Phase != BatchOver }

// TimeLeft estimates how long a batch still takes; 0 when that is unknown.
func (bu *BulkTable) TimeLeft(b *Batch) time.Duration {
	settled, total := b.Progress()
	left := time.Duration(total - settled)
	switch {
	case b.Phase != BatchRunning || left == 0:
		return 0
	case b.Plan.Kind == BulkIssue && (left > createsPerMinute || b.Until.After(bu.now)):
		return max(createFor(int(left)), b.Until.Sub(bu.now))
	case b.finished < maxInFlight:
		return 0
	}
	return max(bu.now.Sub(b.began)*left/time.Duration(b.finished), b.Until.Sub(bu.now))
}

// Unfinished is how many rows of batches that the user let begin are not sent
// yet. The program does not send them once it has ended.
func (bu *BulkTable) Unfinished() int {
	n := 0
	for _, b := range bu.bulk.list {
		if b.Phase == BatchRunning || b.Phase == BatchSaving || b.Phase == BatchPaused {
			n += b.tally[RowWaiting]
		}
	}
	return n
}

// Later is how many rows of the user's plans wait for a next part, once the parts before have
// ended. Only this run of the program has them: a plan that is over is not stored, and one
// that is not is offered whole at the next start. A rule plans anew.
func (bu *BulkTable) Later() int {
	n := 0
	for _, b := range bu.bulk.list {
		if b.waits() {
			n += b.Later()
		}
	}
	return n
}

// waits reports whether a next part of a batch is up to the user, who did not stop it.
func (b *Batch) waits() bool { return b.Phase == BatchOver && b.Plan.Rule == "" && !b.stopped }

// Running sums up the batches that are not over: the rows that have an outcome,
// all of them, and how many of the batches wait for the user.
func (bu *BulkTable) Running() (settled, total, waiting int) {
	for _, b := range bu.bulk.list {
		if !b.Active() {
			continue
		}
		done, all := b.Progress()
		settled, total = settled+done, total+all
		if b.Phase == BatchPaused || b.Phase == BatchInterrupted {
			waiting++
		}
	}
	return settled, total, waiting
}

// bulkWake is when the next row of a batch may be sent; zero when it does not
// wait for the time.
func (bu *BulkTable) bulkWake(b *Batch) time.Time {
	if _, waits := b.waiting(); !waits || b.Phase != BatchRunning || !b.Until.After(bu.now) {
		return time.Time{}
	}
	return b.Until
}

// findEvery is how often interrupted plans are read: what a dashboard
// left when it was killed is offered by the one that still runs.
const findEvery = 30 * time.Second

// findPlans finds interrupted plans when it is time.
func (bu *BulkTable) findPlans(now time.Time) {
	if bu.cfg.FindPlans && poll.Reached(now, bu.bulk.due) {
		bu.bulk.due = now.Add(findEvery)
		bu.wants = append(bu.wants, FindPlans{})
	}
}

// plansFound offers plans that were left in the middle. Nothing of them is
// sent until the user says so.
func (bu *BulkTable) plansFound(ev PlansFound) (topics Topic, effects []Effect) {
	if ev.Err != nil && !bu.bulk.failed {
		bu.notices.say(Warn, bu.words.Tf("interrupted plans cannot be read: %s", ev.Err.Error()))
		topics |= TopicNotice
	}
	bu.bulk.failed = ev.Err != nil
	for _, left := range ev.Left {
		b, known := bu.Get(left.Plan.ID)
		if known && b.Phase != BatchInterrupted {
			// It goes on here, and what was begun before is still settled elsewhere.
			topics |= bu.applyBegun(b, left.Statuses)
			continue
		}
		if !known {
			b = newBatch(bu.words, left.Plan, BatchInterrupted)
		}
		bu.applyStatuses(b, left.Statuses)
		if b.tally[RowWaiting] == 0 || left.Plan.Rule != "" {
			// What was begun is the journal's to settle, and a rule proposes anew.
			effects = append(effects, DropPlan{ID: left.Plan.ID})
			if known {
				b.Phase = BatchOver
			}
			continue
		}
		topics |= TopicOps
		if !known {
			b.Reason = bu.words.T("interrupted")
			bu.addBatch(b)
			bu.linkOps()
			bu.notices.say(Warn, bu.words.Tf("an interrupted bulk %s: %s; R resumes", b.Plan.Kind.Noun(bu.words), b.Outcome(bu.words)))
			topics |= TopicNotice
		}
	}
	return topics, effects
}

// applyStatuses merges what the journal knows of rows. A row that was begun is never
// begun anew, whatever is not known of it.
func (bu *BulkTable) applyStatuses(b *Batch, statuses map[api.IdempotencyKey]OpStatus) {
	for key, i := range b.at {
		status, begun := statuses[key]
		switch {
		case !begun || b.Rows[i].State != RowWaiting && b.Rows[i].State != RowUnconfirmed:
		case status == OpStatusDone || status == OpStatusResolvedDone:
			b.set(i, RowDone, bu.words.T("before the interruption"))
			b.Moved += b.Plan.Rows[i].Amount
		case status == OpStatusNotSent:
			b.set(i, RowWaiting, "") // A limit or the network held it up: it did not act.
		case status == OpStatusRefused || status == OpStatusWaits || status == OpStatusResolvedNotDone:
			b.set(i, RowRefused, bu.words.T("before the interruption"))
			b.Rows[i].Waits = status == OpStatusWaits
		case status == OpStatusDismissed:
			b.set(i, RowUnsettled, bu.words.T("dismissed before the interruption"))
		default:
			b.set(i, RowUnconfirmed, bu.words.T("begun before the interruption"))
		}
	}
}

// applyBegun merges the results of rows that were begun before a plan continued
// here and whose operations are another dashboard's.
func (bu *BulkTable) applyBegun(b *Batch, statuses map[api.IdempotencyKey]OpStatus) Topic {
	before := b.tally[RowUnconfirmed]
	begun := maps.Clone(statuses)
	maps.DeleteFunc(begun, func(key api.IdempotencyKey, status OpStatus) bool {
		i, ok := b.at[key]
		mine := slices.ContainsFunc(bu.ops.all(), func(op *Op) bool { return op.Key == key })
		return !ok || mine || b.Rows[i].State != RowUnconfirmed || !Settled(status)
	})
	bu.applyStatuses(b, begun)
	if b.tally[RowUnconfirmed] == before {
		return 0
	}
	return TopicOps
}

// linkOps ties operations that an earlier run left to the rows they are.
func (bu *BulkTable) linkOps() {
	for _, op := range bu.ops.all() {
		for _, b := range bu.bulk.list {
			i, ok := b.at[op.Key]
			if !ok || op.Bulk != "" {
				continue
			}
			op.Bulk = b.Plan.ID
			if op.Phase == Unsettled {
				b.set(i, RowUnsettled, bu.words.T("may have acted: compare balance and transactions"))
			} else {
				b.set(i, RowUnconfirmed, bu.words.T("begun before the interruption"))
			}
		}
	}
}

// Interrupted returns the oldest batch that an earlier run left.
func (bu *BulkTable) Interrupted() (*Batch, bool) {
	for _, b := range bu.bulk.list {
		if b.Phase == BatchInterrupted {
			return b, true
		}
	}
	return nil, false
}

// wakes calls at with the times at which the table has something to do.
func (bu *BulkTable) wakes(at func(time.Time)) {
	at(bu.bulk.due)
	for _, b := range bu.bulk.list {
		at(bu.bulkWake(b))
	}
}
