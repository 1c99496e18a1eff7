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

// add adds what the segments of a card, a group or a merchant come to over a range. What they
// cannot tell is left to correct.
func (row *Row) add(s *[segments]Totals, r Range) {
	for i := range s {
		row.count(r.base(i), &s[i])
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
	case ByCampaign, ByBIN:
		l.eachGroup(by, r, func(row *Row) {
			if row.Cards > 0 {
				visit(row)
			}
		})
	default:
		sum := l.Total(Account(), r)
		visit(&Row{Cards: int32(len(l.cards.ids)), Now: sum.Totals, Before: sum.Before, Open: sum.Open})
	}
}

// eachPlace makes the rows of cards or merchants. They are made in the order of their places: what
// is looked up of each of 100,000 is side by side then.
func (l *Ledger) eachPlace(all *sums, r Range, of func(*entry) uint32, visit func(*Row)) {
	l.index = cleared(l.index, all.n) // of each place its row among the corrected ones, from 1 on
	l.scan(r, func(_, _ part, e *entry) { l.index[of(e)] = 1 })
	n := int32(0)
	for place, used := range l.index {
		n += used
		l.index[place] = n * used
	}
	corrected := cleared(l.some, int(n))
	l.some = corrected
	l.scan(r, func(base, in part, e *entry) { corrected[l.index[of(e)]-1].correct(base, in, e) })
	var row Row
	partial := !l.openRead()
	for place := range all.n {
		if row = (Row{}); l.index[place] > 0 {
			row = corrected[l.index[place]-1]
		}
		row.Place, row.Cards = uint32(place), 1
		row.Open = Open{USD: l.openUSD(all.open(uint32(place))), Partial: partial}
		if row.add(all.at(uint32(place)), r); !row.empty() {
			visit(&row)
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

// eachGroup makes the rows of campaigns or BINs, also of those that have no card any more.
func (l *Ledger) eachGroup(by By, r Range, visit func(*Row)) {
	g := &l.cards.campaigns
	if by == ByBIN {
		g = &l.cards.bins
	}
	rows := cleared(l.some, len(g.cards))
	l.some = rows
	partial := !l.openRead()
	for place := range rows {
		rows[place].add(g.totals.at(uint32(place)), r)
		rows[place].Open = Open{USD: l.openUSD(g.totals.open(uint32(place))), Partial: partial}
	}
	l.scan(r, func(base, in part, e *entry) { rows[g.of[e.card]].correct(base, in, e) })
	for place := range rows {
		row := &rows[place]
		row.Place, row.Cards = uint32(place), g.cards[place]
		visit(row)
	}
}

// Merchants returns where a card was used over a range, in no order. What is held is left
// out.
func (l *Ledger) Merchants(card api.CardID, r Range) []Row {
	var out []Row
	places := make(map[uint16]int)
	w := l.window(r)
	l.each(OfCard(card), w.beforeFrom.day(), 0, func(day int32, at ref, e *entry) {
		in := w.partAt(hourIn(day, e.hour), l.records.link(at).at)
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
		out[i].count(in, &t)
	})
	return out
}
