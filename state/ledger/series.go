package ledger

import "time"

// Bucket is the sums of an hour or a UTC day. Complete reports whether all of it
// was read, as far as the ledger was read at all.
type Bucket struct {
	Start time.Time
	Totals
	Complete bool
	// Open is what is held still of the holds of a day; that of an hour is not known.
	Open Open
}

// Sum is the sums of a scope over a range, and of the span before it.
type Sum struct {
	Totals
	Coverage Coverage
	// Before is the same span before the range. Compared reports whether that is
	// kept at all, BeforeRead how much of it was read.
	Before     Past
	Compared   bool
	BeforeRead Coverage
	// Open is what is held now, whatever the range is.
	Open Open
}

// Days returns the sums of the last n UTC days, at most Days, oldest first; the
// last is today.
func (l *Ledger) Days(s Scope, n int) []Bucket {
	n = min(max(n, 0), Days)
	first := l.hour.day() - int32(n) + 1
	out, open := make([]Bucket, n), make([]openSum, n)
	defer func() {
		for i := range out {
			out[i].Open = l.estimate(&open[i])
		}
	}()
	for i := range out {
		day := first + int32(i)
		out[i].Start = dayTime(day)
		out[i].Complete = l.coverage(dayTime(day), dayTime(day+1)).Complete
	}
	if n == 0 {
		return out
	}
	if s.By == ByAccount {
		for _, d := range l.days {
			if d.number < first {
				continue
			}
			i := min(int(d.number-first), n-1)
			open[i].add(d.open, 1)
			for h := range d.hours {
				out[i].add(&d.hours[h])
			}
		}
		return out
	}
	l.each(s, first, 0, func(day int32, at ref, e *entry) {
		t, i := totalsOf(e), min(int(day-first), n-1)
		out[i].add(&t)
		open[i].add(openOf(l.openHold(day, at, e)), 1)
	})
	return out
}

// Hours returns the sums of the last n hours, at most Hours, oldest first; the
// last is the present one.
func (l *Ledger) Hours(s Scope, n int) []Bucket {
	n = min(max(n, 0), Hours)
	first := l.hour - hour(n) + 1
	out := make([]Bucket, n)
	for i := range out {
		h := first + hour(i)
		out[i].Start = h.time()
		out[i].Complete = l.coverage(h.time(), (h + 1).time()).Complete
	}
	if n == 0 {
		return out
	}
	if s.By == ByAccount {
		l.accountHours(out, first)
		return out
	}
	l.each(s, first.day(), 0, func(day int32, _ ref, e *entry) {
		if h := hourIn(day, e.hour); h >= first {
			t := totalsOf(e)
			out[min(int(h-first), n-1)].add(&t)
		}
	})
	return out
}

// accountHours adds the sums of the account by hour, of which the days keep them.
func (l *Ledger) accountHours(out []Bucket, first hour) {
	for _, d := range l.days {
		for h := range d.hours {
			if at := hourIn(d.number, uint8(h)); at >= first {
				out[min(int(at-first), len(out)-1)].add(&d.hours[h])
			}
		}
	}
}

// Total returns the sums of a scope over a range.
func (l *Ledger) Total(s Scope, r Range) Sum {
	out := l.readSum(r)
	out.Open = l.Open(s)
	place, ok := l.place(s)
	if !ok {
		return out
	}
	if s.By == ByAccount {
		l.accountSum(&out, r)
		return out
	}
	row := Row{}
	row.add(l.sums(s.By).at(place), r)
	l.each(s, r.scanFrom(l.hour.day()), 0, func(day int32, _ ref, e *entry) {
		if in := r.part(hourIn(day, e.hour), l.hour); day <= r.scanTo(l.hour.day()) && r.corrects(in) {
			l.correct(&row, r, in, e)
		}
	})
	out.Totals, out.Before = row.Now, row.Before
	return out
}

func (l *Ledger) accountSum(out *Sum, r Range) {
	for _, d := range l.days {
		for h := range d.hours {
			switch r.part(hourIn(d.number, uint8(h)), l.hour) {
			case inRange:
				out.add(&d.hours[h])
			case inBefore:
				out.Before.add(&d.hours[h])
			default:
			}
		}
	}
}

// readSum returns an empty sum that says what was read.
func (l *Ledger) readSum(r Range) Sum {
	s := Sum{Coverage: l.Coverage(r)}
	if span, ok := r.before(l.hour); ok {
		s.Compared, s.BeforeRead = true, l.coverage(span.From, span.To)
	}
	return s
}
