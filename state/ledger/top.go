package ledger

import "slices"

// top keeps the first rows of an order: a heap, the last of them in front.
type top struct {
	rows    []Row
	n       int
	compare func(a, b *Row) int
}

func newTop(n int, compare func(a, b *Row) int) *top {
	return &top{rows: make([]Row, 0, max(n, 0)), n: max(n, 0), compare: compare}
}

func (t *top) add(row *Row) {
	switch {
	case len(t.rows) < t.n:
		t.rows = append(t.rows, *row)
		if len(t.rows) == t.n {
			for i := t.n/2 - 1; i >= 0; i-- {
				t.sift(i)
			}
		}
	case t.n > 0 && t.compare(row, &t.rows[0]) < 0:
		t.rows[0] = *row
		t.sift(0)
	}
}

func (t *top) sift(i int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.rows); child++ {
			if t.compare(&t.rows[child], &t.rows[last]) > 0 {
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
	slices.SortFunc(t.rows, func(a, b Row) int { return t.compare(&a, &b) })
	return t.rows
}
