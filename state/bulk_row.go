package state

import (
	"errors"
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

// Issued returns the new cards, in the order of their rows.
func (b *Batch) Issued() []api.CardID {
	var out []api.CardID
	for _, r := range b.Rows {
		if r.Issued != "" {
			out = append(out, r.Issued)
		}
	}
	return out
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

// waiting returns the first row that waits.
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

// rowDone records a confirmation.
func (bu *BulkTable) rowDone(b *Batch, i int, op *Op, ev OpDone) {
	b.troubles = 0
	bu.ops.refuseUndo("a bulk change cannot be undone at once: select the cards and do the opposite")
	b.set(i, RowDone, bu.rowText(op, ev))
	if op.Kind == OpIssue && ev.Returned != nil {
		b.Rows[i].Issued = ev.Returned.ID
	}
	if op.Kind.moves() || op.Kind == OpTerminate || op.Kind == OpIssue {
		b.Moved += valueOr(ev.Moved, op.Amount)
	}
	disk := sentence(unrecorded(ev.Note), unwritten(ev.Lost))
	odd := sentence(discrepancy(op, ev), disk)
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
		return "$" + ev.Moved.Grouped() + " went back"
	case op.Kind == OpIssue && ev.Returned != nil:
		return "••" + string(ev.Returned.Last4) + " with $" + ev.Returned.Balance.Grouped()
	case op.Kind.moves() && ev.CardBalance != nil:
		return "holds $" + ev.CardBalance.Grouped()
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
		bu.halt(b, "stopped at "+b.Plan.Rows[i].Name+": "+reason)
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
	if !bu.now.Before(b.Until) {
		b.troubles++
	}
	if wait == 0 {
		wait = max(time.Second, bu.poll.Backoff(b.troubles, resendCap))
	}
	b.Until = later(b.Until, bu.now.Add(wait))
	if b.troubles > maxTroubles && b.Plan.Rule != "" {
		bu.halt(b, why) // Its rule looks again.
		return
	}
	if b.troubles > maxTroubles && b.Phase == BatchRunning {
		b.Phase, b.Reason = BatchPaused, "paused: "+why
		bu.notices.say(Bad, "bulk "+b.Plan.Kind.String()+" "+b.Reason)
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

// rowUnsettled records that a row could not be confirmed.
func (bu *BulkTable) rowUnsettled(op *Op) {
	b, i, ok := bu.rowOf(op)
	if !ok {
		return
	}
	b.set(i, RowUnsettled, "may have acted: compare balance and transactions")
	bu.haltAt(b, i, "it could not be confirmed", false)
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
