package sim

import (
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Clock is the time of this world: the caller's clock, put forward by what the
// control asked for.
type Clock struct {
	base func() time.Time

	mu     sync.Mutex
	ahead  unit.Instant
	latest unit.Instant
}

func NewClock(base func() time.Time) *Clock {
	if base == nil {
		base = time.Now //nolint:forbidigo // The machine's clock is the documented default.
	}
	return &Clock{base: base}
}

func (c *Clock) Now() unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return unit.InstantOf(c.base()) + c.ahead
}

// Stamp gives the time of a write that belongs to the time at. It never falls,
// also when the caller's clock does: rows are in the order of time.
func (c *Clock) Stamp(at unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = max(c.latest, at)
	return c.latest
}

// Advance puts the clock forward and gives the total by which it is ahead.
func (c *Clock) Advance(by unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	return c.ahead
}

// Resume sets the clock of a database that was used before.
func (c *Clock) Resume(ahead, latest unit.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.latest = ahead, latest
}
