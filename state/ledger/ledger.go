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
	"github.com/cardtop/cardtop/state/txlink"
)

const (
	// Days is how many UTC days are kept, today among them: those that Last30d is of.
	Days = 31
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
	// held is what is held in all, of holds that were made from openFrom on; life is how many hours that is
	// before now. It is learned again when relearns is set.
	held     openSum
	openFrom hour
	life     hour
	relearns bool
	split    split
	// delays are those of settlements that belong to their hold for sure, usual what is usual by them.
	delays txlink.Delays
	usual  txlink.Usual

	// What follows is reused from one page or table to the next.
	touched []uint32
	rows    []pairRow
	next    []ref
	order   []int32
	index   []int32
	some    []Row
	ends    []uint32
	refs    []ref
}

// New returns an empty ledger.
func New() *Ledger {
	return &Ledger{ids: make(map[uint64]ref), days: make(map[int32]*day), cards: newCards(), merchants: newMerchants(), countries: newNames(), life: HoldLife}
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
	l.relearn()
}

// oldestFirst returns the places of a page's transactions in the order of time, in which they are
// paired. Those of one time stay in the order of the page, in which a later reading replaces
// an earlier one.
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
	// back reports whether it is of a type that takes back a hold.
	back bool
}

// put adds a transaction, or replaces an earlier reading of it.
func (l *Ledger) put(t *api.Transaction) {
	r := reading{id: idOf(t.ID), kind: kindOfRow(t), at: t.CreatedAt.UnixMicro(), amount: t.Amount, back: isReversal(t.Type)}
	at, had := l.ids[r.id]
	keep := r.kind != dead && hourOf(r.at).day() > l.hour.day()-Days
	if t.Type != api.TransactionRefund { // Nobody used it for that.
		l.use(l.cards.place(t.CardID), r.at)
	}
	if !had && !keep {
		return
	}
	r.card, r.merchant = l.cards.place(t.CardID), l.merchants.place(t.Merchant.Name)
	r.country = l.country(t.Merchant.Country)
	if had {
		e, k := l.records.at(at)
		if keep && e.kind() == r.kind && k.at == r.at && e.amount == r.amount && e.card == r.card && e.merchant == r.merchant && k.country == r.country && (k.tie&tieReversal != 0) == r.back {
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
	k := link{id: r.id, at: r.at, next: l.cards.heads[r.card], merchant: r.merchant, country: r.country, kind: r.kind}
	if r.back {
		k.tie, e.flags = tieReversal, e.flags|backBit
	}
	at := l.records.add(d, e, k)
	l.cards.heads[r.card] = at
	l.ids[r.id] = at
	l.apply(at, 1)
	l.pair(r.card, at, &k)
}

// remove takes a transaction out of the sums.
func (l *Ledger) remove(id uint64, at ref) {
	e, _ := l.records.at(at)
	if pairs(e.kind()) {
		l.untie(e.card)
		l.touched = append(l.touched, e.card)
	}
	l.apply(at, -1)
	l.days[l.records.dayOf(at)].version++
	l.unlink(e.card, func(r ref, _ *link) bool { return r == at })
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
	e, _ := l.records.at(at)
	d := l.days[l.records.dayOf(at)]
	delta := totalsOf(e)
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
}

// totalsOf returns what one record comes to.
func totalsOf(e *entry) Totals {
	if e.takesBack() {
		return Totals{}
	}
	switch e.kind() {
	case authorization:
		return Totals{Held: size(e.amount), Authorized: 1}
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

// Kept knows which of the days that are over are on disk as the ledger has them. The
// zero value knows of none.
type Kept struct {
	versions map[time.Time]uint64
	// begun is the day that parts are being restored of, rows how many there were, and
	// held whether the ledger held something of it before them.
	begun time.Time
	rows  uint64
	held  bool
}

// Restore adds days from the disk, or parts of them, to a ledger.
func (k *Kept) Restore(l *Ledger, now time.Time, days ...Closed) {
	for i := range days {
		d := &days[i]
		n := hourOf(d.Day.UnixMicro()).day()
		if !d.Day.Equal(k.begun) {
			k.begun, k.rows, k.held = d.Day, 0, l.dayVersion(n) != 0
		}
		k.rows += uint64(len(d.Rows))
		l.Restore(now, *d)
		if d.More {
			continue
		}
		// What was there before, or came meanwhile, is newer than the file.
		if after := l.dayVersion(n); !k.held && after == k.rows && l.closed(n) {
			k.Saved(DayVersion{Day: dayTime(n), Version: after})
		}
		k.begun = time.Time{}
	}
}

// Changed returns the oldest of the days that are not on disk as the ledger has them, at
// most so many: with 100,000 cards a day takes some milliseconds.
func (k *Kept) Changed(l *Ledger, most int) (days []Closed, versions []DayVersion) {
	for _, v := range l.ClosedDays() {
		if len(days) == most {
			break
		}
		if saved, ok := k.versions[v.Day]; ok && saved == v.Version {
			continue
		}
		if d, ok := l.Close(v.Day); ok {
			days, versions = append(days, d), append(versions, v)
		}
	}
	return days, versions
}

// Saved records that days are on disk in some versions.
func (k *Kept) Saved(versions ...DayVersion) {
	if k.versions == nil {
		k.versions = make(map[time.Time]uint64)
	}
	for _, v := range versions {
		k.versions[v.Day] = v.Version
	}
}

// dayVersion is the version of a day, 0 while nothing is held of it.
func (l *Ledger) dayVersion(n int32) uint64 {
	if d := l.days[n]; d != nil {
		return d.version
	}
	return 0
}
