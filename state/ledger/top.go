package ledger

import "slices"

// Top returns the first n rows in an order, which is a strict one. The rows change
// places.
func Top(rows []Row, n int, compare func(a, b *Row) int) []Row {
	if n <= 0 {
		return nil
	}
	if len(rows) > n {
		// A heap of the n first so far, the last of them on top.
		h := rows[:n]
		for i := n/2 - 1; i >= 0; i-- {
			sift(h, i, compare)
		}
		for i := n; i < len(rows); i++ {
			if compare(&rows[i], &h[0]) < 0 {
				rows[i], h[0] = h[0], rows[i]
				sift(h, 0, compare)
			}
		}
		rows = h
	}
	slices.SortFunc(rows, func(a, b Row) int { return compare(&a, &b) })
	return rows
}

func sift(h []Row, i int, compare func(a, b *Row) int) {
	for {
		last := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if compare(&h[child], &h[last]) > 0 {
				last = child
			}
		}
		if last == i {
			return
		}
		h[i], h[last] = h[last], h[i]
		i = last
	}
}
