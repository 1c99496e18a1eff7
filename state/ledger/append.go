package ledger

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// oldestFirst returns the places of a page's transactions in the order of time: what is
// later than all others of its card is paired at once, see settleLatest. Those of one
// time stay in the order of the page, in which a later reading replaces an earlier one.
func (l *Ledger) oldestFirst(page []api.Transaction) []int32 {
	order := l.order[:0]
	for i := range page {
		order = append(order, int32(len(page)-1-i)) // Lists come newest first.
	}
	byTime := func(a, b int32) int {
		return cmp.Or(page[a].CreatedAt.Compare(page[b].CreatedAt), cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(order, byTime) {
		slices.SortFunc(order, byTime)
	}
	l.order = order
	return order
}

// await lists a hold among those of its card that a settlement may take the place of.
func (l *Ledger) await(card uint32, at ref, k *link) {
	if !k.waits {
		k.waits = true
		l.cards.waits[card] = append(l.cards.waits[card], at)
	}
}

// forget removes holds from those that wait.
func (l *Ledger) forget(card uint32, gone func(ref) bool) {
	l.cards.waits[card] = slices.DeleteFunc(l.cards.waits[card], gone)
}

// settleLatest pairs a settlement that is later than all other transactions of its card,
// as pairHolds would, and reports whether it did: no pair but its own is another then.
// It looks at the holds that wait and not at all that the card ever had.
func (l *Ledger) settleLatest(at ref) bool {
	e, k := l.records.at(at)
	same, nearest, looked := ref(0), ref(0), 0
	waits := l.cards.waits[e.card][:0]
	for _, r := range l.cards.waits[e.card] {
		hold, h := l.records.at(r)
		if k.at-h.at > txlink.Within.Microseconds() || l.pairedSame(hold, h) {
			h.waits = false // It waits no more, not for a later one either.
			continue
		}
		waits = append(waits, r)
		if h.merchant != k.merchant {
			continue
		}
		looked++
		switch {
		case size(hold.amount) == size(e.amount):
			same = l.earlier(same, r)
		case h.pair == 0 && l.nearer(nearest, r, e):
			nearest = r
		}
	}
	l.cards.waits[e.card] = waits
	switch {
	case looked > openRows:
		return false // Which of them are looked at depends on the others.
	case same == 0 && nearest == 0:
		return true
	case same == 0:
		l.setPair(nearest, at)
		return true
	}
	if _, h := l.records.at(same); h.pair != 0 {
		return false // It leaves a settlement that was only near, which takes another.
	}
	l.setPair(same, at)
	return true
}

// pairedSame reports whether a hold is paired with a settlement of its amount: no later
// one changes that.
func (l *Ledger) pairedSame(e *entry, k *link) bool {
	if k.pair == 0 {
		return false
	}
	mate, _ := l.records.at(k.pair)
	return size(mate.amount) == size(e.amount)
}

// earlier returns which of two records was made first; a may be none.
func (l *Ledger) earlier(a, b ref) ref {
	if a != 0 {
		x, y := l.records.link(a), l.records.link(b)
		if x.at < y.at || x.at == y.at && x.id < y.id {
			return a
		}
	}
	return b
}

// nearer reports whether a hold is near the amount of a settlement, and nearer than
// another or as near and earlier; the other may be none.
func (l *Ledger) nearer(other, hold ref, settled *entry) bool {
	to, b := size(settled.amount), l.amount(hold)
	if size(b-to)*nearPart > max(b, to) {
		return false
	}
	if other == 0 {
		return true
	}
	a := l.amount(other)
	return size(b-to) < size(a-to) || size(b-to) == size(a-to) && l.earlier(other, hold) == hold
}

func (l *Ledger) amount(at ref) api.USD {
	e, _ := l.records.at(at)
	return size(e.amount)
}

// isLatest records when a hold or settlement of a card was made, and reports whether it is
// later than all that were there.
func (c *cards) isLatest(card uint32, at int64) bool {
	last := at > c.latest[card]
	c.latest[card] = max(c.latest[card], at)
	return last
}
