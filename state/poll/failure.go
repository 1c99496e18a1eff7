package poll

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
)

// leastWait keeps a request from following a failed one at once.
const leastWait = 100 * time.Millisecond

// Failure is how a request failed.
type Failure struct {
	Sent, At time.Time
	Err      error
	// RetryAfter is how long the server asked to wait; zero when it did not.
	RetryAfter time.Duration
}

// Fail closes a lane's request and backs off, for as long as the server asked
// if it did.
func (t *Table) Fail(id Lane, f Failure) {
	l := &t.lanes[id]
	if l.failures == 0 {
		l.failedAt = f.At
	}
	l.failures++
	l.close()
	l.err = f.Err
	wait := t.Backoff(l.failures, schedule[id].maxWait)
	if f.RetryAfter > 0 {
		wait = f.RetryAfter
		l.heldTill = f.At.Add(f.RetryAfter)
	} else if errors.Is(f.Err, api.ErrUnreachable) && f.Sent.Before(t.recovered) {
		// The network came back after it was sent: that nothing answered says
		// nothing about now.
		wait = 0
	}
	// The pause runs from the request: one that waited in vain for as long as
	// the pause need not wait again.
	from := f.Sent
	if errors.Is(f.Err, api.ErrRateLimited) {
		from = f.At
		t.limited(id, f.At, f.At.Add(wait), f.RetryAfter > 0)
	}
	l.due = later(from.Add(wait), f.At.Add(leastWait))
}

// limited makes the other lanes wait as well when the server says that there
// were too many requests, a little longer than the codes: those come first.
// Unless the server said until when, a lane is not put off beyond its longest
// pause, however often another is refused.
func (t *Table) limited(by Lane, at, until time.Time, serverSaid bool) {
	for i := range t.lanes {
		l := &t.lanes[i]
		if Lane(i) == by || Lane(i) == Codes || l.done {
			continue
		}
		wait := until.Add(time.Duration(i) * leastWait)
		if !serverSaid {
			wait = earlier(wait, l.askedAt.Add(schedule[i].maxWait))
		}
		l.due = later(l.due, wait)
		t.forget(Lane(i), at)
	}
}

// forget forgets why a lane failed whose next request is further off than that failure would put it: until then nobody
// knows whether it would still fail so. A refused key is refused for good.
func (t *Table) forget(id Lane, now time.Time) {
	l := &t.lanes[id]
	if l.due.After(now.Add(schedule[id].maxWait)) && !errors.Is(l.err, api.ErrUnauthorized) {
		l.err, l.failures = nil, 0
	}
}

// recoverEvery bounds how often one lane's recovery may bring the others
// forward: a lane that comes and goes must not undo their pauses.
const recoverEvery = 5 * time.Second

// endsOutage reports whether an answer of a lane is the first that the network
// let through: the lane itself reached nothing before, or another did not and
// none had an answer since. A lane that fails by itself is so asked for once
// more, and then backs off by itself.
func (t *Table) endsOutage(id Lane) bool {
	for i := range t.lanes {
		l := &t.lanes[i]
		if errors.Is(l.err, api.ErrUnreachable) && (Lane(i) == id || l.failedAt.After(t.answered)) {
			return true
		}
	}
	return false
}

// recover makes due what the network kept from being read.
func (t *Table) recover(at time.Time) {
	for i := range t.lanes {
		l := &t.lanes[i]
		if l.inFlight == 0 && errors.Is(l.err, api.ErrUnreachable) && l.due.After(at) {
			l.due = l.soonest(at)
		}
	}
}

// Offline returns since when nothing at the API answers, and whether that is
// so: codes, which are asked for most often, reach nothing, and no other lane
// had an answer since.
func (t *Table) Offline() (since time.Time, offline bool) {
	l := &t.lanes[Codes]
	if !errors.Is(l.err, api.ErrUnreachable) || t.answered.After(l.failedAt) {
		return time.Time{}, false
	}
	return l.failedAt, true
}

// KeyRefused is why the API refuses a key that it accepted before; nil when
// it does not.
func (t *Table) KeyRefused() error {
	for i := range t.lanes {
		if l := &t.lanes[i]; errors.Is(l.err, api.ErrUnauthorized) && !l.okAt.IsZero() {
			return l.err
		}
	}
	return nil
}

// soonest is when a lane may be asked for: now, unless the server asked for a
// longer pause.
func (l *lane) soonest(now time.Time) time.Time {
	if Reached(now, l.heldTill) {
		return now
	}
	return l.heldTill
}
