package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Bounds of the pause before another try.
const (
	BackoffBase         = 800 * time.Millisecond
	BackoffCap          = 30 * time.Second
	ChallengeBackoffCap = 10 * time.Second // a code must not wait for a pause
	RetryAfterCap       = 15 * time.Minute
)

// Backoff returns the pause after a number of failures in a row (1 and up), with full
// jitter: between 0 and base × 2^(failures-1), at most ceiling. random returns a value
// in [0, 1).
func Backoff(failures int, ceiling time.Duration, random func() float64) time.Duration {
	limit := BackoffBase
	for i := 1; i < failures && limit < ceiling; i++ {
		limit *= 2
	}
	return time.Duration(random() * float64(min(limit, ceiling)))
}

// RetryAfter parses the header of that name (ASSUMED 23): seconds, or a date,
// which is measured from now (best the service's own Date). It reports whether there
// was one. The pause is at most RetryAfterCap.
func RetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	if digits, rest := cutDigits(value); rest == "" {
		seconds, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return RetryAfterCap, true // More seconds than a number holds.
		}
		return min(time.Duration(seconds)*time.Second, RetryAfterCap), true
	}
	if digits, rest := cutDigits(value); digits != "" && strings.HasPrefix(rest, ".") && strings.Trim(rest[1:], "0123456789") == "" {
		whole, _ := RetryAfter(digits, now)
		return min(whole+time.Second, RetryAfterCap), true // Parts of a second are rounded up.
	}
	at, err := http.ParseTime(value)
	if err != nil || now.IsZero() {
		return 0, false
	}
	return min(max(at.Sub(now), 0), RetryAfterCap), true
}
