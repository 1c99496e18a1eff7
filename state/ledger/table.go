package ledger

import "github.com/cardtop/cardtop/api"

// Row is a line of a table. Place names it, see Name; Cards is how many cards a
// campaign or a BIN has. Before is of the span before the range, where that is kept. Open is what is
// held now, whatever the range is.
type Row struct {
	Place  uint32
	Cards  int32
	Now    Totals
	Before Past
	Open   Open
}

// empty reports whether there is nothing to say.
func (row *Row) empty() bool { return row.Now.Empty() && row.Before == (Past{}) && row.Open.USD == 0 }

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

// Table returns a row for each card, campaign, BIN or merchant over a range, in no
// order, and their sum. Campaigns and BINs are there when they have a card, cards
// and merchants when they have a transaction. Rows are appended to dst.
func (l *Ledger) Table(by By, r Range, dst []Row) ([]Row, Sum) {
	l.eachRow(by, r, func(row *Row) { dst = append(dst, *row) })
	return dst, l.Total(Account(), r)
}

// eachRow calls visit with each row of a table. The row is valid during the call.
func (l *Ledger) eachRow(by By, r Range, visit func(*Row)) {
	switch by {
	case ByCard:
		l.eachPlace(&l.cards.totals, r, func(e *entry) uint32 { return e.card }, visit)
	case ByMerchant:
		l.eachPlace(&l.merchants.totals, r, func(e *entry) uint32 { return uint32(e.merchant) }, visit)
	case ByCampaign:
		l.eachGroup(&l.cards.campaigns, r, visit)
	case ByBIN:
		l.eachGroup(&l.cards.bins, r, visit)
	default:
		sum := l.Total(Account(), r)
		visit(&Row{Cards: int32(len(l.cards.ids)), Now: sum.Totals, Before: sum.Before, Open: sum.Open})
	}
}

// eachPlace makes the rows of cards or merchants.
func (l *Ledger) eachPlace(all *sums, r Range, of func(*entry) uint32, visit func(*Row)) {
	if r == Last24h {
		l.eachOfDay(all, of, visit)
		return
	}
	l.past = cleared(l.past, all.n)
	l.scan(r, func(in part, e *entry) {
		row := Row{}
		l.correct(&row, r, in, e)
		l.past[of(e)].join(row.Before)
	})
	var row Row
	partial := !l.openRead()
	for place := range all.n {
		row = Row{Place: uint32(place), Cards: 1, Before: l.past[place]}
		row.Open = Open{USD: l.openUSD(all.open(uint32(place))), Partial: partial}
		if row.add(all.at(uint32(place)), r); !row.empty() {
			visit(&row)
		}
	}
}

// eachOfDay makes the rows of 24 hours, which the segments tell nothing of. They are made
// in the order of their places: what is looked up of each of 100,000 is side by side then.
func (l *Ledger) eachOfDay(all *sums, of func(*entry) uint32, visit func(*Row)) {
	l.index = cleared(l.index, all.n) // of each place its row
	for place := range all.n {
		if *all.open(uint32(place)) != (openSum{}) {
			l.index[place] = 1
		}
	}
	l.scan(Last24h, func(_ part, e *entry) { l.index[of(e)] = 1 })
	n := int32(0)
	for _, used := range l.index {
		n += used
	}
	rows := cleared(l.some, int(n))
	l.some = rows
	n = 0
	for place, used := range l.index {
		if l.index[place] = n; used != 0 {
			rows[n].Place, rows[n].Cards = uint32(place), 1
			n++
		}
	}
	l.scan(Last24h, func(in part, e *entry) {
		place := of(e)
		row := &rows[l.index[place]]
		l.correct(row, Last24h, in, e)
	})
	partial := !l.openRead()
	for i := range rows {
		row := &rows[i]
		if row.Open = (Open{USD: l.openUSD(all.open(row.Place)), Partial: partial}); !row.empty() {
			visit(row)
		}
	}
}

// cleared returns a slice of n zeros, the one that was there where it is long enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	s = s[:n]
	clear(s)
	return s
}

// eachGroup makes the rows of campaigns or BINs.
func (l *Ledger) eachGroup(g *groups, r Range, visit func(*Row)) {
	rows := cleared(l.some, len(g.cards))
	l.some = rows
	partial := !l.openRead()
	for place := range rows {
		rows[place].add(g.totals.at(uint32(place)), r)
		rows[place].Open = Open{USD: l.openUSD(g.totals.open(uint32(place))), Partial: partial}
	}
	l.scan(r, func(in part, e *entry) { l.correct(&rows[g.of[e.card]], r, in, e) })
	for place := range rows {
		if row := &rows[place]; g.cards[place] > 0 {
			row.Place, row.Cards = uint32(place), g.cards[place]
			visit(row)
		}
	}
}

// Merchants returns where a card was used over a range, in no order. What is held is left
// out.
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
		t := totalsOf(e)
		if in == inRange {
			out[i].Now.add(&t)
		} else {
			out[i].Before.add(&t)
		}
	})
	return out
}
