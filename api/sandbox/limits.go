package sandbox

import (
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The contract's rate limits. They count per key, in rolling windows, and a
// request that is refused does not count (ASSUMED 23).
const (
	requestsPerMinute  = 1000
	requestsPerHour    = 10000
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

// wait gives how long the next request has to wait; zero means it may go.
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

// limiter holds the windows of every key.
type limiter struct {
	mu      sync.Mutex
	relaxed bool // only details are limited
	keys    map[string]*keyLimits
}

type keyLimits struct{ minute, hour, creations, details *window }

func newLimiter(relaxed bool) *limiter {
	return &limiter{relaxed: relaxed, keys: map[string]*keyLimits{}}
}

// take counts one request of a key, or refuses it. The route is nil for a path
// that is not known, which counts as well.
func (l *limiter) take(account string, rt *route, now unit.Instant) *failure {
	l.mu.Lock()
	defer l.mu.Unlock()
	limits, known := l.keys[account]
	if !known {
		limits = &keyLimits{
			minute:    newWindow(requestsPerMinute, unit.Minute),
			hour:      newWindow(requestsPerHour, unit.Hour),
			creations: newWindow(creationsPerMinute, unit.Minute),
			details:   newWindow(detailsPerMinute, unit.Minute),
		}
		l.keys[account] = limits
	}
	var applied []*window
	if !l.relaxed {
		applied = append(applied, limits.minute, limits.hour)
		if rt != nil && rt.creation {
			applied = append(applied, limits.creations)
		}
	}
	if rt != nil && rt.sensitive {
		applied = append(applied, limits.details)
	}
	var wait unit.Instant
	for _, w := range applied {
		wait = max(wait, w.wait(now))
	}
	if wait > 0 {
		return rateLimited(wait)
	}
	for _, w := range applied {
		w.take(now)
	}
	return nil
}

func rateLimited(wait unit.Instant) *failure {
	return &failure{
		status: 429, id: "rate_limited", message: "rate limit exceeded",
		retryAfter: time.Duration((wait+unit.Second-1)/unit.Second) * time.Second,
	}
}
