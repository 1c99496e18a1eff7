package state

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// LeftPlan is a plan that another run left in the middle, and what became of
// its rows. A row whose key has no fate was never begun.
type LeftPlan struct {
	Plan *Plan
	// Begun tells when its rows last began, by its own notes, this machine's
	// clock; zero when a note does not tell.
	Begun map[api.IdempotencyKey]time.Time
	Fates map[api.IdempotencyKey]Fate
}

// findEvery is how often interrupted plans are looked for: what a dashboard
// left when it was killed is offered by the one that still runs.
const findEvery = 30 * time.Second

// findPlans looks for interrupted plans when it is time.
func (bu *BulkTable) findPlans(now time.Time) {
	if bu.cfg.FindPlans && poll.Reached(now, bu.bulk.due) {
		bu.bulk.due = now.Add(findEvery)
		bu.wants = append(bu.wants, FindPlans{})
	}
}

// plansFound offers plans that were left in the middle. Nothing of them is
// sent until a person says so.
func (bu *BulkTable) plansFound(ev PlansFound) (topics Topic, effects []Effect) {
	if ev.Err != nil && !bu.bulk.failed {
		bu.notices.tell(Warn, "interrupted plans cannot be looked for: "+ev.Err.Error())
		topics |= TopicNotice
	}
	bu.bulk.failed = ev.Err != nil
	for _, left := range ev.Left {
		b, known := bu.Get(left.Plan.ID)
		if known && b.Phase != BatchInterrupted {
			// It goes on here, and what was begun before is still settled elsewhere.
			topics |= bu.learnBegun(b, left.Fates)
			continue
		}
		if !known {
			b = newBatch(left.Plan, BatchInterrupted)
		}
		bu.learn(b, left.Fates)
		if b.tally[RowWaiting] == 0 {
			// What was begun is the journal's to settle.
			effects = append(effects, DropPlan{ID: left.Plan.ID})
			if known {
				b.Phase = BatchOver
			}
			continue
		}
		topics |= TopicOps
		if !known {
			b.Reason = "interrupted"
			bu.addBatch(b)
			bu.linkOps()
			bu.notices.tell(Warn, "an interrupted bulk "+b.Plan.Kind.String()+": "+b.Outcome()+"; R resumes")
			topics |= TopicNotice
		}
	}
	return topics, effects
}

// learn takes what the journal knows of rows. A row that was begun is never
// begun anew, whatever is not known of it.
func (bu *BulkTable) learn(b *Batch, fates map[api.IdempotencyKey]Fate) {
	for key, i := range b.at {
		fate, begun := fates[key]
		switch {
		case !begun || b.Rows[i].State != RowWaiting && b.Rows[i].State != RowUnconfirmed:
		case fate == FateDone || fate == FateJudgedDone:
			b.set(i, RowDone, "before the interruption")
			b.Moved += b.Plan.Rows[i].Amount
		case fate == FateRefused || fate == FateNotSent || fate == FateJudgedNotDone:
			b.set(i, RowRefused, "before the interruption")
		case fate == FateDismissed:
			b.set(i, RowUnsettled, "let go of before the interruption")
		default:
			b.set(i, RowUnconfirmed, "begun before the interruption")
		}
	}
}

// learnBegun takes what became of rows that were begun before a plan went on
// here and whose operations are another dashboard's.
func (bu *BulkTable) learnBegun(b *Batch, fates map[api.IdempotencyKey]Fate) Topic {
	before := b.tally[RowUnconfirmed]
	begun := maps.Clone(fates)
	maps.DeleteFunc(begun, func(key api.IdempotencyKey, fate Fate) bool {
		i, ok := b.at[key]
		mine := slices.ContainsFunc(bu.ops.ops, func(op *Op) bool { return op.Key == key })
		return !ok || mine || b.Rows[i].State != RowUnconfirmed || !Settled(fate)
	})
	bu.learn(b, begun)
	if b.tally[RowUnconfirmed] == before {
		return 0
	}
	return TopicOps
}

// linkOps ties operations that an earlier run left to the rows they are.
func (bu *BulkTable) linkOps() {
	for _, op := range bu.ops.ops {
		for _, b := range bu.bulk.list {
			i, ok := b.at[op.Key]
			if !ok || op.Bulk != "" {
				continue
			}
			op.Bulk = b.Plan.ID
			if op.Phase == Unsettled {
				b.set(i, RowUnsettled, "may have acted: compare balance and transactions")
			} else {
				b.set(i, RowUnconfirmed, "begun before the interruption")
			}
		}
	}
}

// Interrupted gives the oldest batch that an earlier run left.
func (bu *BulkTable) Interrupted() (*Batch, bool) {
	for _, b := range bu.bulk.list {
		if b.Phase == BatchInterrupted {
			return b, true
		}
	}
	return nil, false
}
