package ledger

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// hour is hours since 1970, UTC.
type hour int32

const hourMicros = int64(time.Hour / time.Microsecond)

func hourOf(micros int64) hour {
	h := micros / hourMicros
	if micros < 0 && micros%hourMicros != 0 {
		h--
	}
	return hour(min(max(h, -1<<24), 1<<24)) // The year 3883 is far enough.
}

func hourIn(day int32, ofDay uint8) hour { return hour(day*24) + hour(ofDay) }

func (h hour) day() int32 {
	if h < 0 {
		return int32(h+1)/24 - 1
	}
	return int32(h) / 24
}

func (h hour) ofDay() int { return int(h - hour(h.day())*24) }

func (h hour) time() time.Time { return time.Unix(int64(h)*3600, 0).UTC() }

func dayTime(day int32) time.Time { return hourIn(day, 0).time() }

// Range is how far back figures reach: so many times 24 hours, from the full hour at or before that
// on, to the present moment, or this UTC day. All that is shown, reported and exported over one of them
// begins at the same hour.
type Range uint8

// The ranges.
const (
	Last24h Range = iota
	Last7d
	Last14d
	Last30d
	Today
)

// Ranges returns all of them, the shortest first.
func Ranges() []Range { return []Range{Today, Last24h, Last7d, Last14d, Last30d} }

// String is a range as scripts write it.
func (r Range) String() string {
	return [...]string{Last24h: "24h", Last7d: "7d", Last14d: "14d", Last30d: "30d", Today: "today"}[r]
}

// begin is the hour in which a range begins.
func (l *Ledger) begin(r Range) hour {
	if r == Today {
		return hourIn(l.hour.day(), 0)
	}
	return l.hour - r.hours()
}

// hours is how many hours before the present one a range begins that is not Today.
func (r Range) hours() hour {
	switch r {
	case Last24h:
		return 24
	case Last7d:
		return 7 * 24
	case Last14d:
		return 14 * 24
	default:
		return 30 * 24
	}
}

// Span is how long a range is at least that is not Today: what has passed of the present hour comes to it.
func (r Range) Span() time.Duration { return time.Duration(r.hours()) * time.Hour }

// compares reports whether a range is compared with a span before it, which is kept of the short ones.
func (r Range) compares() bool { return r == Today || r == Last24h || r == Last7d }

// A segment is the days of one age: this week, the week before, the rest. The sums
// of each card and merchant are kept by segment, so that a range is a few sums
// and a transaction is counted in one of them.
const (
	thisWeek = iota
	lastWeek
	older
	segments
)

// segmentOf returns the segment of a day. What is dated ahead of the clock is of this
// week.
func segmentOf(day, today int32) int {
	switch age := today - day; {
	case age < 7:
		return thisWeek
	case age < 14:
		return lastWeek
	default:
		return older
	}
}

// base is the part of a range in which the sums of a segment are counted. Records of the segment
// that are in another part are corrected one by one.
func (r Range) base(segment int) part {
	switch {
	case r == Last7d && segment == lastWeek:
		return inBefore
	case r == Last7d && segment == thisWeek, r == Last14d && segment != older, r == Last30d:
		return inRange
	default:
		return outside
	}
}

// part is which of two spans an hour is in.
type part uint8

const (
	outside part = iota
	inRange
	inBefore
	// cut is the hour in which the span before begins or ends: the time of a record tells.
	cut
)

// window is a range as of a time.
type window struct {
	// from is the first hour of the range.
	from hour
	// before and until are when the span begins and ends that the range is compared with, microseconds since
	// 1970: it is as long as the range up to the present moment. beforeFrom and untilIn are their hours, that of
	// the range where nothing is compared.
	before, until       int64
	beforeFrom, untilIn hour
}

// window returns a range as of now.
func (l *Ledger) window(r Range) window {
	w := window{from: l.begin(r)}
	w.beforeFrom, w.untilIn = w.from, w.from
	from, now := w.from.time().UnixMicro(), max(l.now.UnixMicro(), l.hour.time().UnixMicro())
	switch {
	case r == Today: // With yesterday up to the same time: nights are not like days.
		w.before, w.until = from-24*hourMicros, now-24*hourMicros
	case r.compares():
		w.before, w.until = 2*from-now, from
	default:
		return w
	}
	w.beforeFrom, w.untilIn = hourOf(w.before), hourOf(w.until)
	return w
}

// part returns the part that an hour is in. What is dated ahead of the clock counts as of now.
func (w *window) part(h hour) part {
	switch {
	case h >= w.from:
		return inRange
	case h < w.beforeFrom, h > w.untilIn:
		return outside
	case h == w.beforeFrom, h == w.untilIn:
		return cut
	default:
		return inBefore
	}
}

// partAt returns the part of a record of an hour and time.
func (w *window) partAt(h hour, at int64) part {
	switch in := w.part(h); {
	case in != cut:
		return in
	case at >= w.before && at < w.until:
		return inBefore
	default:
		return outside
	}
}

// parts returns the part of each hour of a day.
func (w *window) parts(day int32) (parts [24]part) {
	for h := range parts {
		parts[h] = w.part(hourIn(day, uint8(h)))
	}
	return parts
}

// span returns the span that the range is compared with.
func (w *window) span() Span {
	return Span{time.UnixMicro(w.before).UTC(), time.UnixMicro(w.until).UTC()}
}

// By is what figures are put together by.
type By uint8

// The ways to put figures together.
const (
	ByAccount By = iota
	ByCard
	ByCampaign
	ByBIN
	ByMerchant
)

// Scope is whose figures are asked for: Name is the id of a card or a BIN, the
// name of a campaign or a merchant.
type Scope struct {
	By   By
	Name string
}

// Account is everything.
func Account() Scope { return Scope{} }

// OfCard is one card.
func OfCard(id api.CardID) Scope { return Scope{ByCard, string(id)} }

// place returns the place of what a scope names; false when nothing is known of
// it.
func (l *Ledger) place(s Scope) (uint32, bool) {
	switch s.By {
	case ByAccount:
		return 0, true
	case ByCard:
		at, ok := l.cards.places[api.CardID(s.Name)]
		return at, ok
	case ByCampaign:
		at, ok := l.cards.campaigns.names.places[s.Name]
		return at, ok
	case ByBIN:
		at, ok := l.cards.bins.names.places[s.Name]
		return at, ok
	default:
		at := l.merchants.fold(api.Text(s.Name))
		return uint32(at), at != otherMerchants
	}
}

// Place returns the place of what a scope names, by which rows and traces tell it;
// false when nothing is known of it.
func (l *Ledger) Place(s Scope) (uint32, bool) { return l.place(s) }

// Places returns how many cards, campaigns, BINs or merchants there are: their places
// are below that, and stay.
func (l *Ledger) Places(by By) int { return l.places(by) }

// groups returns the group of each card, nil where a group is no set of cards.
func (l *Ledger) groups(by By) []uint32 {
	switch by {
	case ByCampaign:
		return l.cards.campaigns.of
	case ByBIN:
		return l.cards.bins.of
	default:
		return nil
	}
}

// placeOf returns the place of what a record is of: its merchant's where a group is no set of cards.
func placeOf(e *entry, groups []uint32) uint32 {
	if groups == nil {
		return uint32(e.merchant)
	}
	return groups[e.card]
}

// sums returns the sums of all cards, campaigns, BINs or merchants.
func (l *Ledger) sums(by By) *sums {
	switch by {
	case ByCampaign:
		return &l.cards.campaigns.totals
	case ByBIN:
		return &l.cards.bins.totals
	case ByMerchant:
		return &l.merchants.totals
	default:
		return &l.cards.totals
	}
}

// Name returns what a row of a table stands for. Other reports that it stands for
// the merchants that there is no room for.
func (l *Ledger) Name(by By, place uint32) (name string, other bool) {
	switch by {
	case ByCard:
		return string(l.cards.ids[place]), false
	case ByCampaign:
		return l.cards.campaigns.names.texts[place], false
	case ByBIN:
		return l.cards.bins.names.texts[place], false
	case ByMerchant:
		return string(l.merchants.names[place]), place == otherMerchants
	default:
		return "", false
	}
}

// each calls visit with the records of a scope that were made from a day on, only
// those of a kind where one is given.
func (l *Ledger) each(s Scope, from int32, only kind, visit func(day int32, at ref, e *entry)) {
	place, ok := l.place(s)
	if !ok {
		return
	}
	if s.By == ByCard {
		for at := l.cards.heads[place]; at != 0; {
			e, k := l.records.at(at)
			if day := l.records.dayOf(at); day >= from && (only == 0 || only == k.kind) {
				visit(day, at, e)
			}
			at = k.next
		}
		return
	}
	groups := l.groups(s.By)
	for _, d := range l.days {
		if d.number < from {
			continue
		}
		for _, number := range d.chunks {
			c := l.records.chunks[number]
			for i := range c.entries[:c.n] {
				e := &c.entries[i]
				switch {
				case e.kind() == dead || only != 0 && only != e.kind():
				case groups != nil && groups[e.card] != place:
				case s.By == ByMerchant && uint32(e.merchant) != place:
				default:
					visit(d.number, ref(number*chunkSize+uint32(i))+1, e)
				}
			}
		}
	}
}
