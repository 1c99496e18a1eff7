// Package approval holds operations that wait for a lead, and what became of them.
package approval

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Life is how long a request waits, and how long it is told what became of it.
const Life = 24 * time.Hour

// most bounds the requests of one person that wait.
const most = 20

// mostEnded bounds those of one person that are told of after they ended: who asks and
// withdraws without end takes no more.
const mostEnded = 100

// State is what became of a request.
type State string

// The states.
const (
	Waiting  State = "waiting"
	Approved State = "approved"
	Refused  State = "refused"
	Expired  State = "expired"
)

// Request is an operation that waits for a lead.
type Request struct {
	ID string
	// Key is the operation's, by which a second request for the same is found.
	Key api.IdempotencyKey
	// Name is who asks.
	Name   string
	What   string
	Card   api.CardID
	Label  string
	Amount api.USD
	// Body is the hash of the body that was asked with.
	Body [sha256.Size]byte
	At   time.Time

	State State
	// By is who decided, At when it was decided or ended; empty while it waits.
	By    string
	Ended time.Time
}

// Until is when the request ends.
func (r Request) Until() time.Time { return r.At.Add(Life) }

// ErrMany is that a person has too many requests that wait.
var ErrMany = errors.New("too many of your requests wait for a lead")

// ErrReused is that a request of the same key waits, or was approved, with another body.
var ErrReused = errors.New("the idempotency key came with another body")

// Row is a request and what is to be done of it.
type Row[T any] struct {
	Request
	Op T
}

// Table holds the requests of a hub. It may be used from several goroutines. T is the
// operation.
type Table[T any] struct {
	now  func() time.Time
	save func([]Row[T]) error

	mu   sync.Mutex
	rows []Row[T]
}

// New returns an empty table. now is this machine's clock; save stores all rows, and
// what it cannot store does not happen.
func New[T any](now func() time.Time, save func([]Row[T]) error) *Table[T] {
	return &Table[T]{now: now, save: save}
}

// Restore puts back what an earlier run stored.
func (t *Table[T]) Restore(rows []Row[T]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows = rows
	t.expire()
}

// Holds reports whether a request that waits, or was approved, has a key, with another body
// than this.
func (t *Table[T]) Holds(key api.IdempotencyKey, body [sha256.Size]byte) (other bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	return slices.ContainsFunc(t.rows, func(r Row[T]) bool { return r.holds(key) && r.Body != body })
}

// holds reports whether the key is the request's as long as that is told of.
func (r *Request) holds(key api.IdempotencyKey) bool {
	return r.Key == key && (r.State == Waiting || r.State == Approved)
}

// Ask adds a request, or finds the one of the same key that waits or was approved. note is
// called with a new one before it is stored: one of which it fails is not added.
func (t *Table[T]) Ask(r Request, op T, note func(Request) error) (Request, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	waiting := 0
	for _, old := range t.rows {
		switch {
		case old.holds(r.Key) && old.Body != r.Body:
			return Request{}, ErrReused
		case old.holds(r.Key):
			return old.Request, nil
		case old.State == Waiting && old.Name == r.Name:
			waiting++
		}
	}
	if waiting >= most {
		return Request{}, ErrMany
	}
	r.ID, r.At, r.State = "apr_"+rand.Text(), t.now(), Waiting
	if err := note(r); err != nil {
		return Request{}, err
	}
	rows := append(slices.Clip(t.rows), Row[T]{r, op})
	if err := t.save(rows); err != nil {
		return Request{}, err
	}
	t.rows = rows
	return r, nil
}

// All lists the requests, the oldest first.
func (t *Table[T]) All() []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	out := make([]Request, 0, len(t.rows))
	for _, r := range t.rows {
		out = append(out, r.Request)
	}
	return out
}

// Get returns a request that waits, and its operation.
func (t *Table[T]) Get(id string) (r Request, op T, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	i := t.find(id)
	if i < 0 {
		return r, op, false
	}
	return t.rows[i].Request, t.rows[i].Op, true
}

// Decide ends a request that waits as somebody says and returns its operation: one lead
// decides it. It returns once that is stored.
func (t *Table[T]) Decide(id string, as State, by string) (op T, ok bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	i := t.find(id)
	if i < 0 {
		return op, false, nil
	}
	before := t.rows[i].Request
	t.rows[i].State, t.rows[i].By, t.rows[i].Ended = as, by, t.now()
	if err := t.save(t.rows); err != nil {
		t.rows[i].Request = before
		return op, false, err
	}
	return t.rows[i].Op, true, nil
}

// End refuses the requests that wait of whoever is over, in the hub's own name, and
// returns them.
func (t *Table[T]) End(over func(Row[T]) bool) ([]Row[T], error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expire()
	rows := slices.Clone(t.rows)
	var ended []Row[T]
	for i := range rows {
		if r := &rows[i]; r.State == Waiting && over(*r) {
			r.State, r.By, r.Ended = Refused, "", t.now()
			ended = append(ended, *r)
		}
	}
	if len(ended) == 0 {
		return nil, nil
	}
	if err := t.save(rows); err != nil {
		return nil, err
	}
	t.rows = rows
	return ended, nil
}

// Return has a request wait again whose operation was not begun, unless one of the same
// key waits by now.
func (t *Table[T]) Return(id string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.rows, func(r Row[T]) bool { return r.ID == id })
	if i < 0 || slices.ContainsFunc(t.rows, func(r Row[T]) bool { return r.State == Waiting && r.Key == t.rows[i].Key }) {
		return nil
	}
	t.rows[i].State, t.rows[i].By, t.rows[i].Ended = Waiting, "", time.Time{}
	return t.save(t.rows)
}

// ReturnOf has the approved request of a key wait again, and returns it; back is false where
// there is none.
func (t *Table[T]) ReturnOf(key api.IdempotencyKey) (r Request, back bool, err error) {
	t.mu.Lock()
	i := slices.IndexFunc(t.rows, func(r Row[T]) bool { return r.Key == key && r.State == Approved })
	if i >= 0 {
		r = t.rows[i].Request
	}
	t.mu.Unlock()
	if i < 0 {
		return r, false, nil
	}
	return r, true, t.Return(r.ID)
}

// find finds a request that waits.
func (t *Table[T]) find(id string) int {
	return slices.IndexFunc(t.rows, func(r Row[T]) bool { return r.ID == id && r.State == Waiting })
}

// expire ends what waited for too long, and forgets what ended a day ago, or long before
// others of the same person.
func (t *Table[T]) expire() {
	now := t.now()
	for i := range t.rows {
		if r := &t.rows[i]; r.State == Waiting && !now.Before(r.Until()) {
			r.State, r.Ended = Expired, r.Until()
		}
	}
	ended := make(map[string]int)
	for _, r := range t.rows {
		if r.State != Waiting {
			ended[r.Name]++
		}
	}
	t.rows = slices.DeleteFunc(t.rows, func(r Row[T]) bool {
		if r.State == Waiting {
			return false
		}
		many := ended[r.Name] > mostEnded
		if many {
			ended[r.Name]--
		}
		return many || !now.Before(r.Ended.Add(Life))
	})
}
