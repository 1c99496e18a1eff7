package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// What acts when nobody thinks of it any more is told by a notice that stays
// until somebody puts it away: a write that was in doubt and turns out to have
// acted, or not.

// WriteDeadline is how long a write waits for its answer at first.
const WriteDeadline = 10 * time.Second

// lastingKept bounds the notices that stay.
const lastingKept = 20

// lasting is a notice that stays, and the operation or the plan it is about.
type lasting struct {
	Notice
	key string
}

// Lasting is the oldest notice that stays until it is put away, and how many
// there are.
func (s *Store) Lasting() (n Notice, all int) {
	if len(s.Notices.lasting) == 0 {
		return Notice{}, 0
	}
	n = s.Notices.lasting[0].Notice
	if s.Privacy.Private() { // It names a card, perhaps as it was called before.
		n.Text = "what came of an unconfirmed write is hidden"
	}
	return n, len(s.Notices.lasting)
}

// PutAwayLasting takes the notice away that Lasting gives.
func (n *NoticesTable) DismissLasting() Topic {
	if len(n.lasting) == 0 {
		return 0
	}
	n.lasting = slices.Delete(n.lasting, 0, 1)
	return TopicNotice
}

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

// keepTelling tells something until it is put away, in place of what was told of
// the same before.
func (n *NoticesTable) keepTelling(key string, level Level, text string) {
	n.forgetLasting(key)
	if len(n.lasting) == lastingKept {
		n.lasting = slices.Delete(n.lasting, 0, 1)
	}
	n.lasting = append(n.lasting, lasting{Notice{Level: level, Text: text, Result: true}, key})
}

// forgetLasting takes away what is told of an operation or a plan.
func (n *NoticesTable) forgetLasting(key string) {
	n.lasting = slices.DeleteFunc(n.lasting, func(l lasting) bool { return l.key == key })
}

// inDoubt tells whether an operation was told to be unconfirmed.
func (op *Op) inDoubt() bool { return op.Tries > 1 || op.Phase != Sending }

// begunAt says when an operation was asked for.
func (c *core) begunAt(op *Op) string { return "asked for at " + clockOf(op.At, c.now) }

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
