package engine

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// ServerNow returns the time on the server's clock, as the latest answer told it;
// this machine's before the first.
func (e *Engine) ServerNow() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	var clock poll.ServerClock
	clock.Add(e.clock)
	return clock.Server(e.cfg.Now())
}
