package wire

import (
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The contract's rate limits. They count per key, in rolling windows, and a
// refused request does not count (ASSUMED 23).
const (
	requestsPerMinute  = 1000
	RequestsPerHour    = 10000
	creationsPerMinute = 50
	detailsPerMinute   = 30
)

// window holds the times of the last requests, as many as are allowed within
// its span: it is full exactly when the oldest of them is still inside.
type window struct {
	span  unit.Instant
	times []unit.Instant
	next  int
}

func newWindow(limit int, span unit.Instant) *window {
	return &window{span: span, times: make([]unit.Instant, limit)}
}

// wait returns how long until the next request is allowed; 0 is now.
func (w *window) wait(now unit.Instant) unit.Instant {
	oldest := w.times[w.next]
	if oldest == unit.Never || now-oldest >= w.span {
		return 0
	}
	return oldest + w.span - now
}

func (w *window) take(now unit.Instant) {
	w.times[w.next] = now
	w.next = (w.next + 1) % len(w.times)
}

// Limiter counts the requests of every key. It may be used from several
// goroutines.
type Limiter struct {
	mu      sync.Mutex
	relaxed bool // only details are limited
	keys    map[string]*keyLimits
}

type keyLimits struct{ minute, hour, creations, details *window }

// NewLimiter returns a limiter that has counted nothing. A relaxed one limits
// requests for card details only.
func NewLimiter(relaxed bool) *Limiter {
	return &Limiter{relaxed: relaxed, keys: map[string]*keyLimits{}}
}

// Cost is what a request counts against besides the minute and the hour.
type Cost int

// The costs.
const (
	CostNone Cost = iota
	CostCreation
	CostDetails
)

// Take counts one request of an account; the error is nil when it is allowed.
func (l *Limiter) Take(account string, costs Cost, now unit.Instant) *Error {
	l.mu.Lock()
	defer l.mu.Unlock()
	limits, known := l.keys[account]
	if !known {
		limits = &keyLimits{
			minute:    newWindow(requestsPerMinute, unit.Minute),
			hour:      newWindow(RequestsPerHour, unit.Hour),
			creations: newWindow(creationsPerMinute, unit.Minute),
			details:   newWindow(detailsPerMinute, unit.Minute),
		}
		l.keys[account] = limits
	}
	var applied []*window
	if !l.relaxed {
		applied = append(applied, limits.minute, limits.hour)
		if costs == CostCreation {
			applied = append(applied, limits.creations)
		}
	}
	if costs == CostDetails {
		applied = append(applied, limits.details)
	}
	var wait unit.Instant
	for _, w := range applied {
		wait = max(wait, w.wait(now))
	}
	if wait > 0 {
		return RateLimited(wait)
	}
	for _, w := range applied {
		w.take(now)
	}
	return nil
}

// RateLimited is a 429 with Retry-After in whole seconds, or without it for a
// wait of 0.
func RateLimited(wait unit.Instant) *Error {
	return &Error{
		Status: 429, ID: "rate_limited", Message: "rate limit exceeded",
		RetryAfter: time.Duration((wait+unit.Second-1)/unit.Second) * time.Second,
	}
}
