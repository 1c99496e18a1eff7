package state

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// runBatches sends what batches may send now.
func (s *Store) runBatches() []kernel.Effect {
	var out []kernel.Effect
	for _, b := range s.Bulk.bulk.list {
		for more := true; more; {
			var effects []kernel.Effect
			effects, more = s.step(b)
			out = append(out, effects...)
		}
	}
	return out
}

func (s *Store) resumeBatch(id PlanID) (kernel.Topic, []kernel.Effect) {
	if b, ok := s.Bulk.Get(id); ok {
		b.run(s.Time)
	}
	return kernel.TopicOps | kernel.TopicCards, s.runBatches()
}

func (s *Store) stopBatch(id PlanID) (kernel.Topic, []kernel.Effect) {
	if b, ok := s.Bulk.Get(id); ok {
		b.stopped = true
		s.Bulk.halt(b, s.Lang.T("stopped by you"))
	}
	return kernel.TopicOps | kernel.TopicCards | kernel.TopicNotice, s.runBatches()
}

// step sends a batch's next row, unless it has to wait, or ends the batch.
func (s *Store) step(b *Batch) (effects []kernel.Effect, more bool) {
	i, waits := b.waiting()
	switch {
	case b.Phase == BatchSaving || b.Phase == BatchInterrupted || b.Phase == BatchOver:
		return nil, false
	case !waits && s.Bulk.inFlight(b) == 0:
		return s.Bulk.endBatch(b), false
	case !waits || b.Phase != BatchRunning || s.Ops.dry || s.Time.Before(b.Until) || s.Bulk.inFlight(b) >= s.Rules.atOnce(b.Plan):
		return nil, false
	}
	row := b.Plan.Rows[i]
	if since, offline := s.Poll.Offline(); offline && row.Write.WaitsForAPI() {
		s.Bulk.pauseFor(b, 0, s.OfflineSince(since))
		return nil, false
	}
	o := s.blockerOf(&row, b.Plan.ID)
	if o.wait {
		return nil, false
	}
	if b.Plan.readsCards() {
		b.set(i, RowReading, "")
		return []kernel.Effect{FetchSummary{Seq: s.NextSeq(), Card: row.Card, Row: row.Key}}, true
	}
	return sendRow(s, b, i, &row, o, time.Time{}), true
}

// sendRow sends a row, unless something is in its way. balanceAt is when the balance was asked
// for that its amount rests on; zero when it rests on none.
func sendRow(s *Store, b *Batch, i int, row *PlanRow, o blocker, balanceAt time.Time) []kernel.Effect {
	switch {
	case o.stop != "":
		s.Bulk.halt(b, s.Lang.Tf("stopped before %s: %s", row.Name, o.stop))
		return nil
	case o.refuse != "":
		s.Bulk.rowRefused(b, i, o.refuse, false)
		return nil
	}
	d, err := s.Ops.buildRequest(row.Write)
	if err != nil {
		s.Bulk.rowRefused(b, i, errtext.Explain(s.Lang, err), false)
		return nil
	}
	d.balanceAt = balanceAt
	b.asked[i] = row.Amount
	b.set(i, RowSending, "")
	return s.Ops.beginAs(d, row.Key, b.Plan.ID, b.Plan.Rule)
}

// rowRead sends a row whose card was read: of a level, as much as the card still needs.
func rowRead(s *Store, ev SummaryLoaded) []kernel.Effect {
	b, i, ok := s.Bulk.reading(ev.Row)
	if !ok {
		return nil
	}
	row := b.Plan.Rows[i]
	c := s.Cards.find(ev.Card)
	b.troubles = 0
	o := blocker{wait: b.Phase != BatchRunning || s.Ops.dry || c != nil && c.Fence >= ev.Seq} // A write has a newer balance.
	skip := ""
	switch {
	case c != nil && s.Rules.missed(b.Plan.Rule, c):
		skip = s.Lang.T("does not match the rule any more")
	case b.Plan.isLevel():
		skip = s.Bulk.cut(b.Plan, &row, ev.Summary.Balance)
	}
	if skip != "" && !o.wait {
		b.set(i, RowSkipped, skip)
		b.Rows[i].Holds = ev.Summary.Balance
		return nil
	}
	if !o.wait {
		o = s.blockerOf(&row, b.Plan.ID)
	}
	if o.wait {
		s.Bulk.rowDeferred(b, i, rereadAfter)
		return nil
	}
	return sendRow(s, b, i, &row, o, ev.Sent)
}

// rereadAfter is how long a row waits whose card moved after it was read, up to rereadCap when it
// moves again. After mostRereads somebody has to look: an answer takes at most WriteDeadline.
const (
	rereadAfter = time.Second
	rereadCap   = 4 * time.Second
	mostRereads = 5
)

// reading finds the row whose card is being read.
func (bu *BulkTable) reading(key api.IdempotencyKey) (b *Batch, row int, ok bool) {
	for _, b := range bu.bulk.list {
		if i, ok := b.at[key]; ok && b.Rows[i].State == RowReading {
			return b, i, true
		}
	}
	return nil, 0, false
}

// cut makes a row of a level move no more than its card needs by the balance that was just
// read; skip is why nothing is left to do.
func (bu *BulkTable) cut(p *Plan, row *PlanRow, balance api.USD) (skip string) {
	d := bu.Lang.Dollars
	in := &row.Write
	switch in.Kind {
	case OpFund:
		in.Amount = min(in.Amount, cents(p.level()-balance))
	case OpWithdraw:
		in.Amount = min(in.Amount, cents(balance-p.level()))
	default:
		return ""
	}
	row.Amount = in.Amount
	switch {
	case in.Amount <= 0 && in.Kind == OpFund:
		return bu.Lang.Tf("holds %s already", d(balance))
	case in.Amount <= 0:
		return bu.Lang.Tf("holds only %s", d(balance))
	case in.Kind == OpFund && in.Amount < api.MinFunding:
		return bu.Lang.Tf("lacks less than %s", d(api.MinFunding))
	}
	return ""
}

// rowUnread puts a row back whose card could not be read.
func (bu *BulkTable) rowUnread(f FetchSummary, e kernel.Failure) kernel.Topic {
	b, i, ok := bu.reading(f.Row)
	switch {
	case !ok:
		return 0
	case e.Deferred || b.Phase == BatchStopping:
		bu.rowDeferred(b, i, e.Wait)
	case kernel.RefusesRequest(e.Err):
		bu.rowRefused(b, i, errtext.Explain(bu.Lang, e.Err), false)
	default:
		why := errtext.Explain(bu.Lang, e.Err)
		b.set(i, RowWaiting, why)
		bu.pauseFor(b, e.Wait, why)
	}
	return kernel.TopicOps | kernel.TopicNotice
}

// rowBeaten puts a row back that was not sent because its card moved after it was read, or
// leaves it to another program that has a plan for the card.
func (bu *BulkTable) rowBeaten(b *Batch, i int, err error) {
	if errors.Is(err, ErrPlanned) {
		b.set(i, RowSkipped, bu.Lang.T("another cardtop has a plan for this card"))
		return
	}
	if b.rereads[i]++; b.rereads[i] > mostRereads {
		bu.rowRefused(b, i, bu.Lang.T("another cardtop has an operation on this card without an answer"), false)
		return
	}
	bu.rowDeferred(b, i, min(rereadAfter<<(b.rereads[i]-1), rereadCap))
}

// inFlight counts the rows that wait for an answer, those in doubt and those whose card is
// read among them:
// a server that answers nothing is not sent ever more.
func (bu *BulkTable) inFlight(b *Batch) int {
	n := b.tally[RowReading]
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
	if row.Write.Kind.FromWallet() {
		inFlight := s.Bulk.amountInFlight()
		short := s.Wallets.Shortfall(row.Amount + inFlight)
		if short > 0 && inFlight > 0 {
			return blocker{wait: true}
		}
		if short > 0 && s.Wallets.Live() {
			return blocker{stop: s.WalletShort(short)}
		}
	}
	v := s.checkAlone(row.Write)
	d, err := s.Ops.buildRequest(row.Write)
	if v.Reason == "" {
		return blocker{refuse: s.Cards.notAmongMany(d.kind, row.Card, v.Danger)}
	}
	if err == nil && d.kind == OpIssue {
		// Two cards of one plan may be alike. They are issued one after the other,
		// so that an answer that does not come is about one of them.
		if op, busy := s.Ops.pendingIssue(d.write); busy && op.Bulk == id && op.Phase != Unsettled {
			return blocker{wait: true}
		}
	}
	if _, known := s.Cards.Get(row.Card); !known && row.Card != "" {
		v.Reason = s.Lang.T("the card is not in the list any more")
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
func (bu *BulkTable) endBatch(b *Batch) []kernel.Effect {
	if b.Phase == BatchPaused {
		b.Reason = "" // All of it had been sent.
	}
	b.Phase, b.Until = BatchOver, time.Time{}
	bu.poll.MakeDue(poll.Hot)
	bu.poll.MakeDue(poll.Wallet)
	level := kernel.Good
	if b.tally[RowDone]+b.tally[RowSkipped] < len(b.at) {
		level = kernel.Bad
	}
	bu.notices.Say(level, bu.outcomeText(b))
	if b.HasNext() {
		return nil // The plan is all that has the next part.
	}
	return []kernel.Effect{DropPlan{ID: b.Plan.ID}}
}

// outcomeText says what became of a batch that is over.
func (bu *BulkTable) outcomeText(b *Batch) string {
	text := bu.Lang.Tf("bulk %s: %s", b.Plan.Kind.Noun(bu.Lang), b.Outcome(bu.Lang))
	if b.Reason != "" {
		text += "; " + b.Reason
	}
	if n := b.Later(); n > 0 {
		text += bu.Lang.Tf("; %d for the next part: J", n)
	}
	return text
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
		{b.unsent() + b.tally[RowNotSent], lang.N("%d not sent")},
		{b.tally[RowSkipped], lang.N("%d skipped")},
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
	return b.tally[RowDone] + b.tally[RowSkipped] + b.tally[RowRefused] + b.tally[RowUnsettled], len(b.at)
}

// Left counts the rows that wait to be sent, and what they move, USD.
func (b *Batch) Left() (rows int, sum api.USD) {
	for i, r := range b.Rows {
		if r.State == RowWaiting || r.State == RowReading {
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
	case b.Plan.Kind == BulkIssue && (left > createsPerMinute || b.Until.After(bu.Time)):
		return max(createFor(int(left)), b.Until.Sub(bu.Time))
	case b.finished < maxInFlight:
		return 0
	}
	return max(bu.Time.Sub(b.began)*left/time.Duration(b.finished), b.Until.Sub(bu.Time))
}

// Unfinished is how many rows of batches that the user let begin are not sent
// yet. The program does not send them once it has ended.
func (bu *BulkTable) Unfinished() int {
	n := 0
	for _, b := range bu.bulk.list {
		if b.Phase == BatchRunning || b.Phase == BatchSaving || b.Phase == BatchPaused {
			n += b.unsent()
		}
	}
	return n
}

// unsent counts the rows that are still to be sent.
func (b *Batch) unsent() int { return b.tally[RowWaiting] + b.tally[RowReading] }

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
	if _, waits := b.waiting(); !waits || b.Phase != BatchRunning || !b.Until.After(bu.Time) {
		return time.Time{}
	}
	return b.Until
}

// findEvery is how often interrupted plans are read: what a dashboard
// left when it was killed is offered by the one that still runs.
const findEvery = 30 * time.Second

// findPlans finds interrupted plans when it is time.
func (bu *BulkTable) findPlans(now time.Time) {
	if bu.Cfg.FindPlans && poll.Reached(now, bu.bulk.due) {
		bu.bulk.due = now.Add(findEvery)
		bu.Wants = append(bu.Wants, FindPlans{})
	}
}

// plansFound offers plans that were left in the middle. Nothing of them is
// sent until the user says so.
func (bu *BulkTable) plansFound(ev PlansFound) (topics kernel.Topic, effects []kernel.Effect) {
	if ev.Err != nil && !bu.bulk.failed {
		bu.notices.Say(kernel.Warn, bu.Lang.Tf("interrupted plans cannot be read: %s", ev.Err.Error()))
		topics |= kernel.TopicNotice
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
			b = newBatch(bu.Lang, left.Plan, BatchInterrupted)
		}
		bu.applyStatuses(b, left.Statuses)
		if b.tally[RowWaiting] == 0 {
			b.Phase, b.Reason = BatchOver, ""
		}
		if b.Phase == BatchOver && !b.HasNext() || left.Plan.Rule != "" {
			// What was begun is the journal's to settle, and a rule proposes anew.
			effects = append(effects, DropPlan{ID: left.Plan.ID})
			continue
		}
		topics |= kernel.TopicOps
		if !known {
			topics |= bu.offer(b)
		}
	}
	return topics, effects
}

// offer shows a plan that another run left.
func (bu *BulkTable) offer(b *Batch) kernel.Topic {
	bu.addBatch(b)
	bu.linkOps()
	if b.HasNext() {
		return bu.notices.Say(kernel.Warn, bu.outcomeText(b))
	}
	b.Reason = bu.Lang.T("interrupted")
	return bu.notices.Say(kernel.Warn, bu.Lang.Tf("an interrupted bulk %s: %s; R resumes", b.Plan.Kind.Noun(bu.Lang), b.Outcome(bu.Lang)))
}

// applyStatuses merges what the journal knows of rows. A row that was begun is never
// begun anew, whatever is not known of it.
func (bu *BulkTable) applyStatuses(b *Batch, statuses map[api.IdempotencyKey]OpStatus) {
	for key, i := range b.at {
		status, begun := statuses[key]
		switch {
		case !begun || b.Rows[i].State != RowWaiting && b.Rows[i].State != RowUnconfirmed:
		case status == OpStatusDone || status == OpStatusResolvedDone:
			b.set(i, RowDone, bu.Lang.T("before the interruption"))
			b.Moved += b.Plan.Rows[i].Amount
		case status == OpStatusNotSent:
			b.set(i, RowWaiting, "") // A limit or the network held it up: it did not act.
		case status == OpStatusRefused || status == OpStatusWaits || status == OpStatusResolvedNotDone:
			b.set(i, RowRefused, bu.Lang.T("before the interruption"))
			b.Rows[i].Waits = status == OpStatusWaits
		case status == OpStatusDismissed:
			b.set(i, RowUnsettled, bu.Lang.T("dismissed before the interruption"))
		default:
			b.set(i, RowUnconfirmed, bu.Lang.T("begun before the interruption"))
		}
	}
}

// applyBegun merges the results of rows that were begun before a plan continued
// here and whose operations are another dashboard's.
func (bu *BulkTable) applyBegun(b *Batch, statuses map[api.IdempotencyKey]OpStatus) kernel.Topic {
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
	return kernel.TopicOps
}

// linkOps ties operations that an earlier run left to the rows they are.
func (bu *BulkTable) linkOps() {
	for _, op := range bu.ops.all() {
		for _, b := range bu.bulk.list {
			i, ok := b.at[op.Key]
			if !ok || op.here != 0 {
				continue
			}
			op.Bulk = b.Plan.ID
			switch {
			case op.Phase == Unsettled:
				b.set(i, RowUnsettled, bu.Lang.T("may have acted: compare balance and transactions"))
			case b.Rows[i].State != RowUnconfirmed: // Else the row says why it is asked for again.
				b.set(i, RowUnconfirmed, bu.Lang.T("begun before the interruption"))
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
