// Package team is what a hub tells of the people that share it: who the user is, who
// else is there, what waits for a lead, and what is under way. It is pure.
package team

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/poll"
)

// Role is what a person may do.
type Role uint8

// The roles, the least first. What an Unknown one may do only the hub knows.
const (
	Unknown Role = iota
	Viewer
	Buyer
	Lead
	Admin
)

func names() []string { return []string{"", "viewer", "buyer", "lead", "admin"} }

// RoleOf returns the role of a name; Unknown for one of another version.
func RoleOf(name api.Text) Role {
	for i, n := range names() {
		if n == string(name) {
			return Role(i)
		}
	}
	return Unknown
}

func (r Role) String() string { return names()[r] }

// May reports whether a role may do what needs another at least. Of an unknown one the
// hub says it.
func (r Role) May(least Role) bool { return r == Unknown || r >= least }

// You is who the user is to the hub.
type You struct {
	Name api.Text
	Role Role
	// Cap is the most that is funded without an approval, USD; 0 for no bound.
	Cap api.USD
}

// What a hub lists; see package api.
type (
	// Person is one of the team.
	Person = api.HubPerson
	// Request is an operation that waits for a lead, or what became of it.
	Request = api.HubApproval
	// Operation is one without an outcome.
	Operation = api.HubOperation
	// Lease is an operation under way that moves the money of a card.
	Lease = api.HubLease
	// Claim is that somebody uses a code.
	Claim = api.HubClaim
)

// The states of a request.
const (
	Waiting  = "waiting"
	Approved = "approved"
	Refused  = "refused"
	Expired  = "expired"
)

// Unsettled is the state of an operation that the hub asks for no more: a lead says what
// became of it.
const Unsettled = "unsettled"

// Part is one list of a hub.
type Part uint8

// The lists.
const (
	People Part = iota
	Requests
	Operations
	Leases
	Claims
	// Outcomes is what became of the user's own operations that are asked for no more, one
	// at a time.
	Outcomes
	parts
)

// least is the role that may read a list.
func (p Part) least() Role {
	switch p {
	case Requests, Claims, Outcomes:
		return Buyer
	case Operations:
		return Lead
	default:
		return Viewer
	}
}

// By is who an operation is of.
func By(w *lang.Words, name api.Text) string {
	if name == "" {
		return w.T("the hub")
	}
	return string(name)
}

// BusyText says which operation of another is in the way.
func BusyText(w *lang.Words, l Lease) string {
	if l.State == "sending" {
		return w.Tf("the %s by %s is still under way", w.T(string(l.Operation)), By(w, l.By))
	}
	return w.Tf("the %s by %s is unconfirmed", w.T(string(l.Operation)), By(w, l.By))
}

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

// Decision is what became of the user's word on a request.
type Decision struct {
	Approve bool
	// Sending reports whether the hub has not answered; Why it did not do it.
	Sending bool
	Why     string
}

// News is what changed of the requests that is news to the user.
type News struct {
	// Asked are those that the user may decide, Ended their own that are over.
	Asked, Ended []Request
}

// SetRequests replaces the requests and returns what is new to the user.
func (t *Table) SetRequests(rows []Request, now time.Time) (n News) {
	before := make(map[string]Request, len(t.requests))
	for _, r := range t.requests {
		before[r.ID] = r
	}
	for _, r := range rows {
		old, known := before[r.ID]
		switch {
		case r.Waits() && !known && t.WhyNot(nil, r, true) == "":
			n.Asked = append(n.Asked, r)
		case r.By == t.you.Name && known && old.Waits() && !r.Waits():
			n.Ended = append(n.Ended, r)
		}
		if !r.Waits() {
			delete(t.decisions, r.ID)
		}
	}
	t.requests = rows
	t.done(Requests, t.whileWatched(requestsEvery), now, nil)
	return n
}

// Requests lists those that the user may see: what waits first, the oldest of it first,
// then what ended, the latest first.
func (t *Table) Requests() []Request {
	out := slices.Clone(t.requests)
	slices.SortStableFunc(out, func(a, b Request) int {
		switch {
		case a.Waits() != b.Waits():
			if a.Waits() {
				return -1
			}
			return 1
		case a.Waits():
			return a.At.Compare(b.At)
		default:
			return Ended(b).Compare(Ended(a))
		}
	})
	return out
}

// Request finds one by its id.
func (t *Table) Request(id string) (Request, bool) {
	i := slices.IndexFunc(t.requests, func(r Request) bool { return r.ID == id })
	if i < 0 {
		return Request{}, false
	}
	return t.requests[i], true
}

// Asked reports whether a request of the user's to move that amount to a card waits.
func (t *Table) Asked(card api.CardID, amount api.USD) bool {
	return slices.ContainsFunc(t.requests, func(r Request) bool {
		return r.Waits() && r.By == t.you.Name && r.Card == card && r.Amount == amount
	})
}

// ToDecide counts the requests that the user may approve.
func (t *Table) ToDecide() (n int) {
	for _, r := range t.requests {
		if t.WhyNot(nil, r, true) == "" {
			n++
		}
	}
	return n
}

// WhyNot returns why the user cannot approve or refuse a request; empty when they can.
func (t *Table) WhyNot(w *lang.Words, r Request, approve bool) string {
	switch {
	case !t.you.Role.May(Lead):
		return w.Tf("this needs the role lead: you are %s", t.you.Role.String())
	case !r.Waits():
		return w.Tf("it is %s already", w.T(string(r.State)))
	case approve && r.By == t.you.Name:
		return w.T("you asked for it: another lead has to approve it")
	case approve && t.you.Cap > 0 && r.Amount > t.you.Cap:
		return w.Tf("above your cap of %s: another lead has to approve it", w.Dollars(t.you.Cap))
	}
	return ""
}

// Decide notes that the user's word on a request is sent.
func (t *Table) Decide(id string, approve bool) {
	if t.decisions == nil {
		t.decisions = make(map[string]Decision)
	}
	t.decisions[id] = Decision{Approve: approve, Sending: true}
}

// Decided notes what became of it: done, or why not.
func (t *Table) Decided(id, why string) {
	if why == "" {
		delete(t.decisions, id)
		return
	}
	d := t.decisions[id]
	d.Sending, d.Why = false, why
	t.decisions[id] = d
}

// Decision returns what is known of the user's word on a request; false when there is
// none, or it was done.
func (t *Table) Decision(id string) (Decision, bool) {
	d, ok := t.decisions[id]
	return d, ok
}

// Ended is when a request was decided or ended; zero while it waits.
func Ended(r Request) time.Time {
	if r.DecidedAt == nil {
		return time.Time{}
	}
	return *r.DecidedAt
}

// Known reports whether the balances that a request rests on are all known. A card that
// is to be issued has none before.
func Known(r Request) bool {
	f := r.HubFigures
	return f.WalletBefore != nil && f.WalletAfter != nil && (r.Card == "" || f.CardBefore != nil && f.CardAfter != nil)
}
