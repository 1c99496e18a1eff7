// Package txnlist holds transactions in the order of time, and how far a list of
// them was read back into the past.
package txnlist

import (
	"cmp"
	"slices"
	"sort"

	"github.com/cardtop/cardtop/api"
)

// List is transactions in the order of time, oldest first. It has spare capacity
// at both ends, because new rows are added at one end and old ones added or
// dropped at the other. The rows of a page are inserted together, so that later
// rows move once. The zero value is empty.
type List struct {
	buf  []api.Transaction
	head int // the first row; what is before it is spare
}

// Rows returns the rows. They are the list's own: read only, and valid until the
// next change.
func (l *List) Rows() []api.Transaction { return l.buf[l.head:] }

// Find returns a row by its time and id; false when it is not there.
func (l *List) Find(t api.Transaction) (*api.Transaction, bool) {
	rows := l.Rows()
	i := Position(rows, t)
	if i == len(rows) || rows[i].ID != t.ID {
		return nil, false
	}
	return &rows[i], true
}

// Position returns how many rows are older than one.
func Position(rows []api.Transaction, t api.Transaction) int {
	return sort.Search(len(rows), func(i int) bool { return !Before(rows[i], t) })
}

// Add inserts rows that are in the order of time and not there yet.
func (l *List) Add(news []api.Transaction) {
	rows := l.Rows()
	if len(news) == 0 {
		return
	}
	if len(rows) > 0 && Before(news[len(news)-1], rows[0]) {
		l.prepend(news)
		return
	}
	end := len(rows)
	l.grow(len(news))
	l.buf = append(l.buf, news...)
	rows = l.Rows()
	// From the latest row back, so that each of the older ones moves only once,
	// by the number of new ones that come before it.
	for i := len(news) - 1; i >= 0; i-- {
		at := Position(rows[:end], news[i])
		copy(rows[at+i+1:], rows[at:end])
		rows[at+i] = news[i]
		end = at
	}
}

// prepend inserts rows that are all older. Without spare capacity it allocates
// half as much as there are rows, so that each page of the past costs the same.
func (l *List) prepend(news []api.Transaction) {
	if l.head < len(news) {
		room := max(len(news), len(l.Rows())/2)
		l.buf = append(make([]api.Transaction, room, room+len(l.Rows())+len(news)), l.Rows()...)
		l.head = room
	}
	l.head -= len(news)
	copy(l.buf[l.head:], news)
}

// grow makes capacity at the end for n rows. Spare capacity of a quarter of the
// rows at the front is used first, so that a row moves a few times in its life
// however many there are.
func (l *List) grow(n int) {
	if cap(l.buf)-len(l.buf) >= n {
		return
	}
	rows := l.Rows()
	if l.head < max(n, len(rows)/4) {
		l.buf, l.head = slices.Grow(rows, n), 0
		return
	}
	copy(l.buf, rows)
	clear(l.buf[len(rows):])
	l.buf, l.head = l.buf[:len(rows)], 0
}

// Drop removes the n oldest rows. Their place becomes spare.
func (l *List) Drop(n int) {
	clear(l.buf[l.head : l.head+n])
	l.head += n
}

// Merge returns the rows of two lists, both newest first, each once. Of a row
// that is in both, the second's is the later state.
func Merge(rows, more []api.Transaction) []api.Transaction {
	out := make([]api.Transaction, 0, len(rows)+len(more))
	for len(rows) > 0 && len(more) > 0 {
		switch c := Compare(rows[0], more[0]); {
		case c == 0:
			rows = rows[1:]
		case c > 0:
			out, rows = append(out, rows[0]), rows[1:]
		default:
			out, more = append(out, more[0]), more[1:]
		}
	}
	return append(append(out, rows...), more...)
}

// NewestFirst returns the rows of a page in order, each once.
func NewestFirst(items []api.Transaction) []api.Transaction {
	out := slices.Clone(items)
	slices.SortFunc(out, func(a, b api.Transaction) int { return Compare(b, a) })
	return slices.CompactFunc(out, func(a, b api.Transaction) bool { return a.ID == b.ID })
}

// Compare compares by time, and by id at one time.
func Compare(a, b api.Transaction) int {
	if c := a.CreatedAt.Compare(b.CreatedAt); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// Before reports whether a transaction is older than another.
func Before(a, b api.Transaction) bool { return Compare(a, b) < 0 }

// Foreign reports whether a transaction moved money in another currency than USD.
func Foreign(t *api.Transaction) bool {
	return !t.InUSD() && (t.Type == api.TransactionSettlement || t.Type == api.TransactionRefund)
}

// Spent is what a transaction adds to the card's spending, in USD: amounts of a
// settlement are negative, of a refund positive, and the others move nothing
// (ASSUMED 16).
func Spent(t api.Transaction) api.USD {
	if t.Type == api.TransactionSettlement || t.Type == api.TransactionRefund {
		return -t.Amount
	}
	return 0
}
