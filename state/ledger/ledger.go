// Package ledger adds up transactions: what was spent, given back, held and
// declined, by card, campaign, BIN, merchant, UTC day and hour.
//
// Each transaction counts once, by its id; a later reading replaces an earlier
// one. Pages may come in any order, twice, or not at all: the sums are a function
// of what was read, and the coverage says what that is. Days older than Days are
// dropped. The package does no I/O and has no clock: times are handed in.
package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

const (
	// Days is how many UTC days are kept, today among them.
	Days = 30
	// Hours is how many hours hourly figures reach back.
	Hours = 48
)

// Ledger holds the transactions of Days days and their sums. The zero value is
// not usable; call New.
type Ledger struct {
	now       time.Time
	hour      hour
	ids       map[uint64]ref
	records   records
	days      map[int32]*day
	cards     cards
	merchants merchants
	countries names
	known     []Span
	version   uint64

	moved []uint32 // cards whose recent changed

	// What follows is reused from one page or table to the next.
	touched []touched
	rows    []pairRow
	next    []ref
	order   []int32
	index   []int32
	some    []Row
	past    []Past
	ends    []uint32
	refs    []ref
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{ids: make(map[uint64]ref), days: make(map[int32]*day), cards: newCards(), merchants: newMerchants(), countries: newNames()}
}

// Version changes with every change of a sum.
func (l *Ledger) Version() uint64 { return l.version }

// Len returns how many transactions are held.
func (l *Ledger) Len() int { return len(l.ids) }

// Add adds the transactions of a page, read at a time on the server's clock.
func (l *Ledger) Add(now time.Time, page []api.Transaction) {
	l.Advance(now)
	for _, i := range l.oldestFirst(page) {
		l.put(&page[i])
	}
	l.pairTouched()
}

// reading is what was read of a transaction.
type reading struct {
	id       uint64
	kind     kind
	at       int64 // microseconds since 1970
	amount   api.USD
	card     uint32
	merchant uint16
	country  uint16
	cause    decline.Cause
}

// put adds a transaction, or replaces an earlier reading of it.
func (l *Ledger) put(t *api.Transaction) {
	r := reading{id: idOf(t.ID), kind: kindOfRow(t), at: t.CreatedAt.UnixMicro(), amount: t.Amount}
	at, had := l.ids[r.id]
	keep := r.kind != dead && hourOf(r.at).day() > l.hour.day()-Days
	if !had && !keep {
		return
	}
	r.card, r.merchant = l.cards.place(t.CardID), l.merchants.place(t.Merchant.Name)
	r.country = l.country(t.Merchant.Country)
	if had {
		e, k := l.records.at(at)
		if keep && e.kind() == r.kind && k.at == r.at && e.amount == r.amount && e.card == r.card && e.merchant == r.merchant && k.country == r.country {
			return
		}
		if r.kind == declined {
			r.cause = e.cause()
		}
		l.remove(r.id, at)
	}
	if keep {
		l.insert(r)
	}
}

func (l *Ledger) insert(r reading) {
	h := hourOf(r.at)
	e := entry{amount: r.amount, card: r.card, merchant: r.merchant, flags: flagsOf(r.kind, r.cause), hour: uint8(h.ofDay())}
	d := l.dayOf(h.day())
	d.version++
	at := l.records.add(d, e, link{id: r.id, at: r.at, next: l.cards.heads[r.card], merchant: r.merchant, country: r.country, kind: r.kind})
	l.cards.heads[r.card] = at
	l.ids[r.id] = at
	l.apply(at, 1)
	if !pairs(r.merchant, r.kind) {
		return
	}
	latest, settled := l.cards.isLatest(r.card, r.at), &l.cards.settled[r.card]
	if r.kind == settlement {
		*settled = max(*settled, r.at)
		if latest && l.settleLatest(at) {
			return
		}
	} else {
		l.await(r.card, at, l.records.link(at))
		if r.at > *settled {
			return // What settles it is not read yet, and it takes no other hold's place.
		}
	}
	l.touch(r.card, r.merchant, r.kind)
}

// pairs reports whether transactions of a merchant and a kind are paired.
func pairs(merchant uint16, k kind) bool {
	return (k == authorization || k == settlement) && merchant >= firstMerchant
}

// remove takes a transaction out of the sums.
func (l *Ledger) remove(id uint64, at ref) {
	e, _ := l.records.at(at)
	l.unpair(at)
	l.apply(at, -1)
	l.days[l.records.dayOf(at)].version++
	l.touch(e.card, e.merchant, e.kind())
	l.unlink(e.card, func(r ref, _ *link) bool { return r == at })
	l.forget(e.card, func(r ref) bool { return r == at })
	*e = entry{card: e.card}
	delete(l.ids, id)
}

// unlink removes records from the chain of a card.
func (l *Ledger) unlink(card uint32, gone func(ref, *link) bool) {
	from := &l.cards.heads[card]
	for *from != 0 {
		k := l.records.link(*from)
		if gone(*from, k) {
			*from = k.next
			continue
		}
		from = &k.next
	}
}

// touched are the transactions of a card at a merchant, whose holds are to be
// paired anew.
type touched struct {
	card     uint32
	merchant uint16
}

func compareTouched(a, b touched) int {
	return cmp.Or(cmp.Compare(a.card, b.card), cmp.Compare(a.merchant, b.merchant))
}

func (l *Ledger) touch(card uint32, merchant uint16, k kind) {
	if pairs(merchant, k) {
		l.touched = append(l.touched, touched{card, merchant})
	}
}

func (l *Ledger) pairTouched() {
	slices.SortFunc(l.touched, compareTouched)
	left := slices.Compact(l.touched)
	l.fetch(left)
	for len(left) > 0 {
		n := 1
		for n < len(left) && left[n].card == left[0].card {
			n++
		}
		l.pairHolds(left[:n])
		left = left[n:]
	}
	l.touched = l.touched[:0]
}

// dayOf returns the day of a number, which it makes when it is not there.
func (l *Ledger) dayOf(n int32) *day {
	d := l.days[n]
	if d == nil {
		d = &day{number: n}
		l.days[n] = d
	}
	return d
}

// apply adds a record to all sums that it is part of, or subtracts it.
func (l *Ledger) apply(at ref, sign int) {
	e, link := l.records.at(at)
	d := l.days[l.records.dayOf(at)]
	delta := l.totalsOf(e, d.number)
	if sign < 0 {
		delta = delta.negative()
	}
	d.hours[e.hour].add(&delta)
	l.version++
	l.addRecent(e, hourIn(d.number, e.hour), api.USD(sign))
	segment := segmentOf(d.number, l.hour.day())
	l.cards.totals.at(e.card)[segment].add(&delta)
	l.cards.bins.sumOf(e.card)[segment].add(&delta)
	l.cards.campaigns.sumOf(e.card)[segment].add(&delta)
	l.merchants.totals.at(uint32(e.merchant))[segment].add(&delta)
	if e.kind() == authorization && l.matured(d.number) {
		settled := api.USD(0)
		if link.pair != 0 {
			mate, _ := l.records.at(link.pair)
			settled = -mate.amount
		}
		l.merchants.shares[e.merchant].add(size(e.amount), settled, sign)
	}
}

// totalsOf returns what one record comes to.
func (l *Ledger) totalsOf(e *entry, day int32) Totals {
	switch e.kind() {
	case authorization:
		t := Totals{Held: size(e.amount), Authorized: 1}
		if !e.paired() && !l.matured(day) {
			t.Open = t.Held
		}
		return t
	case settlement:
		return Totals{Settled: -e.amount, Settlements: 1}
	case refund:
		return Totals{Refunded: e.amount, Refunds: 1}
	case declined:
		return Totals{Declined: 1}
	case foreignHold:
		return Totals{Authorized: 1, Foreign: 1}
	case foreignSettlement:
		return Totals{Settlements: 1, Foreign: 1}
	case foreignRefund:
		return Totals{Refunds: 1, Foreign: 1}
	default:
		return Totals{}
	}
}

// idOf shortens an id to eight bytes of its digest: of a million ids two are the
// same with a chance of one in thirty million.
func idOf(id api.TransactionID) uint64 {
	sum := sha256.Sum256([]byte(id))
	return binary.LittleEndian.Uint64(sum[:8])
}

// size is an amount without its sign, USD.
func size(amount api.USD) api.USD { return max(amount, -amount) }
