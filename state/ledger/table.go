package ledger

import (
	"slices"

	"github.com/cardtop/cardtop/api"
)

// Row is a line of a table. Place names it, see Name; Cards is how many cards a
// campaign or a BIN has. Before is of the span before the range, where that is kept.
type Row struct {
	Place  uint32
	Cards  int32
	Now    Totals
	Before Past
}

// add adds what the segments of a card or merchant come to over a range. What
// they cannot tell is left to correct.
func (row *Row) add(s *[segments]Totals, r Range) {
	switch r {
	case Last24h:
	case Last7d:
		row.Now.add(&s[thisWeek])
		row.Before.add(&s[lastWeek])
	case Last14d:
		row.Now.add(&s[thisWeek])
		row.Now.add(&s[lastWeek])
	default:
		row.Now.add(&s[thisWeek])
		row.Now.add(&s[lastWeek])
		row.Now.add(&s[older])
	}
}

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
// the week before that is of a later hour than this one a week ago.
func (l *Ledger) correct(row *Row, r Range, day int32, e *entry) {
	if day > r.scanTo(l.hour.day()) {
		return
	}
	t := l.totalsOf(e, day)
	switch p := r.part(hourIn(day, e.hour), l.hour); {
	case r == Last24h && p == inRange:
		row.Now.add(&t)
	case r == Last24h && p == inBefore:
		row.Before.add(&t)
	case r == Last7d && p == outside:
		t = t.negative()
		row.Before.add(&t)
	}
}

// Table returns a row for each card, campaign, BIN or merchant over a range, in no
// order, and their sum. Campaigns and BINs are there when they have a card, cards
// and merchants when they have a transaction. Rows are appended to dst.
func (l *Ledger) Table(by By, r Range, dst []Row) ([]Row, Sum) {
	sum := l.readSum(r)
	l.accountSum(&sum, r)
	from := len(dst)
	switch by {
	case ByCard:
		dst = l.fill(dst, &l.cards.totals, r, func(e *entry) uint32 { return e.card })
	case ByMerchant:
		dst = l.fill(dst, &l.merchants.totals, r, func(e *entry) uint32 { return uint32(e.merchant) })
	case ByCampaign:
		dst = l.fillGroups(dst, l.cards.campaign, len(l.cards.campaigns.texts), r)
	case ByBIN:
		dst = l.fillGroups(dst, l.cards.bin, len(l.cards.bins.texts), r)
	default:
		return append(dst, Row{Cards: int32(len(l.cards.ids)), Now: sum.Totals, Before: sum.Before}), sum
	}
	n := from
	for i := range dst[from:] {
		if row := &dst[from+i]; row.Cards > 0 && (by == ByCampaign || by == ByBIN || !row.Now.Empty() || row.Before != Past{}) {
			if n < from+i {
				dst[n] = *row
			}
			n++
		}
	}
	return dst[:n], sum
}

// fill appends a row for each card or merchant.
func (l *Ledger) fill(dst []Row, all *sums, r Range, of func(*entry) uint32) []Row {
	from := len(dst)
	dst = slices.Grow(dst, all.n)[:from+all.n]
	rows := dst[from:]
	for place := range rows {
		rows[place] = Row{Place: uint32(place), Cards: 1}
		rows[place].add(all.at(uint32(place)), r)
	}
	l.scan(r, func(day int32, e *entry) { l.correct(&rows[of(e)], r, day, e) })
	return dst
}

// fillGroups appends a row for each campaign or BIN.
func (l *Ledger) fillGroups(dst []Row, group []uint32, groups int, r Range) []Row {
	from := len(dst)
	dst = slices.Grow(dst, groups)[:from+groups]
	rows := dst[from:]
	for i := range rows {
		rows[i] = Row{Place: uint32(i)}
	}
	for card, at := range group {
		rows[at].Cards++
		rows[at].add(l.cards.totals.at(uint32(card)), r)
	}
	l.scan(r, func(day int32, e *entry) { l.correct(&rows[group[e.card]], r, day, e) })
	return dst
}

// scan calls visit with the records of the account that the segments cannot tell.
func (l *Ledger) scan(r Range, visit func(day int32, e *entry)) {
	today := l.hour.day()
	for n, d := range l.days {
		if n >= r.scanFrom(today) && n <= r.scanTo(today) {
			l.records.each(d, func(_ ref, e *entry, _ *link) { visit(n, e) })
		}
	}
}

// Merchants returns where a card was used over a range, in no order.
func (l *Ledger) Merchants(card api.CardID, r Range) []Row {
	var out []Row
	places := make(map[uint16]int)
	l.each(OfCard(card), l.hour.day()-Days+1, 0, func(day int32, _ ref, e *entry) {
		in := r.part(hourIn(day, e.hour), l.hour)
		if in == outside {
			return
		}
		i, ok := places[e.merchant]
		if !ok {
			i = len(out)
			places[e.merchant] = i
			out = append(out, Row{Place: uint32(e.merchant), Cards: 1})
		}
		t := l.totalsOf(e, day)
		if in == inRange {
			out[i].Now.add(&t)
		} else {
			out[i].Before.add(&t)
		}
	})
	return out
}
