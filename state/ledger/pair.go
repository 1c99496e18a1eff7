package ledger

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/txlink"
)

const (
	// nearPart and openRows are those of txlink: which part of the amount a
	// settlement may differ by from its hold, and how many holds of a merchant are
	// looked at.
	nearPart = 5
	openRows = 200
)

// pairRow is a hold or settlement while they are paired.
type pairRow struct {
	at       int64
	id       uint64
	amount   api.USD // without its sign
	ref      ref
	mate     ref
	merchant uint16
	hold     bool
}

// pairHolds pairs the holds of a card at some merchants with the settlements that
// take their place, by the rules of txlink: within txlink.Within, first the same
// amounts in the order of time, then the nearest. All of them are paired anew, so
// that the order in which transactions came does not matter.
func (l *Ledger) pairHolds(of []touched) {
	rows := l.pairRows(of)
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].merchant == rows[0].merchant {
			n++
		}
		if pairSame(rows[:n]) {
			pairNear(rows[:n])
		}
		for i := range rows[:n] {
			if r := &rows[i]; r.hold {
				l.setPair(r.ref, r.mate)
			}
		}
		rows = rows[n:]
	}
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
func (l *Ledger) fetch(of []touched) {
	if len(of) > fetchMost {
		return
	}
	l.next = l.next[:0]
	for _, t := range of {
		l.next = append(l.next, l.cards.heads[t.card])
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

// pairRows returns the holds and settlements of a card at some merchants, by merchant.
func (l *Ledger) pairRows(of []touched) []pairRow {
	rows := l.rows[:0]
	for at := l.cards.heads[of[0].card]; at != 0; {
		k := l.records.link(at)
		in := (k.kind == authorization || k.kind == settlement) && k.merchant == of[0].merchant
		if len(of) > 1 && !in && (k.kind == authorization || k.kind == settlement) {
			_, in = slices.BinarySearchFunc(of, touched{of[0].card, k.merchant}, compareTouched)
		}
		if in {
			e, _ := l.records.at(at)
			rows = append(rows, pairRow{at: k.at, id: k.id, amount: size(e.amount), ref: at, merchant: k.merchant, hold: k.kind == authorization})
		}
		at = k.next
	}
	l.rows = rows
	if len(of) > 1 {
		slices.SortFunc(rows, func(a, b pairRow) int { return cmp.Compare(a.merchant, b.merchant) })
	}
	return rows
}

// pairSame pairs rows of one amount, and reports whether a
// settlement and a hold are left.
func pairSame(rows []pairRow) (left bool) {
	slices.SortFunc(rows, func(a, b pairRow) int {
		return cmp.Or(cmp.Compare(a.amount, b.amount), cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	holds, settlements := 0, 0
	first := 0
	for i := range rows {
		r := &rows[i]
		if r.amount != rows[first].amount {
			first = i
		}
		if r.hold {
			holds++
			continue
		}
		for first < i && (!rows[first].hold || rows[first].mate != 0 || tooLate(&rows[first], r)) {
			first++
		}
		if first == i {
			settlements++
			continue
		}
		rows[first].mate, r.mate = r.ref, rows[first].ref
		holds--
	}
	return holds > 0 && settlements > 0
}

// pairNear pairs what is left, each settlement with the nearest amount among the
// latest holds.
func pairNear(rows []pairRow) {
	slices.SortFunc(rows, func(a, b pairRow) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id))
	})
	var open []int
	for i := range rows {
		r := &rows[i]
		switch {
		case r.mate != 0:
		case r.hold:
			if open = append(open, i); len(open) > openRows {
				open = slices.Delete(open, 0, 1)
			}
		default:
			best := -1
			for n, at := range open {
				h := &rows[at]
				if tooLate(h, r) || !near(h, r) {
					continue
				}
				if best < 0 || apart(h, r) < apart(&rows[open[best]], r) {
					best = n
				}
			}
			if best >= 0 {
				rows[open[best]].mate, r.mate = r.ref, rows[open[best]].ref
				open = slices.Delete(open, best, best+1)
			}
		}
	}
}

func tooLate(hold, settled *pairRow) bool {
	return settled.at-hold.at > txlink.Within.Microseconds()
}

func near(a, b *pairRow) bool { return apart(a, b)*nearPart <= max(a.amount, b.amount) }

func apart(a, b *pairRow) api.USD { return size(a.amount - b.amount) }

// setPair pairs a hold with a settlement, or with none.
func (l *Ledger) setPair(hold, mate ref) {
	e, k := l.records.at(hold)
	if k.pair == mate {
		return
	}
	l.unpair(hold)
	if mate == 0 {
		return
	}
	l.unpair(mate)
	other, ok := l.records.at(mate)
	l.apply(hold, -1)
	k.pair, ok.pair = mate, hold
	e.flags |= pairedBit
	other.flags |= pairedBit
	l.apply(hold, 1)
}

// unpair parts a hold and its settlement, given one of them.
func (l *Ledger) unpair(at ref) {
	e, k := l.records.at(at)
	if k.pair == 0 {
		return
	}
	other, ok := l.records.at(k.pair)
	hold := at
	if e.kind() != authorization {
		hold = k.pair
	}
	l.apply(hold, -1)
	k.pair, ok.pair = 0, 0
	e.flags &^= pairedBit
	other.flags &^= pairedBit
	l.apply(hold, 1)
	l.await(e.card, hold, l.records.link(hold))
}
