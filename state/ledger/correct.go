package ledger

// scanFrom is the first day whose records correct has to see, and scanTo the last.
func (r Range) scanFrom(today int32) int32 {
	switch r {
	case Last24h:
		return today - 2
	case Last7d:
		return today - 7
	default:
		return today + 1<<16
	}
}

func (r Range) scanTo(today int32) int32 {
	if r == Last7d {
		return today - 7
	}
	return today + 1<<16
}

// correct adds a record of 24 hours, which are no whole days, and takes one out of
// the week before that is of a later hour than this one a week ago. in is the part of
// the range that the record is in.
func (l *Ledger) correct(row *Row, r Range, in part, e *entry) {
	t := totalsOf(e)
	switch {
	case r == Last24h && in == inRange:
		row.Now.add(&t)
	case r == Last24h && in == inBefore:
		row.Before.add(&t)
	case r == Last7d && in == outside:
		t = t.negative()
		row.Before.add(&t)
	}
}

// corrects reports whether the records of a part need correct.
func (r Range) corrects(in part) bool { return (in == outside) == (r == Last7d) }

// parts returns the part of each hour of a day.
func (l *Ledger) parts(r Range, day int32) (parts [24]part) {
	for h := range parts {
		parts[h] = r.part(hourIn(day, uint8(h)), l.hour)
	}
	return parts
}

// scan calls visit with the records of the account that the segments cannot tell.
func (l *Ledger) scan(r Range, visit func(in part, e *entry)) {
	today := l.hour.day()
	for n, d := range l.days {
		if n < r.scanFrom(today) || n > r.scanTo(today) {
			continue
		}
		parts := l.parts(r, n)
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				if in := parts[e.hour]; e.kind() != dead && r.corrects(in) {
					visit(in, e)
				}
			}
		}
	}
}
