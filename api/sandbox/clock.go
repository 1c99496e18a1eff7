package sandbox

import (
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// clock is the time of this world: the caller's clock, put forward by what the
// control asked for.
type clock struct {
	base func() time.Time

	mu     sync.Mutex
	ahead  unit.Instant
	latest unit.Instant
}

func newClock(base func() time.Time) *clock {
	if base == nil {
		base = time.Now //nolint:forbidigo // The machine's clock is the documented default.
	}
	return &clock{base: base}
}

func (c *clock) now() unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return unit.InstantOf(c.base()) + c.ahead
}

// stamp gives the time of a write that belongs to the time at. It never falls,
// also when the caller's clock does: rows are in the order of time.
func (c *clock) stamp(at unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = max(c.latest, at)
	return c.latest
}

// advance puts the clock forward and gives the total by which it is ahead.
func (c *clock) advance(by unit.Instant) unit.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	return c.ahead
}

// resume sets the clock of a database that was used before.
func (c *clock) resume(ahead, latest unit.Instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.latest = ahead, latest
}
