package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
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
	return bu.cfg.Guard.MaxBulk
}

// tooMany reports whether a plan would run more rows than the guardrail allows by
// now.
func (bu *BulkTable) tooMany(p *Plan) string {
	rows, most := p.Totals().Cards, bu.atOnce(p.Kind)
	if most > 0 && rows > most {
		return fmt.Sprintf("guardrail: %d cards at once, and guardrails.max_bulk allows %d", rows, most)
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
const dryRun = "dry run: this is what would be done, and nothing is sent"

// checkPlan reports whether a plan can still be carried out as it was shown.
func (bu *BulkTable) checkPlan(p *Plan) Verdict {
	if p == nil {
		return Verdict{Reason: "there is no plan"}
	}
	v := Verdict{Danger: p.Kind.Danger()}
	_, begun := bu.Get(p.ID)
	switch {
	case bu.cfg.ReadOnly:
		v.Reason, v.Remedy = errtext.ReadOnly, "start without --read-only, with a key that may write"
	case bu.ops.DryRun():
		v.Reason, v.Remedy = dryRun, "D ends the dry run"
	case p.Blocked != "":
		v.Reason, v.Remedy = p.Blocked, p.Remedy
	case begun:
		v.Reason, v.Remedy = "this plan is carried out already", "J shows how far it is"
	case bu.replanned(p):
		v.Reason, v.Remedy = "these rows are planned again already", "J shows how far they are"
	case p.fromWallet() && bu.wallet.lacks(p.needs()) > 0:
		v.Shortfall = bu.wallet.lacks(p.needs())
		v.Reason, v.Remedy = walletShort(v.Shortfall), lessOrMore
	default:
		v.Reason, v.Remedy = bu.tooMany(p), fewerCards
	}
	if v.Reason == "" && p.fromWallet() {
		v.Reason, v.Remedy = bu.guardedSum(p), lessMoney
	}
	if v.Reason == "" {
		v.Remedy = ""
	}
	return v
}

// checkBatch reports whether a batch is in one of some phases.
func (bu *BulkTable) checkBatch(id PlanID, phases ...BatchPhase) Verdict {
	b, ok := bu.Get(id)
	if !ok || !slices.Contains(phases, b.Phase) {
		return Verdict{Reason: "that plan is not under way"}
	}
	return Verdict{}
}

// checkResume reports whether a batch can go on. What its rows are about has to
// be known: cards that are not read yet are like cards that are gone.
func (bu *BulkTable) checkResume(id PlanID) Verdict {
	v := bu.checkBatch(id, BatchPaused, BatchInterrupted)
	if b, ok := bu.Get(id); ok && b.Phase == BatchInterrupted {
		v.Danger = b.Plan.Kind.Danger()
	}
	switch _, complete := bu.cards.Total(); {
	case v.Reason != "":
	case bu.cfg.ReadOnly:
		v.Reason = errtext.ReadOnly
	case bu.ops.DryRun():
		v.Reason = dryRun
	case !complete || !bu.wallet.live():
		v.Reason = "cards and wallet are not read yet: in a moment"
	}
	return v
}

// newBatch makes a batch of a plan, with every row that runs waiting.
func newBatch(p *Plan, phase BatchPhase) *Batch {
	b := &Batch{Plan: p, Phase: phase, Rows: make([]RowResult, len(p.Rows)), at: make(map[api.IdempotencyKey]int)}
	b.tally[RowOut] = len(p.Rows)
	for i := range p.Rows {
		r := &p.Rows[i]
		switch {
		case r.Later:
			b.set(i, RowLater, "for the next part")
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
func (bu *BulkTable) runPlan(p *Plan) []Effect {
	bu.markReplanned(p)
	bu.addBatch(newBatch(p, BatchSaving))
	return []Effect{SavePlan{Plan: p}}
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
			r.Text, r.Again = "in the next part", true
		case r.undone():
			r.Text, r.Again = sentence("planned again", r.Text), true
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
		if old.Phase != BatchOver || over < batchesKept {
			return false
		}
		over--
		return true
	})
	bu.bulk.list = append(bu.bulk.list, b)
}

// planSaved lets the rows begin, or says why they do not.
func (bu *BulkTable) planSaved(ev PlanSaved) Topic {
	b, ok := bu.Get(ev.ID)
	if !ok || b.Phase != BatchSaving {
		return 0
	}
	if ev.Err != nil {
		bu.halt(b, "nothing was sent: "+ev.Err.Error())
		return TopicOps | TopicNotice
	}
	b.run(bu.now)
	return TopicOps
}

// run starts the rows, or starts them again.
func (b *Batch) run(now time.Time) {
	b.Phase, b.Reason, b.Until, b.troubles = BatchRunning, "", time.Time{}, 0
	b.began, b.finished = now, 0
}

func (bu *BulkTable) planDropped(ev PlanDropped) Topic {
	if ev.Err == nil {
		return 0
	}
	bu.notices.say(Warn, "a plan that is over may be shown again after a restart: "+ev.Err.Error())
	return TopicNotice
}

func (bu *BulkTable) pauseBatch(id PlanID) Topic {
	if b, ok := bu.Get(id); ok {
		b.Phase, b.Reason = BatchPaused, "paused by you"
	}
	return TopicOps
}

// halt ends a batch: the rows that wait are not sent.
func (bu *BulkTable) halt(b *Batch, reason string) {
	if b.Phase == BatchStopping || b.Phase == BatchOver {
		return
	}
	b.Phase, b.Reason = BatchStopping, reason
	for i := b.next; i < len(b.Rows); i++ {
		if b.Rows[i].State == RowWaiting {
			b.set(i, RowNotSent, "not sent")
		}
	}
}

// PlanNext makes the plan of the next part of a batch, by what is known now.
func (s *Store) PlanNext(id PlanID) *Plan {
	b, ok := s.Bulk.Get(id)
	if !ok {
		return goneBatch()
	}
	return s.planOf(b, RowResult.later, "nothing is left for later")
}

// rowsOf returns the rows that an intent begins, and their sum, USD; many is
// false for an intent that begins none.
func (bu *BulkTable) rowsOf(in Intent) (rows []Intent, sum api.USD, many bool) {
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
			rows = append(rows, r.Intent)
			sum += r.Amount
		}
	}
	return rows, sum, true
}

// confirmManyTwice is why rows are confirmed a second time, and whether their sum
// is typed a second time.
func (ca *CardsTable) confirmManyTwice(rows []Intent, sum api.USD) (why string, typeTwice bool) {
	n := 0
	for _, in := range rows {
		if ca.confirmsLabel(labelOf(in, ca.label)) {
			n++
		}
	}
	if n > 0 {
		why = fmt.Sprintf("the guardrails confirm the labels of %s twice", errtext.Plural(n, "card", "cards"))
	}
	g := ca.cfg.Guard
	if g.Live && sum >= g.TypeTwice && len(rows) > 0 {
		if _, moves := AmountOf(rows[0]); moves {
			typeTwice = true
			why = sentence(why, "LIVE: amounts from $"+g.TypeTwice.Grouped()+" on are typed twice")
		}
	}
	return why, typeTwice
}
