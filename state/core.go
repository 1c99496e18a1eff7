package state

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// core is what all tables share: the configuration, the time, the numbers of
// requests and the effects that wait for the next tick.
type core struct {
	cfg     Config
	now     time.Time // of the last tick or event, this machine's clock
	started bool
	seq     Seq
	clock   poll.ServerClock
	wants   []Effect
}

// Now is the time of the last tick or event, this machine's clock.
func (c *core) Now() time.Time { return c.now }

// ServerNow is Now on the server's clock, which decides when codes expire.
func (c *core) ServerNow() time.Time { return c.clock.Server(c.now) }

// ReadOnly tells whether writes are refused.
func (c *core) ReadOnly() bool { return c.cfg.ReadOnly }

// NoReveal tells whether numbers, CVVs and addresses are refused.
func (c *core) NoReveal() bool { return c.cfg.NoReveal }

func (c *core) nextSeq() Seq {
	c.seq++
	return c.seq
}
