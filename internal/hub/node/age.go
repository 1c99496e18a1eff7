package node

import (
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/state/poll"
)

// ageing says how old it is what a leader has read. The wall clocks of two machines may
// differ by any amount. So the leader's time is followed by when its messages arrive:
// the one that was least delayed tells how the two clocks stand to each other. Messages
// that came at once, after a gap, were sent earlier: until two have come as far apart
// as they were sent, the wall clocks have to do.
type ageing struct {
	clock func() time.Duration // monotonic
	now   func() time.Time

	last    replica.Ages
	arrived time.Duration
	// offset is what the leader's time is behind this hub's clock, with the delay of the
	// message that came soonest.
	offset time.Duration
	live   bool
}

// between is how far apart two messages have to be sent to say that they came live.
const between = 500 * time.Millisecond

// told takes what the leader says.
func (a *ageing) told(t replica.Ages) {
	at := a.clock()
	offset := at - t.Up
	if t.Leader != a.last.Leader || t.Up < a.last.Up {
		a.live, a.offset = false, offset
	} else {
		sent := t.Up - a.last.Up
		a.live = a.live || sent >= between && at-a.arrived >= sent/2
		a.offset = min(a.offset, offset)
	}
	a.last, a.arrived = t, at
}

// of is how old what a lane of the leader read is.
func (a *ageing) of(lane poll.Lane) time.Duration {
	since := a.now().Sub(a.last.At)
	if a.live {
		since = a.clock() - a.offset - a.last.Up
	}
	return max(0, since) + a.last.Lanes[laneName(lane)]
}

// age is how old what a lane of the leader read is.
func (m *mirror) age(lane poll.Lane) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ages.of(lane)
}

// lanes are those whose ages are told.
func lanes() []poll.Lane {
	return []poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Sweep, poll.Deposits}
}

// laneName names a lane between hubs.
func laneName(lane poll.Lane) string {
	switch lane {
	case poll.Codes:
		return "codes"
	case poll.Wallet:
		return "wallet"
	case poll.Feed:
		return "feed"
	case poll.Hot:
		return "hot"
	case poll.Sweep:
		return "sweep"
	default:
		return "deposits"
	}
}
