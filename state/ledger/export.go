package ledger

import (
	"cmp"
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
	Countries []api.Text // of merchants
	Rows      []ClosedRow
	// More reports whether it is a part of the day that others follow.
	More bool
}

// partRows bounds the rows of a part, so that adding one takes about 2 ms.
const partRows = 500

// Parts returns the day in parts to be restored one after another. The rows of a card
// are together: all of its transactions are looked at for each part that has one.
func (d Closed) Parts() []Closed {
	if len(d.Rows) <= partRows || !d.valid() {
		return []Closed{d}
	}
	var out []Closed
	rows := slices.Clone(d.Rows)
	slices.SortStableFunc(rows, func(a, b ClosedRow) int { return cmp.Compare(a.Card, b.Card) })
	for part := range slices.Chunk(rows, partRows) {
		out = append(out, Closed{Day: d.Day, Cards: d.Cards, Merchants: d.Merchants, Countries: d.Countries, Rows: part, More: true})
	}
	out[len(out)-1].More = false
	return out
}

// ClosedRow is a transaction of a closed day: ID is the short form of its id, At is
// microseconds since the day began, Card and Merchant are places in the lists of
// the day. A merchant of -1 is one of those that there was no room for, countries count
// from 1, and 0 is one that is not known.
type ClosedRow struct {
	ID       uint64
	At       int64
	Amount   api.USD
	Card     int32
	Merchant int32
	Country  int32
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
	countries := map[uint16]int32{0: 0}
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
		country, ok := countries[k.country]
		if !ok {
			out.Countries = append(out.Countries, api.Text(l.countries.texts[k.country]))
			country = int32(len(out.Countries))
			countries[k.country] = country
		}
		out.Rows = append(out.Rows, ClosedRow{
			ID: k.id, At: k.at - out.Day.UnixMicro(), Amount: e.amount, Card: card, Merchant: merchant, Country: country,
			Type: k.text(), Cause: e.cause(),
		})
	})
	return out, true
}

// Restore adds days that were kept or parts of them, and that all of them was read. What the ledger
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
		if !d.More {
			l.Cover(d.Day, dayTime(number+1))
		}
	}
	l.pairTouched()
	l.relearn()
}

// valid reports whether the rows are of the day and refer to what it has.
func (d *Closed) valid() bool {
	return !slices.ContainsFunc(d.Rows, func(r ClosedRow) bool {
		return r.Card < 0 || int(r.Card) >= len(d.Cards) || r.Merchant < -1 || int(r.Merchant) >= len(d.Merchants) ||
			r.Country < 0 || int(r.Country) > len(d.Countries) || r.At < 0 || r.At >= 24*hourMicros || r.Cause >= decline.Causes || kindOf(r.Type) == dead
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
	country := uint16(0)
	if r.Country > 0 {
		country = l.country(d.Countries[r.Country-1])
	}
	read := reading{
		id: r.ID, kind: kindOf(r.Type), at: d.Day.UnixMicro() + r.At, amount: r.Amount,
		card: l.cards.place(d.Cards[r.Card]), merchant: merchant, country: country, cause: r.Cause, back: isReversal(r.Type),
	}
	if read.kind != refund && read.kind != foreignRefund {
		l.use(read.card, read.at)
	}
	l.insert(read)
}
