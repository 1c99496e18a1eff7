package sandbox

import (
	"errors"
	"strings"
	"time"
)

// instant is a point in time in milliseconds of the Unix epoch, UTC: the
// precision in which the contract's timestamps leave this server (ASSUMED 25).
type instant int64

const (
	second instant = 1000
	minute         = 60 * second
	hour           = 60 * minute
	day            = 24 * hour
)

// noInstant sorts before every real one and stands for "never".
const noInstant instant = 0

func instantOf(t time.Time) instant { return instant(t.UnixMilli()) }

func (i instant) time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// month numbers calendar months of UTC, for monthly limits.
func (i instant) month() int64 {
	t := i.time()
	return int64(t.Year())*12 + int64(t.Month()) - 1
}

// MarshalJSON writes an ISO 8601 timestamp that ends in Z, or null for never.
func (i instant) MarshalJSON() ([]byte, error) {
	if i == noInstant {
		return []byte("null"), nil
	}
	return []byte(i.time().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

var errNotInstant = errors.New("not an ISO 8601 date or timestamp")

// parseInstant reads an ISO 8601 timestamp with its offset. A plain date gives
// its first millisecond and wholeDay (ASSUMED 14). later tells that digits
// below the millisecond were cut off.
func parseInstant(text string) (at instant, wholeDay, later bool, err error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return instantOf(t), true, false, nil
	}
	// A plus sign that arrives unescaped in a query is read as a space.
	text = strings.Replace(text, " ", "+", 1)
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if t, err := time.Parse(layout, text); err == nil {
			return instantOf(t), false, t.Nanosecond()%int(time.Millisecond) != 0, nil
		}
	}
	// A timestamp without an offset is UTC, as all of the contract's are.
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return instantOf(t), false, t.Nanosecond()%int(time.Millisecond) != 0, nil
		}
	}
	return 0, false, false, errNotInstant
}
