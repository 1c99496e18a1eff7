package ledger

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// PairDays is how many UTC days holds and settlements are paired of, today among them.
// It is the shortest that anything reads, so that the result is the same for all.
const PairDays = 7

// beginDays is on how many of them a settlement may be of an earlier hold.
const beginDays = int32(txlink.BeginReach / (24 * time.Hour))

// The bits of link.tie, of what takes the place of a hold.
const (
	tieReversal = 1 << iota // it takes back a hold, and is none
	tieKnown                // there was one hold of its amount
	tiePart                 // it takes less than there was: another may follow
	tieNext                 // it takes of what another has left

	// Of one that takes all that others have left, how many these are is above the bits.
	tieParts = 4
)

func (l *Ledger) pairFrom() int32 { return l.hour.day() - PairDays + 1 }

// pairs reports whether transactions of a kind are paired.
func pairs(k kind) bool { return k == authorization || k == settlement }

// pair pairs a transaction that is new. Where it is of today and later than all others of its card no
// pair but its own is another; else those of its card are paired again.
func (l *Ledger) pair(card uint32, at ref, k *link) {
	last, day := l.cards.latest[card], hourOf(k.at).day()
	if pairs(k.kind) {
		l.cards.latest[card] = max(last, k.at)
	}
	switch {
	case !pairs(k.kind) || day < l.pairFrom():
	case k.at > last && day >= l.hour.day() && last != math.MinInt64:
		l.pairNext(card, at)
	default:
		l.touched = append(l.touched, card)
	}
}

// pairTouched pairs the transactions of cards again.
func (l *Ledger) pairTouched() {
	slices.Sort(l.touched)
	for cards := range slices.Chunk(slices.Compact(l.touched), fetchMost) {
		l.fetch(cards)
		for _, card := range cards {
			l.pairCard(card)
		}
	}
	l.touched = l.touched[:0]
}

func (l *Ledger) pairCard(card uint32) {
	rows := l.untie(card)
	l.learnUsual(card, rows)
	slices.SortFunc(rows, func(a, b pairRow) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	})
	for i := range rows {
		l.pairNext(card, rows[i].ref)
	}
}

// pairRow is a hold or settlement that is to be paired again.
type pairRow struct {
	at       int64
	id       uint64
	amount   api.USD
	ref      ref
	merchant uint16
	kind     kind
}

// learnUsual learns how long settlements of a card take, by those that belong to their hold
// for sure: no other of the card has their merchant and amount. Those of today are left out, so that what is usual
// stays the same for a day. It sorts the rows.
func (l *Ledger) learnUsual(card uint32, rows []pairRow) {
	today := dayTime(l.hour.day()).UnixMicro()
	slices.SortFunc(rows, func(a, b pairRow) int {
		return cmp.Or(later(a.at, b.at, today), cmp.Compare(a.merchant, b.merchant), cmp.Compare(a.amount, b.amount), cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	for len(rows) > 0 && rows[len(rows)-1].at >= today {
		rows = rows[:len(rows)-1]
	}
	var own txlink.Delays
	for first, n := 0, 0; first < len(rows); first = n {
		for n = first + 1; n < len(rows) && rows[n].merchant == rows[first].merchant && rows[n].amount == rows[first].amount; {
			n++
		}
		if n == first+2 && rows[first].kind == authorization && rows[first+1].kind == settlement {
			own.Add(time.Duration(rows[first+1].at-rows[first].at) * time.Microsecond)
		}
	}
	l.delays.Join(l.cards.delays[card], -1)
	l.delays.Join(own, 1)
	l.cards.delays[card] = own
}

// later compares whether times are from another on.
func later(a, b, from int64) int {
	switch {
	case a < from && b >= from:
		return -1
	case b < from && a >= from:
		return 1
	}
	return 0
}

// context is what settlements of a card are looked at with: where the card tells little of how long they
// take, all cards tell it.
func (l *Ledger) context(card uint32) txlink.Context {
	c := txlink.Context{From: dayTime(l.pairFrom()).UnixMicro(), Usual: l.usual}
	if own := &l.cards.delays[card]; own.Enough() {
		c.Usual = own.Usual(false)
	}
	return c
}

// pairByAll pairs those cards again that tell too little of how long settlements take, when all cards tell
// something else than before.
func (l *Ledger) pairByAll() {
	usual := l.delays.Usual(true)
	if usual == l.usual {
		return
	}
	l.usual = usual
	for card := range l.cards.delays {
		if !l.cards.delays[card].Enough() {
			l.touched = append(l.touched, uint32(card))
		}
	}
	l.pairTouched()
}

// untie parts all holds and settlements of a card, and returns those that are to be
// paired again.
func (l *Ledger) untie(card uint32) []pairRow {
	holds := &l.cards.holds[card]
	for _, h := range holds.Waiting {
		l.countOpen(card, h, -1)
		l.setHold(ref(h.Row), 0)
	}
	holds.Clear()
	rows, from := l.rows[:0], dayTime(l.pairFrom()).UnixMicro()
	for at := l.cards.heads[card]; at != 0; {
		k := l.records.link(at)
		if pairs(k.kind) {
			if k.pair != 0 {
				l.setPair(at, 0, 0)
			}
			if k.at >= from {
				e, _ := l.records.at(at)
				rows = append(rows, pairRow{k.at, k.id, size(e.amount), at, k.merchant, k.kind})
			}
		}
		at = k.next
	}
	l.rows = rows
	return rows
}

// pairNext pairs the next transaction of a card in the order of time.
func (l *Ledger) pairNext(card uint32, at ref) {
	e, k := l.records.at(at)
	amount, back := size(e.amount), k.tie&tieReversal != 0
	holds := &l.cards.holds[card]
	var t txlink.Taken
	var ok bool
	switch {
	case amount == 0 || k.kind == settlement && e.amount > 0:
		return
	case k.kind == settlement:
		t, ok = holds.Settle(txlink.Settlement{At: k.at, Amount: amount, Row: uint32(at), Merchant: k.merchant}, l.context(card))
	case back || e.amount < 0:
		t, ok = holds.Reverse(k.at, k.merchant, amount, !back)
	}
	switch {
	case ok:
		l.take(card, at, &t)
	case k.kind == authorization && !back:
		h := txlink.Hold{At: k.at, Left: amount, Row: uint32(at), Merchant: k.merchant, Negative: e.amount < 0}
		holds.Waiting = append(holds.Waiting, h)
		e.setHold(waitsBit)
		l.countOpen(card, h, 1)
	}
}

// take counts what a settlement or a reversal has taken of a hold.
func (l *Ledger) take(card uint32, at ref, t *txlink.Taken) {
	k := l.records.link(at)
	if t.Displaced {
		l.setPair(ref(t.Instead), 0, 0)
		l.setPair(at, ref(t.Row), 0)
		l.pairNext(card, ref(t.Instead))
		return
	}
	l.countOpen(card, t.Hold, -1)
	var tie uint8
	if t.Same && t.Of == 1 && t.Hold.Parts == 0 && k.kind == settlement {
		tie |= tieKnown
	}
	if t.Hold.Parts > 0 {
		tie |= tieNext
		if t.Same && k.kind == settlement {
			tie |= t.Hold.Parts << tieParts
		}
	}
	if t.Left > 0 {
		left := t.Hold
		left.Left, left.Parts = t.Left, t.Parts
		l.countOpen(card, left, 1)
		tie |= tiePart
		l.setHold(ref(t.Row), waitsBit|takenBit)
	} else {
		l.setHold(ref(t.Row), 0)
	}
	l.setPair(at, ref(t.Row), tie)
}

// setPair records which hold a settlement or a reversal is of, 0 for none, and how.
func (l *Ledger) setPair(at, hold ref, tie uint8) {
	e, k := l.records.at(at)
	if k.kind == authorization { // What takes back a hold is none.
		l.apply(at, -1)
		if e.flags &^= backBit; hold != 0 || k.tie&tieReversal != 0 {
			e.flags |= backBit
		}
		l.apply(at, 1)
		k.pair = hold
		return
	}
	if k.pair != 0 {
		l.learn(at, e, k, -1)
	}
	k.pair, k.tie = hold, tie
	e.setLag(0)
	if hold != 0 {
		e.setLag(l.lagOf(k))
		l.learn(at, e, k, 1)
	}
}

// lagOf returns what the entry of a settlement tells of its hold.
func (l *Ledger) lagOf(k *link) hour {
	lag := hourOf(k.at) - hourOf(l.records.link(k.pair).at)
	if k.tie&tieNext != 0 || lag > lagLinked {
		return lagLinked
	}
	return lag
}

func (l *Ledger) setHold(hold ref, bits uint8) {
	e, _ := l.records.at(hold)
	e.setHold(bits)
}

// learn adds what a settlement tells of others, or takes it back.
func (l *Ledger) learn(at ref, e *entry, k *link, sign int) {
	hold, _ := l.records.at(k.pair)
	share := &l.merchants.shares[k.merchant]
	if k.tie&tieKnown != 0 {
		l.countDelay(at, sign)
	}
	if k.tie&tiePart != 0 {
		l.split.left += int32(sign)
	}
	if k.tie&tieNext != 0 {
		l.split.taken += int32(sign) * int32(k.tie>>tieParts)
		share.settled += api.USD(sign) * size(e.amount)
		return
	}
	share.add(size(hold.amount), size(e.amount), sign)
}

// countDelay counts how long after its hold a settlement came.
func (l *Ledger) countDelay(at ref, sign int) {
	k := l.records.link(at)
	delays := &l.days[l.records.dayOf(at)].delays
	delays[min((k.at-l.records.link(k.pair).at)/hourMicros, int64(len(delays)-1))] += int32(sign)
	l.relearns = true
}

const (
	// fetchSteps is how far chains are followed ahead, and fetchMost how many: more
	// would not stay in the processor's cache.
	fetchSteps = 24
	fetchMost  = 500
)

// fetch follows the chains of many cards side by side before each is followed by
// itself. The processor then waits for memory once a step instead of once a record,
// which halves what a page costs when there are a million.
func (l *Ledger) fetch(cards []uint32) {
	l.next = l.next[:0]
	for _, card := range cards {
		l.next = append(l.next, l.cards.heads[card])
	}
	for range fetchSteps {
		open := l.next[:0]
		for _, at := range l.next {
			if at != 0 {
				open = append(open, l.records.link(at).next)
			}
		}
		if l.next = open; len(open) == 0 {
			return
		}
	}
}
