package ledger

import (
	"cmp"
	"math"
	"slices"
)

// Order says which rows of a table are wanted, and in which order.
type Order struct {
	// Key is what a row is sorted by; false where that is not known, which comes last
	// either way. Rows with the same key are in the order of their places.
	Key  func(*Row) (key float64, known bool)
	Desc bool
	// Match reports whether a row is wanted; nil for all.
	Match func(*Row) bool
	// Most is how many rows are wanted at most.
	Most int
}

// Top returns the first rows of a table in an order, how many rows match, and how many
// there are. It is faster than Table where they are many.
func (l *Ledger) Top(by By, r Range, o Order) (rows []Row, matching, of int) {
	t := &top{Order: o, rows: make([]ranked, 0, min(max(o.Most, 0), l.places(by)))}
	l.eachRow(by, r, func(row *Row) {
		of++
		if o.Match == nil || o.Match(row) {
			matching++
			t.add(row)
		}
	})
	return t.sorted(), matching, of
}

// ranked is a row with its key, ascending.
type ranked struct {
	key float64
	Row
}

func (a *ranked) compare(b *ranked) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Place, b.Place))
}

// top keeps the first rows of an order: a heap, the last of them in front.
type top struct {
	Order
	rows []ranked
}

func (t *top) add(row *Row) {
	if t.Most <= 0 {
		return
	}
	key, known := t.Key(row)
	switch {
	case !known:
		key = math.Inf(1)
	case t.Desc:
		key = -key
	}
	switch {
	case len(t.rows) < t.Most:
		t.rows = append(t.rows, ranked{key, *row})
		if len(t.rows) == t.Most {
			for i := t.Most/2 - 1; i >= 0; i-- {
				t.sift(i)
			}
		}
	case key < t.rows[0].key || key == t.rows[0].key && row.Place < t.rows[0].Place:
		t.rows[0] = ranked{key, *row}
		t.sift(0)
	}
}

func (t *top) sift(i int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.rows); child++ {
			if t.rows[child].compare(&t.rows[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		t.rows[i], t.rows[last] = t.rows[last], t.rows[i]
		i = last
	}
}

func (t *top) sorted() []Row {
	slices.SortFunc(t.rows, func(a, b ranked) int { return a.compare(&b) })
	out := make([]Row, len(t.rows))
	for i := range t.rows {
		out[i] = t.rows[i].Row
	}
	return out
}
