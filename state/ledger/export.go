package ledger

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
)

// Closed is a UTC day that was read completely, to be kept on disk. With it the day
// need never be read again; later readings of its transactions still replace
// those that it holds.
type Closed struct {
	Day       time.Time
	Cards     []api.CardID
	Merchants []api.Text
	Rows      []ClosedRow
}

// ClosedRow is a transaction of a closed day: ID is the short form of its id, At is
// microseconds since the day began, Card and Merchant are places in the lists of
// the day. A merchant of -1 is one of those that there was no room for.
type ClosedRow struct {
	ID       uint64
	At       int64
	Amount   api.USD
	Card     int32
	Merchant int32
	Type     api.TransactionType
	Cause    decline.Cause
}

// DayVersion is a day with a number that changes when its transactions do.
type DayVersion struct {
	Day     time.Time
	Version uint64
}

// ClosedDays returns the days that are over and were read completely, oldest
// first.
func (l *Ledger) ClosedDays() []DayVersion {
	var out []DayVersion
	for n := l.hour.day() - Days + 1; n < l.hour.day(); n++ {
		if !l.closed(n) {
			continue
		}
		v := DayVersion{Day: dayTime(n)}
		if d := l.days[n]; d != nil {
			v.Version = d.version
		}
		out = append(out, v)
	}
	return out
}

func (l *Ledger) closed(day int32) bool {
	over := day < l.hour.day() && len(l.known) > 0
	return over && len(l.Holes(Span{dayTime(day), dayTime(day + 1)})) == 0
}

// Close returns a day as it is to be kept; false when it is not over, too old, or
// was not read completely.
func (l *Ledger) Close(at time.Time) (Closed, bool) {
	n := hourOf(at.UnixMicro()).day()
	if n <= l.hour.day()-Days || !l.closed(n) {
		return Closed{}, false
	}
	out := Closed{Day: dayTime(n)}
	d := l.days[n]
	if d == nil {
		return out, true
	}
	cards, merchants := make(map[uint32]int32), make(map[uint16]int32)
	merchants[otherMerchants] = -1
	l.records.each(d, func(_ ref, e *entry, k *link) {
		card, ok := cards[e.card]
		if !ok {
			card = int32(len(out.Cards))
			cards[e.card] = card
			out.Cards = append(out.Cards, l.cards.ids[e.card])
		}
		merchant, ok := merchants[e.merchant]
		if !ok {
			merchant = int32(len(out.Merchants))
			merchants[e.merchant] = merchant
			out.Merchants = append(out.Merchants, l.merchants.names[e.merchant])
		}
		out.Rows = append(out.Rows, ClosedRow{
			ID: k.id, At: k.at - out.Day.UnixMicro(), Amount: e.amount, Card: card, Merchant: merchant, Type: e.kind().text(), Cause: e.cause(),
		})
	})
	return out, true
}

// Restore adds days that were kept, and that all of them was read. What the ledger
// holds already is newer and stays. A day that is not over was kept by a clock that
// was wrong, and is left out.
func (l *Ledger) Restore(now time.Time, days ...Closed) {
	l.Advance(now)
	if len(l.ids) == 0 {
		n := 0
		for i := range days {
			n += len(days[i].Rows)
		}
		l.ids = make(map[uint64]ref, n)
	}
	for i := range days {
		d := &days[i]
		number := hourOf(d.Day.UnixMicro()).day()
		if number <= l.hour.day()-Days || number >= l.hour.day() || !dayTime(number).Equal(d.Day) || !d.valid() {
			continue
		}
		for j := range d.Rows {
			l.restore(d, &d.Rows[j])
		}
		l.Cover(d.Day, dayTime(number+1))
	}
	l.pairTouched()
}

// valid reports whether the rows are of the day and refer to what it has.
func (d *Closed) valid() bool {
	return !slices.ContainsFunc(d.Rows, func(r ClosedRow) bool {
		return r.Card < 0 || int(r.Card) >= len(d.Cards) || r.Merchant < -1 || int(r.Merchant) >= len(d.Merchants) ||
			r.At < 0 || r.At >= 24*hourMicros || r.Cause >= decline.Causes || kindOf(r.Type) == dead
	})
}

func (l *Ledger) restore(d *Closed, r *ClosedRow) {
	if _, had := l.ids[r.ID]; had {
		return
	}
	merchant := uint16(otherMerchants)
	if r.Merchant >= 0 {
		merchant = l.merchants.place(d.Merchants[r.Merchant])
	}
	l.insert(reading{
		id: r.ID, kind: kindOf(r.Type), at: d.Day.UnixMicro() + r.At, amount: r.Amount,
		card: l.cards.place(d.Cards[r.Card]), merchant: merchant, cause: r.Cause,
	})
}
