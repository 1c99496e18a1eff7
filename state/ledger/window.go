package ledger

import (
	"time"
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
