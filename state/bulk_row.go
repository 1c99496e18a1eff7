package state

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Undone counts the rows that can be planned again.
func (b *Batch) Undone() int {
	n := 0
	for _, r := range b.Rows {
		if r.undone() {
			n++
		}
	}
	return n
}

// handOver marks the rows that a new plan takes from an old batch.
func (bu *BulkTable) handOver(p *Plan) {
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

// takenOver tells whether rows of a plan have been planned again by another
// since it was made.
func (bu *BulkTable) takenOver(p *Plan) bool {
	b, ok := bu.Get(p.again)
	return ok && slices.ContainsFunc(p.rows, func(from int) bool { return !b.Rows[from].free() })
}

// Count is how many rows are in a state.
func (b *Batch) Count(state RowState) int { return b.tally[state] }

func (b *Batch) set(i int, state RowState, text string) {
	r := &b.Rows[i]
	b.tally[r.State]--
	b.tally[state]++
	if r.State.open() && !state.open() {
		b.finished++
	}
	if state == RowWaiting {
		b.next = min(b.next, i)
	}
	*r = RowResult{State: state, Text: text}
}

// waiting gives the first row that waits.
func (b *Batch) waiting() (int, bool) {
	for ; b.next < len(b.Rows); b.next++ {
		if b.Rows[b.next].State == RowWaiting {
			return b.next, true
		}
	}
	return 0, false
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

// rowDone notes a confirmation.
func (bu *BulkTable) rowDone(b *Batch, i int, op *Op, ev OpDone) {
	b.troubles = 0
	bu.ops.undo = &undo{why: "what was done to many cards is not taken back at once: select them and do the opposite"}
	b.set(i, RowDone, bu.rowText(op, ev))
	if op.Kind.moves() || op.Kind == OpTerminate || op.Kind == OpIssue {
		b.Moved += told(ev.Moved, op.Amount)
	}
	disk := sentence(unrecorded(ev.Note), unwritten(ev.Lost))
	odd := sentence(discrepancy(op, ev), disk)
	if odd == "" {
		return
	}
	b.Rows[i].Text, b.Rows[i].Odd = odd, true
	// A disk that takes no word of this row will take none of the next.
	bu.haltAt(b, i, odd, disk != "")
}

// sentence joins what there is to say.
func sentence(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// rowText is the server's answer in a few words.
func (bu *BulkTable) rowText(op *Op, ev OpDone) string {
	switch {
	case strayed(op, ev):
		return ""
	case op.Kind == OpFreeze || op.Kind == OpUnfreeze:
		return string(ev.Status)
	case op.Kind == OpTerminate && ev.Moved != nil:
		return "$" + ev.Moved.Grouped() + " went back"
	case op.Kind == OpIssue && ev.Returned != nil:
		return "••" + string(ev.Returned.Last4) + " with $" + ev.Returned.Balance.Grouped()
	case op.Kind.moves() && ev.CardBalance != nil:
		return "holds $" + ev.CardBalance.Grouped()
	}
	return ""
}

// rowFailed notes a failure: the row is refused, in doubt, or, when the
// failure is about the way and not about the row, waits for another try.
func (s *Store) rowFailed(b *Batch, i int, op *Op, ev OpFailed) []Effect {
	switch {
	case !settles(op, ev) && s.askedEnough(op, ev.Err):
		return s.giveUp(op)
	case !settles(op, ev):
		op.Phase, op.fence = Unknown, s.seq
		op.retryIn(s.Poll.Backoff(op.Tries, resendCap), s.now)
		b.set(i, RowUnconfirmed, explain(ev.Err))
		return nil
	}
	s.Ops.drop(op.ID)
	if ev.Note+ev.Lost == "" && inTheWay(ev) && b.Phase != BatchStopping {
		b.set(i, RowWaiting, explain(ev.Err))
		s.Bulk.wave(b, retryAfter(ev.Err), explain(ev.Err))
		return nil
	}
	s.Bulk.rowRefused(b, i, explain(ev.Err), endsAll(b, ev))
	return nil
}

// rowRefused notes a row that was refused for certain.
func (bu *BulkTable) rowRefused(b *Batch, i int, reason string, all bool) {
	b.set(i, RowRefused, reason)
	bu.haltAt(b, i, reason, all)
}

// haltAt ends a batch at a row, if the plan says so or all rows have to. One
// that waits for a person goes on waiting: they see the row before it goes on.
func (bu *BulkTable) haltAt(b *Batch, i int, reason string, all bool) {
	if b.Phase != BatchInterrupted && (all || b.Plan.StopOnError) {
		bu.halt(b, "stopped at "+b.Plan.Rows[i].Name+": "+reason)
	}
}

// inTheWay tells that a row failed for a reason that is not its own and will
// pass. It did not act.
func inTheWay(ev OpFailed) bool {
	return !ev.NotSent && (errors.Is(ev.Err, api.ErrRateLimited) || errors.Is(ev.Err, api.ErrUnreachable))
}

// endsAll tells that a failure awaits every other row as well.
func endsAll(b *Batch, ev OpFailed) bool {
	short := errors.Is(ev.Err, api.ErrInsufficientFunds) && b.Plan.takes()
	return short || ev.NotSent || ev.Note+ev.Lost != "" || errors.Is(ev.Err, api.ErrKeyInvalid) || errors.Is(ev.Err, api.ErrReadOnly)
}

// maxTroubles is after how many failures of the way in a row a batch asks a
// person.
const maxTroubles = 5

// wave lets a batch wait after a failure of the way, for as long as the server
// told if it did, and says why. Rows that fail together are one failure.
func (bu *BulkTable) wave(b *Batch, wait time.Duration, why string) {
	if !bu.now.Before(b.Until) {
		b.troubles++
	}
	if wait == 0 {
		wait = max(time.Second, bu.poll.Backoff(b.troubles, resendCap))
	}
	b.Until = later(b.Until, bu.now.Add(wait))
	if b.troubles > maxTroubles && b.Phase == BatchRunning {
		b.Phase, b.Reason = BatchPaused, "paused: "+why
		bu.notices.tell(Bad, "bulk "+b.Plan.Kind.String()+" "+b.Reason)
	}
}

// rowDeferred puts a row back that the request budget did not allow.
func (bu *BulkTable) rowDeferred(b *Batch, i int, wait time.Duration) {
	state, text := RowWaiting, ""
	if b.Phase == BatchStopping {
		state, text = RowNotSent, "not sent"
	}
	b.set(i, state, text)
	b.Until = later(b.Until, bu.now.Add(wait))
}

// rowUnsettled notes that nobody could tell what became of a row.
func (bu *BulkTable) rowUnsettled(op *Op) {
	b, i, ok := bu.rowOf(op)
	if !ok {
		return
	}
	b.set(i, RowUnsettled, "may have acted: compare balance and transactions")
	bu.haltAt(b, i, "it could not be confirmed", false)
}

// rowJudged notes what was found out of a row that nobody could confirm.
func (bu *BulkTable) rowJudged(op *Op, happened bool, text string) {
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
