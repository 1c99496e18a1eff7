package state

import (
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

// What is asked for of more cards than the guardrail allows at once is done in
// parts: a plan runs the first of its rows, and the rest is planned and
// confirmed when they are over.

// atOnce is how many rows of a kind run in one part; 0 is all. Freezing is
// never held up: it only makes cards safer.
func (bu *BulkTable) atOnce(k BulkKind) int {
	if k == BulkFreeze {
		return 0
	}
	return bu.Cfg.Guard.MaxBulk
}

// tooMany reports whether a plan would run more rows than the guardrail allows by
// now.
func (bu *BulkTable) tooMany(p *Plan) string {
	rows, most := p.Totals().Cards, bu.atOnce(p.Kind)
	if most > 0 && rows > most {
		return bu.Lang.Tf("guardrail: %d cards at once, and guardrails.max_bulk allows %d", rows, most)
	}
	return ""
}

// part leaves the rows beyond the guardrail for later parts.
func (bu *BulkTable) part(p *Plan) {
	most, n := bu.atOnce(p.Kind), 0
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Later = false; !r.able() {
			continue
		}
		n++
		r.Later = most > 0 && n > most
	}
	if most > 0 && (n > most || p.Part > 0) {
		p.Part = max(1, p.Part)
		p.Parts = p.Part + (max(n, 1)-1)/most
	}
}

// NextPart is how many cards the next part of a batch runs.
func (bu *BulkTable) NextPart(b *Batch) int {
	later := b.Later()
	if most := bu.atOnce(b.Plan.Kind); most > 0 {
		return min(later, most)
	}
	return later
}

// HasNext reports whether a batch is over, and its plan is to go on with the next part.
func (b *Batch) HasNext() bool {
	return b.Phase == BatchOver && b.Reason == "" && b.Plan.Rule == "" && b.Later() > 0
}

// Later counts the rows of a batch that are left for later parts.
func (b *Batch) Later() int {
	n := 0
	for _, r := range b.Rows {
		if r.later() {
			n++
		}
	}
	return n
}

const (
	// maxInFlight is how many rows of a batch are under way at once.
	maxInFlight = 8
	// batchesKept bounds how many batches that are over are remembered.
	batchesKept = 8
)

// All lists the batches of this run, the oldest first. They are the
// store's own: they are read and not changed.
func (bu *BulkTable) All() []*Batch { return bu.bulk.list }

// Get finds a batch by its plan.
func (bu *BulkTable) Get(id PlanID) (*Batch, bool) {
	for _, b := range bu.bulk.list {
		if b.Plan.ID == id {
			return b, true
		}
	}
	return nil, false
}

// dryRun is why a plan that is shown is not carried out.
func dryRun(c *kernel.Core) string {
	return c.Lang.T("dry run: this is what would be done, and nothing is sent")
}

// checkPlan reports whether a plan can still be carried out as it was shown.
func (bu *BulkTable) checkPlan(p *Plan) kernel.Verdict {
	if p == nil {
		return kernel.Verdict{Reason: bu.Lang.T("there is no plan")}
	}
	v := kernel.Verdict{Danger: p.Kind.Danger()}
	_, begun := bu.Get(p.ID)
	switch {
	case bu.Cfg.ReadOnly:
		v.Reason, v.Remedy = errtext.ReadOnly(bu.Lang), bu.Lang.T("start without --read-only, with a key that may write")
	case bu.ops.DryRun():
		v.Reason, v.Remedy = dryRun(bu.Core), bu.Lang.T("D ends the dry run")
	case p.Blocked != "":
		v.Reason, v.Remedy = p.Blocked, p.Remedy
	case begun:
		v.Reason, v.Remedy = bu.Lang.T("this plan is carried out already"), bu.Lang.T("J shows how far it is")
	case bu.replanned(p):
		v.Reason, v.Remedy = bu.Lang.T("these rows are planned again already"), bu.Lang.T("J shows how far they are")
	case p.fromWallet() && bu.wallet.Shortfall(p.needs()) > 0:
		v.Shortfall = bu.wallet.Shortfall(p.needs())
		v.Reason, v.Remedy = bu.WalletShort(v.Shortfall), lessOrMore(bu.Core)
	default:
		v.Reason, v.Remedy = bu.tooMany(p), bu.Lang.T("r refreshes the plan: the rest is for later parts")
	}
	if v.Reason == "" && p.fromWallet() {
		v.Reason, v.Remedy = bu.guardedSum(p), lessMoney(bu.Core)
	}
	if v.Reason == "" {
		v.Remedy = ""
	}
	return v
}

// checkBatch reports whether a batch is in one of some phases.
func (bu *BulkTable) checkBatch(id PlanID, phases ...BatchPhase) kernel.Verdict {
	b, ok := bu.Get(id)
	if !ok || !slices.Contains(phases, b.Phase) {
		return kernel.Verdict{Reason: bu.Lang.T("that plan is not under way")}
	}
	return kernel.Verdict{}
}

// checkResume reports whether a batch can go on. What its rows are about has to
// be known: cards that are not read yet are like cards that are gone.
func (bu *BulkTable) checkResume(id PlanID) kernel.Verdict {
	v := bu.checkBatch(id, BatchPaused, BatchInterrupted)
	if b, ok := bu.Get(id); ok && b.Phase == BatchInterrupted {
		v.Danger = b.Plan.Kind.Danger()
	}
	switch _, complete := bu.cards.Total(); {
	case v.Reason != "":
	case bu.Cfg.ReadOnly:
		v.Reason = errtext.ReadOnly(bu.Lang)
	case bu.ops.DryRun():
		v.Reason = dryRun(bu.Core)
	case !complete || !bu.wallet.Live():
		v.Reason = bu.Lang.T("cards and wallet are not read yet: in a moment")
	}
	return v
}

// newBatch makes a batch of a plan, with every row that runs waiting.
func newBatch(w *lang.Words, p *Plan, phase BatchPhase) *Batch {
	b := &Batch{Plan: p, Phase: phase, Rows: make([]RowResult, len(p.Rows)), at: make(map[api.IdempotencyKey]int), rereads: make(map[int]int), asked: make(map[int]api.USD)}
	b.tally[RowOut] = len(p.Rows)
	for i := range p.Rows {
		r := &p.Rows[i]
		switch {
		case r.Later:
			b.set(i, RowLater, w.T("for the next part"))
			continue
		case !r.Runs():
			b.Rows[i].Text = r.Out + r.Skip
			continue
		}
		b.at[r.Key] = i
		b.set(i, RowWaiting, "")
	}
	return b
}

// runPlan has the plan put on disk; its rows follow when it is there.
func (bu *BulkTable) runPlan(p *Plan) []kernel.Effect {
	effects := []kernel.Effect{SavePlan{Plan: p}}
	if before, ok := bu.Get(p.again); ok && before.HasNext() {
		effects = append(effects, DropPlan{ID: p.again})
	}
	bu.markReplanned(p)
	bu.addBatch(newBatch(bu.Lang, p, BatchSaving))
	return effects
}

// markReplanned marks the rows that a new plan has from an old batch.
func (bu *BulkTable) markReplanned(p *Plan) {
	b, ok := bu.Get(p.again)
	if !ok {
		return
	}
	for i, from := range p.rows {
		r := &b.Rows[from]
		switch {
		case !p.Rows[i].able():
		case r.later():
			r.Text, r.Again = bu.Lang.T("in the next part"), true
		case r.undone():
			r.Text, r.Again = sentence(bu.Lang.T("planned again"), r.Text), true
		}
	}
}

// replanned reports whether rows of a plan have been planned again by another
// since it was made.
func (bu *BulkTable) replanned(p *Plan) bool {
	b, ok := bu.Get(p.again)
	return ok && slices.ContainsFunc(p.rows, func(from int) bool { return !b.Rows[from].free() })
}

func (bu *BulkTable) addBatch(b *Batch) {
	over := 0
	for _, old := range bu.bulk.list {
		if old.Phase == BatchOver {
			over++
		}
	}
	bu.bulk.list = slices.DeleteFunc(bu.bulk.list, func(old *Batch) bool {
		if old.Phase != BatchOver || over < batchesKept || old.waits() && old.Later() > 0 {
			return false
		}
		over--
		return true
	})
	bu.bulk.list = append(bu.bulk.list, b)
}

// planSaved lets the rows begin, or says why they do not.
func (bu *BulkTable) planSaved(ev PlanSaved) kernel.Topic {
	b, ok := bu.Get(ev.ID)
	if !ok || b.Phase != BatchSaving {
		return 0
	}
	if ev.Err != nil {
		bu.halt(b, bu.Lang.Tf("nothing was sent: %s", ev.Err.Error()))
		return kernel.TopicOps | kernel.TopicNotice
	}
	b.run(bu.Time)
	return kernel.TopicOps
}

// run starts the rows, or starts them again.
func (b *Batch) run(now time.Time) {
	b.Phase, b.Reason, b.Until, b.troubles = BatchRunning, "", time.Time{}, 0
	b.began, b.finished = now, 0
}

func (bu *BulkTable) planDropped(ev PlanDropped) kernel.Topic {
	if ev.Err == nil {
		return 0
	}
	bu.notices.Say(kernel.Warn, bu.Lang.Tf("a plan that is over may be shown again after a restart: %s", ev.Err.Error()))
	return kernel.TopicNotice
}

func (bu *BulkTable) pauseBatch(id PlanID) kernel.Topic {
	if b, ok := bu.Get(id); ok {
		b.Phase, b.Reason = BatchPaused, bu.Lang.T("paused by you")
	}
	return kernel.TopicOps
}

// halt ends a batch: the rows that wait are not sent.
func (bu *BulkTable) halt(b *Batch, reason string) {
	if b.Phase == BatchStopping || b.Phase == BatchOver {
		return
	}
	b.Phase, b.Reason = BatchStopping, reason
	for i := range b.Rows {
		if b.Rows[i].State == RowWaiting || b.Rows[i].State == RowReading {
			b.set(i, RowNotSent, bu.Lang.T("not sent"))
		}
	}
}

// PlanNext makes the plan of the next part of a batch, by what is known now.
func (s *Store) PlanNext(id PlanID) *Plan {
	b, ok := s.Bulk.Get(id)
	if !ok {
		return goneBatch(s.Lang)
	}
	return s.planOf(b, RowResult.later, s.Lang.T("nothing is left for later"))
}

// rowsOf returns the rows that an intent begins, and their sum, USD; many is
// false for an intent that begins none.
func (bu *BulkTable) rowsOf(in kernel.Intent) (rows []Write, sum api.USD, many bool) {
	var p *Plan
	waits := func(int) bool { return true }
	switch in := in.(type) {
	case RunPlan:
		p = in.Plan
	case ResumeBatch:
		if b, ok := bu.Get(in.ID); ok {
			p = b.Plan
			waits = func(i int) bool { return b.Rows[i].State == RowWaiting }
		}
	default:
	}
	if p == nil {
		return nil, 0, false
	}
	for i := range p.Rows {
		if r := &p.Rows[i]; r.Runs() && waits(i) {
			rows = append(rows, r.Write)
			sum += r.Amount
		}
	}
	return rows, sum, true
}

// confirmManyTwice is why rows are confirmed a second time, and whether their sum
// is typed a second time.
func (ca *CardsTable) confirmManyTwice(rows []Write, sum api.USD) (why string, typeTwice bool) {
	n := 0
	for _, in := range rows {
		if ca.ConfirmsLabel(in.LabelIn(ca.label)) {
			n++
		}
	}
	if n > 0 {
		why = ca.Lang.Tn(n, "the guardrails confirm the labels of %d card twice", "the guardrails confirm the labels of %d cards twice")
	}
	g := ca.Cfg.Guard
	if g.Live && sum >= g.TypeTwice && len(rows) > 0 {
		if _, moves := AmountOf(rows[0]); moves {
			typeTwice = true
			why = sentence(why, ca.Lang.Tf("LIVE: amounts from %s on are typed twice", ca.Lang.Dollars(g.TypeTwice)))
		}
	}
	return why, typeTwice
}

// rowOf finds the row an operation carries out.
func (bu *BulkTable) rowOf(op *Op) (b *Batch, row int, ok bool) {
	if op.Bulk == "" {
		return nil, 0, false
	}
	if b, ok = bu.Get(op.Bulk); !ok {
		return nil, 0, false
	}
	row, ok = b.at[op.Key]
	return b, row, ok
}

// rowDone records a confirmation.
func (bu *BulkTable) rowDone(b *Batch, i int, op *Op, ev OpDone) {
	b.troubles = 0
	if b.Plan.Rule == "" { // What a rule does leaves the user's own undo as it is.
		bu.ops.refuseUndo(bu.Lang.T("a bulk change cannot be undone at once: select the cards and do the opposite"))
	}
	b.set(i, RowDone, bu.rowText(op, ev))
	if op.Kind == OpIssue && ev.Returned != nil {
		b.Rows[i].Issued = ev.Returned.ID
	}
	if op.Kind.moves() || op.Kind == OpTerminate || op.Kind == OpIssue {
		b.Rows[i].Moved = ev.counted(op)
		b.Moved += b.Rows[i].Moved
	}
	disk := sentence(unrecorded(bu.Core, ev.Note), unwritten(bu.Core, ev.Lost))
	odd := sentence(Mismatch(bu.Lang, op, ev), disk)
	if odd == "" {
		return
	}
	b.Rows[i].Text, b.Rows[i].Odd = odd, true
	// A disk that cannot record this row cannot record the next.
	bu.haltAt(b, i, odd, disk != "")
}

// rowText is the server's answer in a few words.
func (bu *BulkTable) rowText(op *Op, ev OpDone) string {
	switch {
	case strayed(op, ev):
		return ""
	case op.Kind == OpFreeze || op.Kind == OpUnfreeze:
		return string(ev.Status)
	case op.Kind == OpTerminate && ev.Moved != nil:
		return bu.Lang.Tf("%s went back", bu.Lang.Dollars(*ev.Moved))
	case op.Kind == OpIssue && ev.Returned != nil:
		return bu.Lang.Tf("••%s with %s", string(ev.Returned.Last4), bu.Lang.Dollars(ev.Returned.Balance))
	case op.Kind.moves() && ev.CardBalance != nil:
		return bu.Lang.Tf("holds %s", bu.Lang.Dollars(*ev.CardBalance))
	}
	return ""
}

// rowRefused records a row that was refused for certain.
func (bu *BulkTable) rowRefused(b *Batch, i int, reason string, all bool) {
	b.set(i, RowRefused, reason)
	bu.haltAt(b, i, reason, all)
}

// haltAt ends a batch at a row, if the plan says so or all rows have to. One
// that waits for the user goes on waiting: they see the row before it goes on.
func (bu *BulkTable) haltAt(b *Batch, i int, reason string, all bool) {
	if b.Phase != BatchInterrupted && (all || b.Plan.StopOnError) {
		bu.halt(b, bu.Lang.Tf("stopped at %s: %s", b.Plan.Rows[i].Name, reason))
	}
}

// inTheWay reports whether a row failed for a reason that is not its own and will
// pass. It did not act.
func inTheWay(ev OpFailed) bool {
	return !ev.NotSent && (errors.Is(ev.Err, api.ErrRateLimited) || errors.Is(ev.Err, api.ErrUnreachable))
}

// endsAll reports whether a failure awaits every other row as well.
func endsAll(b *Batch, ev OpFailed) bool {
	short := errors.Is(ev.Err, api.ErrInsufficientFunds) && b.Plan.fromWallet()
	return short || ev.NotSent || ev.Note+ev.Lost != "" || errors.Is(ev.Err, api.ErrKeyInvalid) || errors.Is(ev.Err, api.ErrReadOnly)
}

// maxTroubles is after how many network failures in a row a batch asks the
// user.
const maxTroubles = 5

// pauseFor has a batch wait after a network failure, for as long as the server
// said if it did, and says why. Rows that fail together are one failure.
func (bu *BulkTable) pauseFor(b *Batch, wait time.Duration, why string) {
	if !bu.Time.Before(b.Until) {
		b.troubles++
	}
	if wait == 0 {
		wait = max(time.Second, bu.poll.Backoff(b.troubles, resendCap))
	}
	b.Until = kernel.Later(b.Until, bu.Time.Add(wait))
	if b.troubles > maxTroubles && b.Plan.Rule != "" {
		bu.halt(b, why) // Its rule looks again.
		return
	}
	if b.troubles > maxTroubles && b.Phase == BatchRunning {
		b.Phase, b.Reason = BatchPaused, bu.Lang.Tf("paused: %s", why)
		bu.notices.Say(kernel.Bad, bu.Lang.Tf("bulk %s %s", b.Plan.Kind.Noun(bu.Lang), b.Reason))
	}
}

// rowDeferred puts a row back that the request budget did not allow.
func (bu *BulkTable) rowDeferred(b *Batch, i int, wait time.Duration) {
	state, text := RowWaiting, ""
	if b.Phase == BatchStopping {
		state, text = RowNotSent, bu.Lang.T("not sent")
	}
	b.set(i, state, text)
	b.Until = kernel.Later(b.Until, bu.Time.Add(wait))
}

// rowUnsettled records that a row could not be confirmed.
func (bu *BulkTable) rowUnsettled(op *Op) {
	b, i, ok := bu.rowOf(op)
	if !ok {
		return
	}
	b.set(i, RowUnsettled, bu.Lang.T("may have acted: compare balance and transactions"))
	bu.haltAt(b, i, bu.Lang.T("it could not be confirmed"), false)
}

// rowResolved records how a row was resolved that could not be confirmed.
func (bu *BulkTable) rowResolved(op *Op, happened bool, text string) {
	b, i, ok := bu.rowOf(op)
	if !ok {
		return
	}
	b.set(i, RowRefused, text)
	if happened {
		b.set(i, RowDone, text)
		b.Moved += op.Amount
	}
}
