package node

import (
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// clocks is how far this hub's wall clock is ahead of those of the hubs that led: any two may
// differ by any amount. Who leads tells its own with each renewal of its lease, signed.
type clocks struct {
	keys *seal.Keys
	now  func() time.Time

	mu    sync.Mutex
	ahead map[uint64]time.Duration // by the number of the lease
}

// clocksKept is of how many leases the clock is known.
const clocksKept = 16

func newClocks(keys *seal.Keys, now func() time.Time) *clocks {
	return &clocks{keys: keys, now: now, ahead: make(map[uint64]time.Duration)}
}

func aboutClock(number uint64) string { return fmt.Sprint("clock of lease ", number) }

// tell returns what the holder of a lease says of its clock.
func (c *clocks) tell(number uint64) string {
	text, err := c.now().UTC().MarshalText()
	if err != nil { // A year of five digits.
		return ""
	}
	return base64.StdEncoding.EncodeToString(c.keys.Sign(text, aboutClock(number)))
}

// told takes what the holder of a lease says. What was least delayed is right.
func (c *clocks) told(number uint64, note string) {
	signed, err := base64.StdEncoding.DecodeString(note)
	if err != nil {
		return
	}
	text, err := c.keys.Verify(signed, aboutClock(number))
	if err != nil {
		return
	}
	var at time.Time
	if at.UnmarshalText(text) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	ahead := c.now().Sub(at)
	if known, ok := c.ahead[number]; ok {
		ahead = min(known, ahead)
	}
	c.ahead[number] = ahead
	for len(c.ahead) > clocksKept {
		oldest := number
		for n := range c.ahead {
			oldest = min(oldest, n)
		}
		delete(c.ahead, oldest)
	}
}

// here returns a time of the hub that had a lease by this hub's clock. A clock of which
// nothing is known is taken for right.
func (c *clocks) here(number uint64, at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return at.Add(c.ahead[number])
}

// earliest returns the earliest that one of those hubs may call what is this time by this hub's clock.
func (c *clocks) earliest(at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	var most time.Duration
	for _, ahead := range c.ahead {
		most = max(most, ahead)
	}
	return at.Add(-most)
}
