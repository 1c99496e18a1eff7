package sandbox

import (
	"sync"
	"time"
)

// clock is the time of this world: the caller's clock, put forward by what the
// control asked for.
type clock struct {
	base func() time.Time

	mu     sync.Mutex
	ahead  instant
	latest instant
}

func (c *clock) now() instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	return instantOf(c.base()) + c.ahead
}

// stamp gives the time of a write that belongs to the time at. It never falls,
// also when the caller's clock does: rows are in the order of time.
func (c *clock) stamp(at instant) instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = max(c.latest, at)
	return c.latest
}

// advance puts the clock forward and gives the total by which it is ahead.
func (c *clock) advance(by instant) instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += by
	return c.ahead
}

// resume sets the clock of a database that was used before.
func (c *clock) resume(ahead, latest instant) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead, c.latest = ahead, latest
}
