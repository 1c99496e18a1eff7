package guard

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/internal/clipboard/backend"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// A clipboard that cannot be cleared is tried again after retryFirst, then at
// growing intervals up to retryMost, and given up after giveUp; a display that
// is not there any more after giveUpGone.
const (
	retryFirst = time.Second
	retryMost  = 30 * time.Second
	giveUp     = 10 * time.Minute
	giveUpGone = 15 * time.Second
)

// watch is when a cleared entry is looked for again, counted from its end: a
// tool that was on its way, or a clipboard manager, may bring the text back.
func watch() []time.Duration {
	return []time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond, time.Second, 3 * time.Second}
}

// lookAgain is when a copy that was taken over is looked for once more.
const lookAgain = 500 * time.Millisecond

// entry is one copy, from arming until it is certain to be gone.
type entry struct {
	id       uint64
	sum      []byte
	on       *way // nil until a copy is tried
	deadline Instant
	next     Instant  // the next look, once the deadline is reached
	again    *Instant // a look before the end, once; nil for none
	looks    int      // looks made that found it gone
	retry    time.Duration
	blind    bool // it is where nothing can be read back
	quiet    bool // a failed try, of which only trouble is reported
	final    bool // the last report is out
	stuck    bool // it has been reported that clearing fails
}

// due reports whether a check is due.
func (e *entry) due(now Instant) bool {
	return e.deadline.reached(now) && e.next.reached(now)
}

// expire ends the copy's time.
func (e *entry) expire(now Instant) {
	if !e.deadline.reached(now) {
		e.deadline, e.next = now, now
	}
}

// patience is how long past its end an entry is kept for an error. One that has
// been seen gone is not worth more than the usual looks.
func (e *entry) patience(err error) time.Duration {
	switch {
	case e.looks > 0:
		times := watch()
		return times[len(times)-1]
	case errors.Is(err, backend.ErrNoDisplay):
		return giveUpGone
	default:
		return giveUp
	}
}

// settle applies the result of a check and reports whether the entry is over and
// what to report, if anything.
func (e *entry) settle(now Instant, found wire.Outcome, err error) (over bool, report wire.Outcome) {
	if err != nil {
		e.retry = min(max(2*e.retry, retryFirst), retryMost)
		e.next = now.after(e.retry)
		if !e.stuck && !e.final {
			e.stuck, report = true, wire.Stuck
		}
		return e.deadline.after(e.patience(err)).reached(now), report
	}
	if !e.final && (!e.quiet || e.stuck) {
		report = found
		if found == wire.Empty {
			report = wire.Cleared
		}
	}
	e.stuck, e.final = false, true
	e.looks++
	times := watch()
	if found == wire.Blanked || e.looks >= len(times) {
		return true, report
	}
	e.next = e.deadline.after(times[e.looks])
	return false, report
}
