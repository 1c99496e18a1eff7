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

// recent is what a card spent in Last24h, USD; moved is set until the change was told of.
type recent struct {
	spent api.USD
	moved bool
}

// EachMoved calls visit with the cards whose Spent24h may have changed since the
// last call.
func (l *Ledger) EachMoved(visit func(api.CardID, api.USD)) {
	for _, place := range l.moved {
		of := &l.cards.recent[place]
		of.moved = false
		visit(l.cards.ids[place], of.spent)
	}
	l.moved = l.moved[:0]
}

// addRecent counts a record of an hour in what its card spent, or takes it back.
func (l *Ledger) addRecent(e *entry, at hour, sign api.USD) {
	if kind := e.kind(); kind != settlement && kind != refund || Last24h.part(at, l.hour) != inRange {
		return
	}
	l.move(e.card, -sign*e.amount)
}

func (l *Ledger) move(card uint32, by api.USD) {
	of := &l.cards.recent[card]
	of.spent += by
	if !of.moved {
		of.moved = true
		l.moved = append(l.moved, card)
	}
}

// endRecent takes back what was of Last24h at an earlier hour and is not any more.
func (l *Ledger) endRecent(from hour) {
	for n, d := range l.days {
		if n < (from-23).day() || n > (l.hour-24).day() {
			continue
		}
		l.records.each(d, func(_ ref, e *entry, _ *link) {
			at := hourIn(n, e.hour)
			if kind := e.kind(); kind != settlement && kind != refund || Last24h.part(at, from) != inRange || Last24h.part(at, l.hour) == inRange {
				return
			}
			l.move(e.card, e.amount)
		})
	}
}
