package ledger

import "time"

// TableSince returns a row for each card, campaign, BIN or merchant that has a
// transaction since a UTC day began, in no order, and their sum. Nothing is compared.
func (l *Ledger) TableSince(by By, from time.Time) (table []Row, sum Totals) {
	groups, index := l.groups(by), make(map[uint32]int)
	first := hourOf(from.UnixMicro()).day()
	for _, d := range l.days {
		if d.number < first {
			continue
		}
		l.records.each(d, func(_ ref, e *entry, _ *link) {
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
			t := l.totalsOf(e, d.number)
			table[at].Now.add(&t)
			sum.add(&t)
		})
	}
	return table, sum
}
