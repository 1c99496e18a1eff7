package cardlist

import "iter"

// Changed yields the rows, for reading, that are not as in an earlier share of the list, a
// block at a time with its place: every row that is another, and those beside it.
func (l *List) Changed(since *List) iter.Seq2[int, []Row] {
	return func(yield func(int, []Row) bool) {
		for i, b := range l.blocks {
			if i < len(since.blocks) && since.blocks[i] == b {
				continue // A block that is shared is copied before it changes.
			}
			if !yield(i, b[:min(blockRows, l.n-i*blockRows)]) {
				return
			}
		}
	}
}

// Sum adds up a number of each row. It keeps what the blocks of the list came to, and asks
// only for the rows of those that changed since. The zero value has added up nothing.
type Sum struct {
	of   List
	sums []uint64 // by block
}

// Of is what the rows come to, in any order. Row has to be the same function each time.
func (s *Sum) Of(l *List, row func(*Row) uint64) (total uint64) {
	kept := min(len(s.sums), len(l.blocks))
	s.sums = append(s.sums[:kept:kept], make([]uint64, len(l.blocks)-kept)...)
	for i, rows := range l.Changed(&s.of) {
		s.sums[i] = 0
		for j := range rows {
			s.sums[i] += row(&rows[j])
		}
	}
	s.of = l.Share()
	for _, n := range s.sums {
		total += n
	}
	return total
}
