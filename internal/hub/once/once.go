// Package once remembers the writes of a hub by their keys, so that one that is asked
// for again is answered and not done again.
package once

import (
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Key is the key that a write goes to the service under. It is bound to the token, so
// that people cannot meet in one, and to the path, which is how far the service looks.
func Key(token [sha256.Size]byte, key, method, path string) api.IdempotencyKey {
	h := sha256.New()
	for _, part := range []string{string(token[:]), key, method, path} {
		sum := sha256.Sum256([]byte(part))
		_, _ = h.Write(sum[:]) // It never returns an error.
	}
	return api.IdempotencyKey("hub-" + base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(h.Sum(nil)))
}

// Outcome is what came of a write.
type Outcome struct {
	// Status and Body are the service's answer; a body with a secret is not kept.
	Status int
	Body   api.Secret
	// RequestID is the service's.
	RequestID api.Text
	// Err is why it was not done, or is not known.
	Err error
	// Wait is set for a write that was not sent because the budget is used up.
	Wait time.Duration
	// Unknown reports whether it may have acted.
	Unknown bool
}

// Entry is a write under a key.
type Entry struct {
	table *Table
	key   api.IdempotencyKey
	body  [sha256.Size]byte
	// any reports whether the body is not known, as it is not kept on disk.
	any bool
	at  time.Time
	// done is closed when the outcome is there.
	done    chan struct{}
	outcome Outcome
}

// State is what a key is found in.
type State int

// The states.
const (
	// New: the caller sends the write and settles the entry.
	New State = iota
	// Waiting: it is under way, or in doubt.
	Waiting
	// Settled: its outcome is known.
	Settled
	// Reused: the key came with another body.
	Reused
)

// keptFor is how long an outcome is kept, most how many are.
const (
	keptFor = 24 * time.Hour
	most    = 20_000
)

// Table is the writes of a hub. It may be used from several goroutines.
type Table struct {
	mu      sync.Mutex
	entries map[api.IdempotencyKey]*Entry
	order   []*Entry
	now     func() time.Time
}

// NewTable returns an empty table. now is this machine's clock.
func NewTable(now func() time.Time) *Table {
	return &Table{entries: make(map[api.IdempotencyKey]*Entry), now: now}
}

// Begin finds a key, or adds it.
func (t *Table) Begin(key api.IdempotencyKey, body []byte) (*Entry, State) {
	sum := sha256.Sum256(body)
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.entries[key]; ok {
		switch {
		case e.body != sum && !e.any:
			return e, Reused
		case e.settled():
			return e, Settled
		}
		return e, Waiting
	}
	t.trim()
	e := &Entry{table: t, key: key, body: sum, at: t.now(), done: make(chan struct{})}
	t.entries[key] = e
	t.order = append(t.order, e)
	return e, New
}

// Adopt adds a key that an earlier run left, in doubt. A nil body is not known.
func (t *Table) Adopt(key api.IdempotencyKey, body []byte, why error) {
	e, _ := t.Begin(key, body)
	t.mu.Lock()
	e.any = body == nil
	t.mu.Unlock()
	t.Settle(key, Outcome{Unknown: true, Err: why})
}

// Known reports whether a key is in the table.
func (t *Table) Known(key api.IdempotencyKey) bool {
	_, ok := t.Find(key)
	return ok
}

// Find returns the write of a key. It adds nothing.
func (t *Table) Find(key api.IdempotencyKey) (e *Entry, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok = t.entries[key]
	return e, ok
}

// Ended returns what is known of how a write ended, without the answer; false while it
// is under way.
func (e *Entry) Ended() (o Outcome, ended bool) {
	e.table.mu.Lock()
	defer e.table.mu.Unlock()
	o = e.outcome
	o.Body = api.Secret{}
	return o, e.settled()
}

// Settle sets the outcome of a key. One that may have acted stays open, and its first
// outcome wakes who waits.
func (t *Table) Settle(key api.IdempotencyKey, o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.entries[key]
	if !ok {
		o.Body.Wipe()
		return
	}
	if e.settled() && !e.outcome.Unknown {
		return
	}
	again := e.settled()
	e.outcome = o
	if !again {
		close(e.done)
	}
}

// Forget removes a write that was not done, so that its key may be used again. Who waits
// is told the outcome, unless there is one. A later write under the same key stays.
func (t *Table) Forget(e *Entry, o Outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !e.settled() {
		e.outcome = o
		close(e.done)
	}
	if t.entries[e.key] == e {
		delete(t.entries, e.key)
	}
}

// errGone is that an outcome is not kept any more.
var errGone = errors.New("it was done, and its answer is not kept any more")

// trim removes what is too old, or too much, up to the first write without an outcome.
func (t *Table) trim() {
	now := t.now()
	for len(t.order) > 0 {
		e := t.order[0]
		old := now.Sub(e.at) >= keptFor || len(t.order) >= most
		if !old || !e.settled() {
			return
		}
		t.order = t.order[1:]
		if t.entries[e.key] == e {
			delete(t.entries, e.key)
		}
		if len(e.outcome.Body.Bytes()) > 0 {
			e.outcome.Body.Wipe()
			e.outcome = Outcome{Unknown: true, Err: errGone} // For who found it just before.
		}
	}
}

func (e *Entry) settled() bool {
	select {
	case <-e.done:
		return true
	default:
		return false
	}
}

// Done is closed when there is an outcome.
func (e *Entry) Done() <-chan struct{} { return e.done }

// Outcome returns the outcome as far as it is known. The body is a copy.
func (e *Entry) Outcome() Outcome {
	e.table.mu.Lock()
	defer e.table.mu.Unlock()
	return e.copied()
}

func (e *Entry) copied() Outcome {
	o := e.outcome
	o.Body = api.NewSecret(o.Body.Bytes())
	return o
}

// Reveal returns the outcome and wipes the body that is kept: it is told once.
func (e *Entry) Reveal() Outcome {
	e.table.mu.Lock()
	defer e.table.mu.Unlock()
	o := e.copied()
	e.outcome.Body.Wipe()
	return o
}
