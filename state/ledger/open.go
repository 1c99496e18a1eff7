package ledger

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

// Open is what is held still.
type Open = txlink.Held

// Open returns what is held of a scope now.
func (l *Ledger) Open(s Scope) Open {
	place, ok := l.place(s)
	switch {
	case !ok:
		return l.estimate(&openSum{})
	case s.By == ByAccount:
		return l.estimate(&l.held)
	default:
		return l.estimate(l.sums(s.By).open(place))
	}
}

// openSum adds up holds: held of those that nothing was taken of, and of the others what
// settlements in parts have left.
type openSum struct{ held, left api.USD }

func (o *openSum) add(b openSum, sign int) {
	o.held += api.USD(sign) * b.held
	o.left += api.USD(sign) * b.left
}

// split counts settlements in parts: left those that left something of their hold, taken those of them that another
// settlement followed and took all of, and open those whose rest waits.
type split struct{ left, taken, open int32 }

// partsKnown is how many of them tell which share is followed by another.
const partsKnown = 8

func (l *Ledger) estimate(o *openSum) Open { return Open{USD: l.openUSD(o), Partial: !l.openRead()} }

// openUSD returns what of a sum is most likely held.
func (l *Ledger) openUSD(o *openSum) api.USD {
	if o.left == 0 {
		return o.held
	}
	// A hold of which less settled is over, or more will settle: as often as it was so far.
	share := 1.0
	if decided := l.split.left - l.split.open; decided >= partsKnown {
		share = min(1, float64(l.split.taken)/float64(decided))
	}
	return o.held + api.USD(float64(o.left)*share/float64(api.Cent))*api.Cent
}

// openRead reports whether all was read that may be held.
func (l *Ledger) openRead() bool {
	return l.coverage(max(l.openFrom, hour(l.pairFrom()*24)).time(), time.Time{}).Complete
}

// countOpen adds a hold of a card to what is held, or takes it back.
func (l *Ledger) countOpen(card uint32, h txlink.Hold, sign int) {
	at := hourOf(h.At)
	switch {
	case l.cards.ended[card]:
		return
	case at < l.openFrom:
		if h.Parts == 0 { // It did not settle.
			l.merchants.shares[h.Merchant].add(h.Left, 0, sign)
		}
		return
	}
	o := openOf(h)
	if h.Parts > 0 {
		l.split.open += int32(sign)
	}
	l.version++
	l.held.add(o, sign)
	l.days[at.day()].open.add(o, sign)
	l.cards.totals.open(card).add(o, sign)
	l.merchants.totals.open(uint32(h.Merchant)).add(o, sign)
	l.cards.bins.totals.open(l.cards.bins.of[card]).add(o, sign)
	l.cards.campaigns.totals.open(l.cards.campaigns.of[card]).add(o, sign)
}

func openOf(h txlink.Hold) openSum {
	if h.Parts > 0 {
		return openSum{left: h.Left}
	}
	return openSum{held: h.Left}
}

// openHold returns what is left of a record that is counted as a hold; nothing of another.
func (l *Ledger) openHold(day int32, at ref, e *entry) (h txlink.Hold) {
	switch {
	case !e.waits() || hourIn(day, e.hour) < l.openFrom || l.cards.ended[e.card]:
	case e.flags&takenBit == 0:
		h.Left = size(e.amount)
	default:
		h, _ = l.holdOf(e.card, at)
	}
	return h
}

// holdOf returns the hold that a record is, as far as it waits.
func (l *Ledger) holdOf(card uint32, at ref) (txlink.Hold, bool) {
	for _, h := range l.cards.holds[card].Waiting {
		if h.Row == uint32(at) {
			return h, true
		}
	}
	return txlink.Hold{}, false
}

// End records whether a card is terminated. A terminated card holds nothing; an expired one may still settle.
func (l *Ledger) End(id api.CardID, terminated bool) {
	card := l.cards.place(id)
	if l.cards.ended[card] == terminated {
		return
	}
	l.version++
	holds := l.cards.holds[card].Waiting
	for _, h := range holds {
		l.countOpen(card, h, -1)
	}
	l.cards.ended[card] = terminated
	for _, h := range holds {
		l.countOpen(card, h, 1)
	}
}

const (
	// HoldLife is after how many hours a hold is not counted any more, while it is not known how long
	// settlements of the account take.
	HoldLife = 24 * 5
	// sampleDays is how many days before today settlements are looked at, sampleLeast how many there
	// have to be that can be of one hold only.
	sampleDays  = 3
	sampleLeast = 30
	// Of a thousand settlements so many come while their hold is counted.
	nearlyAll = 990
	// leastLife is how many hours a hold counts at least: what does not settle within an hour is not let go after it.
	leastLife = 24
)

// holdLife returns after how many hours a hold is not counted any more: nearly all settlements of the
// days before today came within it. Which days these are does not depend on how much was read.
func (l *Ledger) holdLife() hour {
	today := l.hour.day()
	if !l.coverage(dayTime(l.pairFrom()), dayTime(today)).Complete {
		return HoldLife
	}
	var delays [24 * PairDays]int32
	all := int32(0)
	for n := today - sampleDays; n < today; n++ {
		if d := l.days[n]; d != nil {
			for h, count := range d.delays {
				delays[h] += count
				all += count
			}
		}
	}
	if all < sampleLeast {
		return HoldLife
	}
	sum := int32(0)
	for h, count := range delays {
		if sum += count; sum*1000 >= all*nearlyAll {
			return max(hour(h)+1, leastLife)
		}
	}
	return HoldLife
}

// countFrom sets from which hour on holds are counted.
func (l *Ledger) countFrom(from hour) {
	if from == l.openFrom {
		return
	}
	first, last := min(l.openFrom, from), max(l.openFrom, from)
	l.countHolds(first, last, -1)
	l.openFrom = from
	l.countHolds(first, last, 1)
}

// countHolds counts the holds that were made from first on and before last, or takes them back.
func (l *Ledger) countHolds(first, last hour, sign int) {
	for card := range l.cards.holds {
		for _, h := range l.cards.holds[card].Waiting {
			if at := hourOf(h.At); at >= first && at < last {
				l.countOpen(uint32(card), h, sign)
			}
		}
	}
}

// relearn learns how long holds are counted, where that may have changed.
func (l *Ledger) relearn() {
	l.pairByAll()
	if l.relearns {
		l.life, l.relearns = l.holdLife(), false
	}
	l.countFrom(l.hour - l.life)
}
