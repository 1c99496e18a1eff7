// Package memo remembers how many rows a filter of the sandbox matches and where
// pages of it begin, because finding that again costs more than reading a page.
package memo

import (
	"slices"
	"sync"
)

// Counts are the counts and marks of filters, each named by a key. They may be
// used from several goroutines.
type Counts struct {
	mu         sync.Mutex
	txnCounts  map[string]txnCount
	cardCounts map[string]int64
	version    int64 // of what the counts of cards rest on

	// MinRows is the length of the shortest range of rows that is worth
	// remembering.
	MinRows int64
}

// txnCount is what is known of a filter of transactions.
type txnCount struct {
	count, upTo int64
	marks       []Mark
}

// Mark is a row of a filter and how many of its rows are older, which stays true
// whatever is appended.
type Mark struct {
	Older, Row int64
}

// maxMarks bounds the marks of a filter; the next one replaces the oldest.
const maxMarks = 128

// maxFilters bounds the filters; the next one clears them.
const maxFilters = 4096

// New returns counts that know nothing.
func New() *Counts {
	return &Counts{txnCounts: map[string]txnCount{}, cardCounts: map[string]int64{}, MinRows: 10_000}
}

// Txns returns how many transactions up to row upTo match a filter; 0, 0 when
// that is not known.
func (m *Counts) Txns(key string) (count, upTo int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.txnCounts[key]
	return known.count, known.upTo
}

// SetTxns sets how many transactions up to row upTo match a filter, unless a
// later row is known.
func (m *Counts) SetTxns(key string, count, upTo int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.txnCounts) >= maxFilters {
		clear(m.txnCounts)
	}
	if known := m.txnCounts[key]; known.upTo < upTo {
		known.count, known.upTo = count, upTo
		m.txnCounts[key] = known
	}
}

// Marks returns the marks of a filter.
func (m *Counts) Marks(key string) []Mark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.txnCounts[key].marks)
}

// AddMark adds a mark to a filter that has a count.
func (m *Counts) AddMark(key string, one Mark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, is := m.txnCounts[key]
	if !is || slices.Contains(known.marks, one) {
		return
	}
	if len(known.marks) >= maxMarks {
		known.marks = slices.Delete(known.marks, 0, 1)
	}
	known.marks = append(known.marks, one)
	m.txnCounts[key] = known
}

// ForgetCards clears the counts of cards: one was created, or has another status
// or label.
func (m *Counts) ForgetCards() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version++
	clear(m.cardCounts)
}

// Cards returns how many cards match a filter, if that is known, and the version
// to set it with.
func (m *Counts) Cards(key string) (count, version int64, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count, known = m.cardCounts[key]
	return count, m.version, known
}

// SetCards sets how many cards match a filter, unless cards changed since the
// version was read.
func (m *Counts) SetCards(key string, count, version int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version != m.version {
		return
	}
	if len(m.cardCounts) >= maxFilters {
		clear(m.cardCounts)
	}
	m.cardCounts[key] = count
}
