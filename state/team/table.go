package team

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// How often a list is read that the hub does not tell of: while the user looks at the
// team, and else. Requests are read now and then although they are told of: what has
// expired is not.
const (
	watchedEvery  = 10 * time.Second
	requestsEvery = time.Minute
	leasesEvery   = 10 * time.Second
	retryAfter    = 10 * time.Second
)

// reading is how a list is read: one request at a time.
type reading struct {
	due   time.Time // zero for when it is told of
	asked bool      // a request is under way
	again bool      // told of meanwhile
	at    time.Time // when it was last read, this machine's clock
	err   error
}

// Table is what is known of the team. The zero value knows of no hub.
type Table struct {
	you      You
	known    bool
	watched  bool
	readings [parts]reading

	people     []Person
	requests   []Request
	operations []Operation
	leases     []Lease
	decisions  map[string]Decision
}

// Join sets who the user is to the hub, and has read what it may tell.
func (t *Table) Join(y You, now time.Time) {
	t.you, t.known = y, true
	t.Tell(now, Requests, Leases)
	t.Watch(t.watched, now)
}

// You returns who the user is; false where there is no hub, or it was not asked yet.
func (t *Table) You() (y You, known bool) { return t.you, t.known }

// May reports whether the user may do what needs a role. Who is on no hub may.
func (t *Table) May(least Role) bool { return !t.known || t.you.Role.May(least) }

// Watch has read all lists for as long as the user looks at them.
func (t *Table) Watch(on bool, now time.Time) {
	if t.watched = on; on {
		t.Tell(now, People, Requests, Operations)
	}
}

// Watched reports whether the user looks at the team.
func (t *Table) Watched() bool { return t.watched }

// Tell has lists read at once: they changed. What is only looked at is not read while
// nobody does.
func (t *Table) Tell(now time.Time, changed ...Part) {
	for _, p := range changed {
		if (p == People || p == Operations) && !t.watched {
			continue
		}
		r := &t.readings[p]
		r.due, r.again = now, r.asked
	}
}

// Due returns the lists that are to be read, and counts them as asked for.
func (t *Table) Due(now time.Time) (due []Part) {
	for p := range parts {
		if r := &t.readings[p]; t.reads(p) && poll.Reached(now, r.due) {
			r.asked, r.due = true, time.Time{}
			due = append(due, p)
		}
	}
	return due
}

// reads reports whether a list may be read when it is due.
func (t *Table) reads(p Part) bool {
	r := &t.readings[p]
	return t.known && t.you.Role.May(p.least()) && !r.asked && !r.due.IsZero()
}

// Wakes calls at with the times at which a list is due.
func (t *Table) Wakes(at func(time.Time)) {
	for p := range parts {
		if t.reads(p) {
			at(t.readings[p].due)
		}
	}
}

// done closes the request of a list.
func (t *Table) done(p Part, next time.Duration, now time.Time, err error) {
	r := &t.readings[p]
	if r.err = err; err == nil {
		r.at = now
	}
	r.asked, r.due = false, time.Time{}
	switch {
	case r.again:
		r.again, r.due = false, now
	case err != nil:
		r.due = now.Add(retryAfter)
	case next > 0:
		r.due = now.Add(next)
	}
	if (p == People || p == Operations) && !t.watched {
		r.due = time.Time{}
	}
}

// whileWatched is how soon a list is read again: while nobody looks after rest, 0 for
// not by itself.
func (t *Table) whileWatched(rest time.Duration) time.Duration {
	if t.watched {
		return watchedEvery
	}
	return rest
}

// Failed closes the request of a list that was not answered.
func (t *Table) Failed(p Part, now time.Time, err error) { t.done(p, 0, now, err) }

// ReadClaims closes the request of the claims: they are kept with the codes.
func (t *Table) ReadClaims(now time.Time) { t.done(Claims, 0, now, nil) }

// ReadOutcome closes the request of an outcome: it is kept with the operation.
func (t *Table) ReadOutcome(now time.Time) { t.done(Outcomes, 0, now, nil) }

// ReadAt is when a list was last read; zero for never.
func (t *Table) ReadAt(p Part) time.Time { return t.readings[p].at }

// Err is why the last request of a list was not answered; nil when it was.
func (t *Table) Err(p Part) error { return t.readings[p].err }

// SetPeople replaces the people.
func (t *Table) SetPeople(rows []Person, now time.Time) {
	t.people = rows
	t.done(People, t.whileWatched(0), now, nil)
}

// SetOperations replaces the operations.
func (t *Table) SetOperations(rows []Operation, now time.Time) {
	t.operations = rows
	t.done(Operations, t.whileWatched(0), now, nil)
}

// SetLeases replaces the leases. While there are any they are read again: nothing stays
// refused because an event was missed.
func (t *Table) SetLeases(rows []Lease, now time.Time) {
	t.leases = rows
	next := time.Duration(0)
	if len(rows) > 0 {
		next = leasesEvery
	}
	t.done(Leases, next, now, nil)
}

// People lists the team, who is there first.
func (t *Table) People() []Person { return t.people }

// Operations lists what has no outcome, for leads.
func (t *Table) Operations() []Operation { return t.operations }

// Operation finds one by its key.
func (t *Table) Operation(id api.IdempotencyKey) (Operation, bool) {
	i := slices.IndexFunc(t.operations, func(o Operation) bool { return o.ID == id })
	if i < 0 {
		return Operation{}, false
	}
	return t.operations[i], true
}

// SetOperation replaces one that was read anew.
func (t *Table) SetOperation(o Operation) {
	if i := slices.IndexFunc(t.operations, func(old Operation) bool { return old.ID == o.ID }); i >= 0 {
		t.operations = slices.Clone(t.operations)
		t.operations[i] = o
	}
}

// Lease returns the operation of somebody else that is under way on a card. What the user
// does is known better here.
func (t *Table) Lease(card api.CardID) (Lease, bool) {
	if card == "" || len(t.leases) == 0 {
		return Lease{}, false
	}
	i := slices.IndexFunc(t.leases, func(l Lease) bool { return l.Card == card && l.By != t.you.Name })
	if i < 0 {
		return Lease{}, false
	}
	return t.leases[i], true
}
