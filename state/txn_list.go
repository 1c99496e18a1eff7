package state

import (
	"slices"
	"sort"

	"github.com/cardtop/cardtop/api"
)

// timeline keeps transactions in the order of time, oldest first. It has room
// at both ends, because the present is added at one and the past at the other
// or dropped there, and places the rows of a page together: those that lie
// later move once.
type timeline struct {
	buf  []api.Transaction
	head int // the first row; what lies before is room
}

// rows are the timeline's own: they are read, not kept and not changed.
func (l *timeline) rows() []api.Transaction { return l.buf[l.head:] }

// find gives the place of a row, false when it is not there. A row is found
// by its time and id.
func (l *timeline) find(t api.Transaction) (*api.Transaction, int, bool) {
	rows := l.rows()
	i := before(rows, t)
	if i == len(rows) || rows[i].ID != t.ID {
		return nil, 0, false
	}
	return &rows[i], i, true
}

// before counts the rows that are older than one.
func before(rows []api.Transaction, t api.Transaction) int {
	return sort.Search(len(rows), func(i int) bool { return !transactionBefore(rows[i], t) })
}

// add places rows that are in the order of time and not there yet.
func (l *timeline) add(news []api.Transaction) {
	rows := l.rows()
	if len(news) == 0 {
		return
	}
	if len(rows) > 0 && transactionBefore(news[len(news)-1], rows[0]) {
		l.prepend(news)
		return
	}
	end := len(rows)
	l.makeRoom(len(news))
	l.buf = append(l.buf, news...)
	rows = l.rows()
	// From the latest row back, so that each of the older ones moves only once,
	// by the number of new ones that come before it.
	for i := len(news) - 1; i >= 0; i-- {
		at := before(rows[:end], news[i])
		copy(rows[at+i+1:], rows[at:end])
		rows[at+i] = news[i]
		end = at
	}
}

// prepend places rows that are all older. When there is no room for them it
// makes half as much as there are rows, so that reading the past costs the same
// for each page.
func (l *timeline) prepend(news []api.Transaction) {
	if l.head < len(news) {
		room := max(len(news), len(l.rows())/2)
		l.buf = append(make([]api.Transaction, room, room+len(l.rows())+len(news)), l.rows()...)
		l.head = room
	}
	l.head -= len(news)
	copy(l.buf[l.head:], news)
}

// makeRoom makes room at the end for n rows. What a quarter of the rows left
// at the front is taken first, so that a row moves a few times in its life
// however many are held.
func (l *timeline) makeRoom(n int) {
	if cap(l.buf)-len(l.buf) >= n {
		return
	}
	rows := l.rows()
	if l.head < max(n, len(rows)/4) {
		l.buf, l.head = slices.Grow(rows, n), 0
		return
	}
	copy(l.buf, rows)
	clear(l.buf[len(rows):])
	l.buf, l.head = l.buf[:len(rows)], 0
}

// drop lets go of the oldest rows. Their place becomes room.
func (l *timeline) drop(n int) {
	clear(l.buf[l.head : l.head+n])
	l.head += n
}
