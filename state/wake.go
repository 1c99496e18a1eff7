package state

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
)

// sleepJump is how much further than the steady clock the wall clock must
// have run for the machine to have slept: more than a clock is corrected by.
const sleepJump = 30 * time.Second

// Slept tells whether the machine slept between two moments. The steady clock
// stands still meanwhile, and so do the waits that rest on it.
func Slept(from, to time.Time) bool {
	return to.Round(0).Sub(from.Round(0))-to.Sub(from) > sleepJump
}

// awake makes all lanes due at once after a sleep, codes first: whatever is
// shown is from before it.
func (s *Store) awake(now time.Time) Topic {
	before := s.ticked
	s.ticked = now
	if before.IsZero() || !Slept(before, now) {
		return 0
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		// What is under way since before the sleep is given up: its connection
		// may be dead and not know it.
		l.inFlight, l.again, l.rest = 0, false, nil
		l.due = l.soonest(now)
	}
	return TopicAll
}

// soonest is when a lane may be asked for: now, unless the server asked to be
// left alone for longer.
func (l *laneState) soonest(now time.Time) time.Time {
	if reached(now, l.heldTill) {
		return now
	}
	return l.heldTill
}

// hasten makes a lane due at once, unless the server asked to be left alone.
func (s *Store) hasten(lane Lane) {
	l := &s.lanes[lane]
	l.again = l.inFlight != 0
	l.due = l.soonest(s.now)
}

// recoverEvery bounds how often one lane's recovery may bring the others
// forward: a lane that comes and goes must not undo their pauses.
const recoverEvery = 5 * time.Second

// endsOutage tells whether an answer of a lane is the first that the network
// let through: the lane itself found nobody before, or another did and none had
// an answer since. A lane that fails by itself is so asked for once more, and
// then backs off by itself.
func (s *Store) endsOutage(lane Lane) bool {
	for i := range s.lanes {
		l := &s.lanes[i]
		if errors.Is(l.err, api.ErrUnreachable) && (Lane(i) == lane || l.failedAt.After(s.answered)) {
			return true
		}
	}
	return false
}

// recover asks for what the network kept from being read, now that something
// came through: nobody waits for the rest of a pause.
func (s *Store) recover(at time.Time) {
	for i := range s.lanes {
		l := &s.lanes[i]
		if l.inFlight == 0 && errors.Is(l.err, api.ErrUnreachable) && l.due.After(at) {
			l.due = l.soonest(at)
		}
	}
}

// hastenAfter makes a lane due when it has rested for a pause.
func (s *Store) hastenAfter(lane Lane, pause time.Duration) {
	l := &s.lanes[lane]
	if l.inFlight != 0 || l.done || l.failures > 0 {
		return // What follows sees to it.
	}
	due := later(later(l.okAt, l.askedAt).Add(pause), later(s.now, l.heldTill))
	if due.Before(l.due) {
		l.due = due
	}
}
