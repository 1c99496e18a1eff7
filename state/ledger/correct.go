package ledger

import "slices"

// count counts sums in a part of the range.
func (row *Row) count(in part, t *Totals) {
	switch in {
	case inRange:
		row.Now.add(t)
	case inBefore:
		row.Before.add(t)
	default:
	}
}

// correct counts a record in the part that it is in, and no longer in that of its segment.
func (row *Row) correct(base, in part, e *entry) {
	t := totalsOf(e)
	row.count(in, &t)
	t = t.negative()
	row.count(base, &t)
}

// scan calls visit with the records of the account that are in another part of a range than
// their segment.
func (l *Ledger) scan(r Range, visit func(base, in part, e *entry)) {
	w, today := l.window(r), l.hour.day()
	for n, d := range l.days {
		base, parts := r.base(segmentOf(n, today)), w.parts(n)
		if !slices.ContainsFunc(parts[:], func(in part) bool { return in != base }) {
			continue
		}
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				in := parts[e.hour]
				if in == cut {
					in = w.partAt(hourIn(n, e.hour), c.links[i].at)
				}
				if in != base && e.kind() != dead {
					visit(base, in, e)
				}
			}
		}
	}
}
