package ledger

import "github.com/cardtop/cardtop/api"

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
