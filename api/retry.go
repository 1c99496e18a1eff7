package api

import (
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
