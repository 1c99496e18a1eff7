package sandbox

import (
	"slices"
	"sync"
)

// countMemo remembers how many rows a filter matches and where pages of it
// begin, because finding that again costs more than reading a page.
type countMemo struct {
	mu      sync.Mutex
	txns    map[string]txnCount
	cards   map[string]int64
	version int64 // of what the counts of cards rest on

	// worth is how many rows a range has at least that is remembered: a shorter
	// one is counted anew each time.
	worth int64
}

// txnCount is what is known of a filter of transactions.
type txnCount struct {
	count, upTo int64
	marks       []txnMark
}

// txnMark is a row of a filter and how many of its rows are older, which stays
// true whatever is appended.
type txnMark struct {
	older, row int64
}

// maxMarks bounds the marks of a filter; the next one replaces the oldest.
const maxMarks = 128

// maxMemo bounds how many filters are remembered before it starts anew.
const maxMemo = 4096

func newCountMemo() *countMemo {
	return &countMemo{txns: map[string]txnCount{}, cards: map[string]int64{}, worth: 10_000}
}

// transactions gives how many rows up to a number were counted.
func (m *countMemo) transactions(key string) (count, upTo int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.txns[key]
	return known.count, known.upTo
}

func (m *countMemo) keepTransactions(key string, count, upTo int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.txns) >= maxMemo {
		clear(m.txns)
	}
	if known := m.txns[key]; known.upTo < upTo {
		known.count, known.upTo = count, upTo
		m.txns[key] = known
	}
}

// marks gives the rows of a filter whose place is known.
func (m *countMemo) marks(key string) []txnMark {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.txns[key].marks)
}

// mark remembers the place of a row, as long as its filter is remembered.
func (m *countMemo) mark(key string, one txnMark) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known, is := m.txns[key]
	if !is || slices.Contains(known.marks, one) {
		return
	}
	if len(known.marks) >= maxMarks {
		known.marks = slices.Delete(known.marks, 0, 1)
	}
	known.marks = append(known.marks, one)
	m.txns[key] = known
}

// cardsChanged forgets the counts of cards: one was made, or has another
// status or label.
func (m *countMemo) cardsChanged() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.version++
	clear(m.cards)
}

func (m *countMemo) cardCount(key string) (count, version int64, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	count, known = m.cards[key]
	return count, m.version, known
}

// keepCards remembers a count, unless cards changed while it was made.
func (m *countMemo) keepCards(key string, count, version int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version != m.version {
		return
	}
	if len(m.cards) >= maxMemo {
		clear(m.cards)
	}
	m.cards[key] = count
}
