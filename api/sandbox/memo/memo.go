// Package memo remembers which rows of the sandbox a filter matches, because finding that again
// costs more than reading a page.
package memo

import "sync"

// Rows are the rows that filters match, each filter named by a key. They may be used from several
// goroutines.
type Rows[K comparable] struct {
	mu    sync.Mutex
	known map[K]matches
	held  int // rows of all filters
}

// matches are the rows of a filter up to a row.
type matches struct {
	rows []int32
	upTo int64
}

// Bounds of what is remembered; beyond one, everything is forgotten.
const (
	maxFilters = 4096
	maxRows    = 4_000_000
)

// Of returns the rows that match a filter up to the last row, in their order. find appends those after
// a row to the ones before.
func (m *Rows[K]) Of(key K, last int64, find func(rows []int32, after int64) []int32) []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[key]
	if known.upTo >= last && last > 0 {
		return known.rows
	}
	before := len(known.rows)
	known.rows, known.upTo = find(known.rows, known.upTo), last
	m.held += len(known.rows) - before
	if m.known == nil || len(m.known) >= maxFilters || m.held > maxRows {
		m.known, m.held = map[K]matches{}, len(known.rows)
	}
	m.known[key] = known
	return known.rows
}

// Forget forgets everything: rows have changed.
func (m *Rows[K]) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known, m.held = nil, 0
}
