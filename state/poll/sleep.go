package poll

import "time"

// sleepJump is how much further than the steady clock the wall clock must
// have run for the machine to have slept: more than a clock is corrected by.
const sleepJump = 30 * time.Second

// Slept reports whether the machine slept between two moments. The steady
// clock stands still meanwhile, and so do the waits that rest on it.
func Slept(from, to time.Time) bool {
	return to.Round(0).Sub(from.Round(0))-to.Sub(from) > sleepJump
}

// Wake makes all lanes due when the machine slept since the last call, and
// reports whether it did: all that is shown is from before the sleep.
func (t *Table) Wake(now time.Time) bool {
	before := t.ticked
	t.ticked = now
	if before.IsZero() || !Slept(before, now) {
		return false
	}
	for i := range t.lanes {
		l := &t.lanes[i]
		// A request in flight since before the sleep is given up: its connection
		// may be dead and not know it.
		l.close()
		l.due = l.soonest(now)
	}
	return true
}

// Elapsed is how long after a moment another is, by the clock that ran
// further: the steady one stands still while the machine sleeps, the other
// can be set.
func Elapsed(from, to time.Time) time.Duration {
	return max(to.Sub(from), to.Round(0).Sub(from.Round(0)))
}

// Reached reports whether a time is over by either clock: the steady one
// stands still while the machine sleeps, the other can be set.
func Reached(now, until time.Time) bool {
	return !now.Before(until) || !now.Round(0).Before(until.Round(0))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
