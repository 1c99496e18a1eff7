package ledger

import (
	"slices"
	"time"
)

// Advance moves the clock on, the server's. With each hour some holds are not counted any more; with
// each day some records come into another segment, and what is too old is dropped. A
// clock that goes back by less than an hour changes nothing.
func (l *Ledger) Advance(now time.Time) {
	if l.now.Sub(now) >= time.Hour {
		l.goBack(now)
		return
	}
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
	if from.day() != to.day() {
		l.beginDay(from)
	}
	l.relearn()
}

// goBack counts everything again at an earlier time: this machine's clock was ahead until the server's was known.
func (l *Ledger) goBack(now time.Time) {
	all := func(sign int) {
		for _, d := range l.days {
			l.records.each(d, func(at ref, _ *entry, _ *link) { l.apply(at, sign) })
		}
	}
	all(-1)
	l.now, l.hour = now, hourOf(now.UnixMicro())
	all(1)
	for _, d := range l.days {
		l.records.each(d, func(_ ref, e *entry, k *link) {
			if pairs(k.kind) {
				l.touched = append(l.touched, e.card)
			}
		})
	}
	l.pairTouched()
	l.relearns = true
	l.relearn()
}

// beginDay has the records come to what they do on another day than that of an hour.
func (l *Ledger) beginDay(from hour) {
	to := l.hour
	for n, d := range l.days {
		l.recount(d, from)
		if n > from.day()-PairDays {
			l.touchDay(d, from)
		}
	}
	l.pairTouched()
	for n, d := range l.days {
		if n <= to.day()-Days {
			l.dropDay(d)
		}
	}
	l.relearns = true
}

// touchDay has those cards paired again of whose pairs another day can make others: those with a transaction
// that is paired no more, with one that tells now how long settlements take, and with a settlement that may be of a
// hold before those that are paired. All others would be paired as they are.
func (l *Ledger) touchDay(d *day, from hour) {
	begin, today := l.pairFrom(), l.hour.day()
	over, early, learned := d.number < begin, d.number < begin+beginDays, d.number >= from.day() && d.number < today
	if !over && !learned && !early {
		return
	}
	l.records.each(d, func(_ ref, e *entry, k *link) {
		switch {
		case !pairs(k.kind):
		case over, learned, early && k.kind == settlement && l.context(e.card).IsOfEarlier(k.at):
			l.touched = append(l.touched, e.card)
		}
	})
}

// recount counts the records of a day again that come to something else than at an
// earlier hour.
func (l *Ledger) recount(d *day, from hour) {
	to := l.hour
	before, now := segmentOf(d.number, from.day()), segmentOf(d.number, to.day())
	if before == now {
		return
	}
	move := func(s *[segments]Totals, t, back *Totals) {
		s[before].add(back)
		s[now].add(t)
	}
	l.records.each(d, func(_ ref, e *entry, _ *link) {
		t := totalsOf(e)
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
		l.apply(at, -1)
		delete(l.ids, k.id)
		of = append(of, e.card)
	})
	slices.Sort(of)
	first, last := hourIn(d.number, 0).time().UnixMicro(), hourIn(d.number+1, 0).time().UnixMicro()
	for cards := range slices.Chunk(slices.Compact(of), fetchMost) {
		l.fetch(cards)
		for _, card := range cards {
			l.unlink(card, func(_ ref, k *link) bool { return k.at >= first && k.at < last })
		}
	}
	l.records.drop(d)
	delete(l.days, d.number)
}
