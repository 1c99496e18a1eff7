package sim

import (
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Clock is the time of the sandbox: the caller's clock, advanced by the control. It
// may be used from several goroutines.
type Clock struct {
	base func() time.Time

	mu     sync.Mutex
	ahead  unit.Instant
	latest unit.Instant
}

// NewClock returns a clock over base; nil is the machine's clock.
func NewClock(base func() time.Time) *Clock {
	if base == nil {
		base = time.Now //nolint:forbidigo // The machine's clock is the documented default.
	}
	return &Clock{base: base}
}

// Now returns the time.
func (c *Clock) Now() unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return unit.InstantOf(c.base()) + c.ahead
}

// Stamp returns the timestamp of a write at a time. It never goes back, even when
// the caller's clock does: rows are in the order of time.
func (c *Clock) Stamp(at unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = max(c.latest, at)
	return c.latest
}

// Advance advances the clock and returns the total by which it is ahead.
func (c *Clock) Advance(by unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	return c.ahead
}

// Resume sets the clock from a database that was used before.
func (c *Clock) Resume(ahead, latest unit.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.latest = ahead, latest
}
