// Package limit bounds what one token may ask for.
package limit

import (
	"sync"
	"time"
)

// Limits are what a token may ask for.
type Limits struct {
	// Requests, Details and Pages are those within a minute, Streams those open at once.
	// Pages are the reads that go on to the service.
	Requests, Details, Pages, Streams int
}

// Defaults returns the limits of a hub. A dashboard sends some 40 requests in a
// minute; the service gives card details 30 times in a minute to the whole account, and
// answers it 1,000 requests, 10,000 in an hour.
func Defaults() Limits { return Limits{Requests: 600, Details: 15, Pages: 60, Streams: 6} }

// Kind is what a request counts as.
type Kind int

// The kinds.
const (
	Request Kind = iota
	Detail
	Page
	kinds
)

// Table counts what tokens ask for. It may be used from several goroutines.
type Table struct {
	limits Limits
	now    func() time.Time

	mu    sync.Mutex
	users map[string]*user
}

type user struct {
	minute  time.Time // when the counting began
	used    [kinds]int
	streams int
}

// New returns a table. now is this machine's clock.
func New(l Limits, now func() time.Time) *Table {
	return &Table{limits: l, now: now, users: make(map[string]*user)}
}

// Take counts a request of a person; wait is until it is allowed, 0 for now.
func (t *Table) Take(name string, kind Kind) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	u, now := t.user(name), t.now()
	if age := now.Sub(u.minute); age < 0 || age >= time.Minute {
		u.minute, u.used = now, [kinds]int{}
	}
	most := t.limits.Requests
	switch kind {
	case Detail:
		most = t.limits.Details
	case Page:
		most = t.limits.Pages
	default:
	}
	if u.used[kind] >= most {
		return max(time.Second, u.minute.Add(time.Minute).Sub(now))
	}
	u.used[kind]++
	return 0
}

// Open counts a stream of a person; false when they have too many. The stream is
// closed with Close.
func (t *Table) Open(name string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.user(name)
	if u.streams >= t.limits.Streams {
		return false
	}
	u.streams++
	return true
}

// Close ends a stream of a person.
func (t *Table) Close(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.user(name).streams--
}

func (t *Table) user(name string) *user {
	u := t.users[name]
	if u == nil {
		u = &user{}
		t.users[name] = u
	}
	return u
}
