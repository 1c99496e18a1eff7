package oplog

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

// settledKept is how many settled operations the log keeps however old they are,
// settledMost how many of those that guardrails still count.
const (
	settledKept = 2000
	settledMost = 50_000
)

// table is the newest record of each operation.
type table struct {
	mu      sync.Mutex
	entries map[string]entry // by subject
	settled []settlement     // oldest first; some are open again
}

type entry struct {
	record   Record
	sequence uint64
}

// settlement is where in the stream an operation was settled.
type settlement struct {
	subject  string
	sequence uint64
}

func newTable() *table { return &table{entries: make(map[string]entry)} }

func (t *table) set(r Record, sequence uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := subject(r.Op.Key)
	t.entries[at] = entry{r, sequence}
	if !r.State.Open() {
		t.settled = append(t.settled, settlement{at, sequence})
	}
}

// oldest returns the operation that was settled first, when there are too many and it
// began before a time.
func (t *table) oldest(before time.Time) (subject string, sequence uint64, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.settled) > settledKept {
		p := t.settled[0]
		if e := t.entries[p.subject]; e.sequence == p.sequence {
			return p.subject, p.sequence, e.record.Op.Begun.Before(before) || len(t.settled) > settledMost
		}
		t.settled = t.settled[1:] // It was written again since.
	}
	return "", 0, false
}

// removed forgets an operation that is no longer in the stream.
func (t *table) removed(subject string, sequence uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.entries[subject].sequence == sequence {
		delete(t.entries, subject)
	}
}

// since returns the settled ones that began at a time or later, by when they were
// settled.
func (t *table) since(at time.Time) []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	var found []Record
	for _, p := range t.settled {
		if e := t.entries[p.subject]; e.sequence == p.sequence && !e.record.Op.Begun.Before(at) {
			found = append(found, e.record)
		}
	}
	return found
}

func (t *table) find(key api.IdempotencyKey) (Record, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.entries[subject(key)]
	return e.record, ok && e.record.Op.Key == key
}

// open returns the open ones by when they began.
func (t *table) open() []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	var open []Record
	for _, e := range t.entries {
		if e.record.State.Open() {
			open = append(open, e.record)
		}
	}
	slices.SortFunc(open, func(a, b Record) int {
		if c := a.Op.Begun.Compare(b.Op.Begun); c != 0 {
			return c
		}
		return strings.Compare(string(a.Op.Key), string(b.Op.Key))
	})
	return open
}
