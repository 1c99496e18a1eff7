package ledger

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

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

// Bars returns the sums of a scope by hour over Today and Last24h, by UTC day over the other ranges, oldest
// first. The first day is what of it is in the range, so that they come to the total.
func (l *Ledger) Bars(s Scope, r Range) []Bucket {
	if r == Today || r == Last24h {
		return l.Hours(s, int(l.hour-l.begin(r))+1)
	}
	return l.daysSince(s, l.window(r).from)
}

// DaysSince returns the sums by UTC day since a full hour, oldest first: of the first day from that hour on.
func (l *Ledger) DaysSince(s Scope, from time.Time) []Bucket {
	return l.daysSince(s, hourOf(from.UnixMicro()))
}

// Days returns the sums of the last n UTC days, at most Days, oldest first; the
// last is today.
func (l *Ledger) Days(s Scope, n int) []Bucket {
	return l.daysSince(s, hourIn(l.hour.day()-int32(min(max(n, 0), Days))+1, 0))
}

func (l *Ledger) daysSince(s Scope, from hour) []Bucket {
	first := from.day()
	n := max(0, int(l.hour.day()-first)+1)
	out, open := make([]Bucket, n), make([]openSum, n)
	for i := range out {
		begin, end := max(from, hourIn(first+int32(i), 0)), hourIn(first+int32(i)+1, 0)
		out[i].Start = begin.time()
		out[i].Complete = l.coverage(begin.time(), end.time()).Complete
	}
	if n == 0 {
		return out
	}
	visit := func(day int32, at ref, e *entry) {
		if hourIn(day, e.hour) < from {
			return
		}
		t, i := totalsOf(e), min(int(day-first), n-1)
		out[i].add(&t)
		open[i].add(openOf(l.openHold(day, at, e)), 1)
	}
	if s.By != ByAccount {
		l.each(s, first, 0, visit)
	}
	for _, d := range l.days {
		switch {
		case s.By != ByAccount, d.number < first:
		case d.number == first && from.ofDay() > 0:
			l.records.each(d, func(at ref, e *entry, _ *link) { visit(first, at, e) })
		default:
			i := min(int(d.number-first), n-1)
			open[i].add(d.open, 1)
			for h := range d.hours {
				out[i].add(&d.hours[h])
			}
		}
	}
	for i := range out {
		out[i].Open = l.estimate(&open[i])
	}
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
	if s.By == ByCard {
		w, today := l.window(r), l.hour.day()
		l.each(s, l.hour.day()-Days+1, 0, func(day int32, at ref, e *entry) {
			base := r.base(segmentOf(day, today))
			if in := w.partAt(hourIn(day, e.hour), l.records.link(at).at); in != base {
				row.correct(base, in, e)
			}
		})
	} else {
		groups := l.groups(s.By)
		l.scan(r, func(base, in part, e *entry) {
			if placeOf(e, groups) == place {
				row.correct(base, in, e)
			}
		})
	}
	out.Totals, out.Before = row.Now, row.Before
	return out
}

func (l *Ledger) accountSum(out *Sum, r Range) {
	w := l.window(r)
	for _, d := range l.days {
		for h := range d.hours {
			switch w.part(hourIn(d.number, uint8(h))) {
			case inRange:
				out.add(&d.hours[h])
			case inBefore:
				out.Before.add(&d.hours[h])
			case cut:
				l.records.each(d, func(_ ref, e *entry, k *link) {
					if int(e.hour) == h && k.at >= w.before && k.at < w.until {
						t := totalsOf(e)
						out.Before.add(&t)
					}
				})
			default:
			}
		}
	}
}

// readSum returns an empty sum that says what was read.
func (l *Ledger) readSum(r Range) Sum {
	s := Sum{Coverage: l.Coverage(r)}
	if r.compares() {
		w := l.window(r)
		span := w.span()
		s.Compared, s.BeforeRead = true, l.coverage(span.From, span.To)
	}
	return s
}

// Spent24h returns what a card spent in Last24h, USD: what settled less what was refunded. It is kept
// for each card, because lists show and sort by it.
func (l *Ledger) Spent24h(id api.CardID) api.USD {
	if place, ok := l.cards.places[id]; ok {
		return l.cards.recent[place].spent
	}
	return 0
}

// recent is what a card spent in Last24h, USD; moved is set until the change, or that the card was used, was told of.
type recent struct {
	spent api.USD
	moved bool
}

// EachMoved calls visit with the cards whose Spent24h or Used may have changed since the
// last call.
func (l *Ledger) EachMoved(visit func(api.CardID)) {
	for _, place := range l.moved {
		l.cards.recent[place].moved = false
		visit(l.cards.ids[place])
	}
	l.moved = l.moved[:0]
}

// addRecent counts a record of an hour in what its card spent, or takes it back.
func (l *Ledger) addRecent(e *entry, at hour, sign api.USD) {
	if kind := e.kind(); kind != settlement && kind != refund || at < l.hour-Last24h.hours() {
		return
	}
	l.move(e.card, -sign*e.amount)
}

func (l *Ledger) move(card uint32, by api.USD) {
	l.cards.recent[card].spent += by
	l.tellMoved(card)
}

// use counts a transaction as a use of a card.
func (l *Ledger) use(card uint32, at int64) {
	if at > l.cards.used[card] {
		l.cards.used[card] = at
		l.tellMoved(card)
	}
}

func (l *Ledger) tellMoved(card uint32) {
	if of := &l.cards.recent[card]; !of.moved {
		of.moved = true
		l.moved = append(l.moved, card)
	}
}

// endRecent takes back what was of Last24h at an earlier hour and is not any more.
func (l *Ledger) endRecent(from hour) {
	first, end := from-Last24h.hours(), l.hour-Last24h.hours()
	for n, d := range l.days {
		if n < first.day() || n > (end-1).day() {
			continue
		}
		l.records.each(d, func(_ ref, e *entry, _ *link) {
			if kind, at := e.kind(), hourIn(n, e.hour); (kind == settlement || kind == refund) && at >= first && at < end {
				l.move(e.card, e.amount)
			}
		})
	}
}

// TableSince returns a row for each card, campaign, BIN or merchant that has a
// transaction since a full hour or a hold, in no order, and their sum. Nothing is compared.
func (l *Ledger) TableSince(by By, from time.Time) (table []Row, sum Totals) {
	groups, index := l.groups(by), make(map[uint32]int)
	first := hourOf(from.UnixMicro())
	for _, d := range l.days {
		if d.number < first.day() {
			continue
		}
		l.records.each(d, func(_ ref, e *entry, _ *link) {
			if hourIn(d.number, e.hour) < first {
				return
			}
			place := e.card
			switch {
			case by == ByAccount:
				place = 0
			case by == ByMerchant:
				place = uint32(e.merchant)
			case groups != nil:
				place = groups[place]
			}
			at, ok := index[place]
			if !ok {
				at = len(table)
				index[place] = at
				table = append(table, Row{Place: place})
			}
			t := totalsOf(e)
			table[at].Now.add(&t)
			sum.add(&t)
		})
	}
	if by == ByAccount {
		for i := range table {
			table[i].Open = l.Open(Account())
		}
		return table, sum
	}
	for place := range uint32(l.places(by)) {
		open := l.estimate(l.sums(by).open(place))
		if at, ok := index[place]; ok {
			table[at].Open = open
		} else if open.USD != 0 {
			table = append(table, Row{Place: place, Open: open})
		}
	}
	return table, sum
}
