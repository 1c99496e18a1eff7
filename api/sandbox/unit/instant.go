package unit

import (
	"errors"
	"strings"
	"time"
)

// Instant is a point in time in milliseconds of the Unix epoch, UTC: the
// precision in which the contract's timestamps leave this server (ASSUMED 25).
type Instant int64

// Spans of time.
const (
	Second Instant = 1000
	Minute         = 60 * Second
	Hour           = 60 * Minute
	Day            = 24 * Hour
)

// Never is before every real instant.
const Never Instant = 0

// Forever is after every real instant.
const Forever Instant = 1_000_000_000_000_000

// InstantOf returns the instant of t, cut to milliseconds.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMilli()) }

// Time returns the instant in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// Month returns the number of the calendar month in UTC, for monthly limits.
func (i Instant) Month() int64 {
	t := i.Time()
	return int64(t.Year())*12 + int64(t.Month()) - 1
}

// MarshalJSON writes an ISO 8601 timestamp that ends in Z, or null for never.
func (i Instant) MarshalJSON() ([]byte, error) {
	if i == Never {
		return []byte("null"), nil
	}
	return []byte(i.Time().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

var errNotInstant = errors.New("not an ISO 8601 date or timestamp")

// ParseInstant parses an ISO 8601 timestamp. A plain date is its first
// millisecond, with wholeDay set (ASSUMED 14). later reports whether digits below
// the millisecond were cut off.
func ParseInstant(text string) (at Instant, wholeDay, later bool, err error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return InstantOf(t), true, false, nil
	}
	// A plus sign that arrives unescaped in a query is read as a space.
	text = strings.Replace(text, " ", "+", 1)
	// A timestamp without an offset is UTC, as all of the contract's are.
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return InstantOf(t), false, t.Nanosecond()%int(time.Millisecond) != 0, nil
		}
	}
	return 0, false, false, errNotInstant
}
