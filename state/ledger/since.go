package ledger

import "time"

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
