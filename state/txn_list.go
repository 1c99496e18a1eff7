package state

import (
	"slices"
	"sort"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
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

// backwards is the reading of a list on into the past, a page at a time, for
// who scrolls to its end. The pages of one reading are bounded by the time it
// began at, so that what is made meanwhile shifts none of them.
type backwards struct {
	// back is the time on the server's clock after which all was read; zero when
	// that is not known.
	back time.Time
	// to bounds the reading, page is the last one read of it; 0 before the first.
	to   time.Time
	page int
	// asked is the request under way, 0 for none; at is when the last ended.
	asked Seq
	at    time.Time
	end   bool // nothing is older
	err   error
}

// told tells how far a reading has come.
func (b *backwards) told() Older {
	o := Older{Back: b.back, Loading: b.asked != 0, End: b.end}
	if b.err != nil {
		o.Why = explain(b.err)
	}
	return o
}

// ready tells whether another page can be asked for.
func (b *backwards) ready(now time.Time, pause time.Duration) bool {
	return b.asked == 0 && !b.end && !b.back.IsZero() && poll.Elapsed(b.at, now) >= pause
}

// next asks for another page.
func (b *backwards) next(seq Seq) FetchOlder {
	if b.page == 0 {
		b.to = b.back
	}
	b.asked, b.err = seq, nil
	return FetchOlder{Seq: b.asked, To: b.to, Page: b.page + 1}
}

// takeOver goes on where another reading of the same rows has come to, if that
// goes further back.
func (b *backwards) takeOver(from backwards) {
	if !from.back.IsZero() && from.back.Before(b.back) {
		*b = backwards{back: from.back, at: b.at}
	}
}

// reach notes that a page was read that follows what was read before. Of the
// time of its oldest row there may be more on the next.
func (b *backwards) reach(items []api.Transaction) {
	for _, t := range items {
		b.readAfter(t.CreatedAt)
	}
}

// readAfter notes that all was read that was made after a time; a row without
// one tells nothing.
func (b *backwards) readAfter(at time.Time) {
	if !at.IsZero() && (b.back.IsZero() || at.Before(b.back)) {
		b.back = at
	}
}

// since tells whether all was read that was made from a time on.
func (b *backwards) since(from time.Time) bool {
	return b.end || !b.back.IsZero() && b.back.Before(from)
}

// withRows puts rows into others, both newest first, each once. Of a row that
// is in both the later state counts, which is the second's.
func withRows(rows, more []api.Transaction) []api.Transaction {
	out := make([]api.Transaction, 0, len(rows)+len(more))
	for len(rows) > 0 && len(more) > 0 {
		switch c := inOrder(rows[0], more[0]); {
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

// newestFirst gives the rows of a page in order, each once.
func newestFirst(items []api.Transaction) []api.Transaction {
	out := slices.Clone(items)
	slices.SortFunc(out, func(a, b api.Transaction) int { return inOrder(b, a) })
	return slices.CompactFunc(out, func(a, b api.Transaction) bool { return a.ID == b.ID })
}
