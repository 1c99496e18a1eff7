package ledger

import "time"

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

// Range is how far back figures reach.
type Range uint8

// The ranges. Each ends with the present hour. Last24h begins at a full hour, 23
// hours before it; the others at the begin of a UTC day and count today.
const (
	Last24h Range = iota
	Last7d
	Last14d
	Last30d
)

// A segment is the days of one age: this week, the week before, the rest. The sums
// of each card and merchant are kept by segment, so that a range is a few sums
// and a transaction is counted in one of them.
const (
	thisWeek = iota
	lastWeek
	older
	segments
)

const weekHours = 7 * 24

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

// part is which of two spans an hour is in.
type part uint8

const (
	outside part = iota
	inRange
	inBefore
)

// part returns whether an hour is in the range, or in the span before it. That of
// Last7d ends a week before the present hour does, so that a morning is compared
// with mornings. What is dated ahead of the clock counts as of now.
func (r Range) part(h, now hour) part {
	d, today := h.day(), now.day()
	switch {
	case r == Last24h && h > now-24, r == Last7d && d > today-7, r == Last14d && d > today-14, r == Last30d && d > today-Days:
		return inRange
	case r == Last24h && h > now-48, r == Last7d && d > today-14 && h <= now-weekHours:
		return inBefore
	default:
		return outside
	}
}

// first is the first day of a range.
func (r Range) first(today int32) int32 {
	switch r {
	case Last24h:
		return today - 1
	case Last7d:
		return today - 6
	case Last14d:
		return today - 13
	default:
		return today - Days + 1
	}
}

// from returns when a range begins.
func (r Range) from(now hour) time.Time {
	if r == Last24h {
		return (now - 23).time()
	}
	return dayTime(r.first(now.day()))
}

// before returns the span that a range is compared with; false when none is
// kept.
func (r Range) before(now hour) (Span, bool) {
	switch r {
	case Last24h:
		return Span{(now - 47).time(), (now - 23).time()}, true
	case Last7d:
		return Span{dayTime(now.day() - 13), (now - weekHours + 1).time()}, true
	default:
		return Span{}, false
	}
}
