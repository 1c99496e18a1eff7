package ledger

import (
	"slices"
	"time"
)

// Advance moves the clock on, the server's. With each day some records come into
// another segment, some holds can settle no more, and what is too old is dropped. A
// clock that goes back changes nothing.
func (l *Ledger) Advance(now time.Time) {
	if now.After(l.now) {
		l.now = now
	}
	to := hourOf(now.UnixMicro())
	if to <= l.hour {
		return
	}
	from := l.hour
	l.hour = to
	l.version++
	l.endRecent(from)
	if from.day() == to.day() {
		return
	}
	for _, d := range l.days {
		l.recount(d, from)
	}
	for n, d := range l.days {
		if n <= to.day()-Days {
			l.dropDay(d)
		}
	}
	l.pairTouched()
}

// recount counts the records of a day again that come to something else than at an
// earlier hour.
func (l *Ledger) recount(d *day, from hour) {
	to := l.hour
	before, now := segmentOf(d.number, from.day()), segmentOf(d.number, to.day())
	l.hour = from
	was := l.matured(d.number)
	l.hour = to
	matures := was != l.matured(d.number)
	if before == now && !matures {
		return
	}
	move := func(s *[segments]Totals, t, back *Totals) {
		s[before].add(back)
		s[now].add(t)
	}
	l.records.each(d, func(at ref, e *entry, _ *link) {
		if matures && e.kind() == authorization {
			l.hour = from
			l.apply(at, -1)
			l.hour = to
			l.apply(at, 1)
			return
		}
		t := l.totalsOf(e, d.number)
		back := t.negative()
		move(l.cards.totals.at(e.card), &t, &back)
		move(l.cards.bins.sumOf(e.card), &t, &back)
		move(l.cards.campaigns.sumOf(e.card), &t, &back)
		move(l.merchants.totals.at(uint32(e.merchant)), &t, &back)
	})
}

// dropDay removes a day and its transactions.
func (l *Ledger) dropDay(d *day) {
	var of []uint32
	l.records.each(d, func(at ref, e *entry, k *link) {
		if k.pair != 0 && l.records.dayOf(k.pair) != d.number {
			l.touch(e.card, e.merchant, e.kind())
		}
		l.unpair(at)
		l.apply(at, -1)
		delete(l.ids, k.id)
		of = append(of, e.card)
	})
	slices.Sort(of)
	for _, card := range slices.Compact(of) {
		l.unlink(card, func(_ ref, k *link) bool { return hourOf(k.at).day() == d.number })
		l.forget(card, func(r ref) bool { return l.records.dayOf(r) == d.number })
	}
	l.records.drop(d)
	delete(l.days, d.number)
}
