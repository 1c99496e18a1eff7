package client

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
)

// ParseRetryAfter parses the header of that name (ASSUMED 23): seconds, or a date,
// which is measured from now (best the service's own Date). It reports whether there
// was one. The pause is at most RetryAfterCap.
func ParseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	rest := strings.TrimLeft(value, "0123456789")
	digits := strings.TrimSuffix(value, rest)
	if rest == "" {
		seconds, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return api.RetryAfterCap, true // More seconds than a number holds.
		}
		return min(time.Duration(seconds)*time.Second, api.RetryAfterCap), true
	}
	if digits != "" && strings.HasPrefix(rest, ".") && strings.Trim(rest[1:], "0123456789") == "" {
		whole, _ := ParseRetryAfter(digits, now)
		return min(whole+time.Second, api.RetryAfterCap), true // Parts of a second are rounded up.
	}
	at, err := http.ParseTime(value)
	if err != nil || now.IsZero() {
		return 0, false
	}
	return min(max(at.Sub(now), 0), api.RetryAfterCap), true
}
