package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Link is how things stand between the dashboard and the API.
type Link uint8

// The states of the link, best first.
const (
	Connecting Link = iota
	Live
	Late
	Limited
	Offline
	KeyRefused
)

// Health is the header's word on the link.
type Health struct {
	Link Link
	// Age is how old what is wrong is, or else the codes, the lane that is polled
	// most often.
	Age time.Duration
	// Since is when things went wrong, Until when the server will be asked
	// again; both this machine's clock, zero when they do not apply.
	Since, Until time.Time
	// Text explains in a line what is wrong and what to do; empty when live.
	Text string
}

// Health reports on the link.
func (p *PollTable) Health() Health {
	h := Health{Link: Live, Age: max(0, p.Source(LaneCodes).Age(p.now))}
	worst, cached := error(nil), false
	for _, lane := range [...]Lane{LaneCodes, LaneWallet, LaneFeed, LaneHot} {
		src := p.Source(lane)
		age := src.Age(p.now)
		if age < 0 && src.Err == nil {
			h.Link = max(h.Link, Connecting)
			continue
		}
		if src.Cached && src.Err == nil {
			cached = true
			continue
		}
		if src.Err == nil {
			if src.Stale(p.now) && h.Link < Late {
				h.Link, h.Age = Late, age
			}
			continue
		}
		if link := linkOf(src.Err); link > h.Link || worst == nil {
			h.Link, worst, h.Age = max(h.Link, link), src.Err, max(0, age)
			h.Since, h.Until = src.Since, p.DueAt(lane)
		}
	}
	if h.Link == Live && (cached || p.OKAt(LaneCodes).IsZero()) {
		h.Link = Connecting
	}
	if short := p.Source(LaneCodes).ShortTill; worst == nil && !short.IsZero() {
		h.Link, h.Until = Limited, short
		h.Text = "the hour's requests are used up: what is left is kept for what you do"
	}
	if worst != nil {
		h.Text = p.privacy.Display().Sentence(explain(worst))
	}
	return h
}

func linkOf(err error) Link {
	switch {
	case errors.Is(err, api.ErrUnauthorized):
		return KeyRefused
	case errors.Is(err, api.ErrRateLimited):
		return Limited
	case errors.Is(err, api.ErrUnreachable):
		return Offline
	default:
		return Late
	}
}

// RefusedAtStart gives the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (p *PollTable) RefusedAtStart() error {
	if p.OKAt(LaneCodes).IsZero() && errors.Is(p.Err(LaneCodes), api.ErrKeyInvalid) {
		return p.Err(LaneCodes)
	}
	return nil
}

// errLimitUsed is why the budget did not allow a request; limitUsed tells also
// until when, for who has to ask again.
var errLimitUsed = errors.New("the request limit is used up")

func limitUsed(wait time.Duration) error {
	return fmt.Errorf("%w: try again in %s", errLimitUsed, seconds(wait))
}
