package state

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/poll"
)

// PollTable is the polling of the lanes, and what programs that share a key say of
// each other.
type PollTable struct {
	*core
	*poll.Table
	privacy     *PrivacyTable
	nextPages   [poll.Lanes]Effect // the page to go on with after a failure; nil to start anew
	shareDue    time.Time
	shareFailed bool
	adoption    adoption
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
		h.Text = "the hour's requests are used up: the rest is reserved for your actions"
	}
	if worst != nil {
		h.Text = p.privacy.Display().Sentence(errtext.Explain(worst))
	}
	return h
}

// RefusedAtStart returns the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (p *PollTable) RefusedAtStart() error {
	if p.OKAt(LaneCodes).IsZero() && errors.Is(p.Err(LaneCodes), api.ErrKeyInvalid) {
		return p.Err(LaneCodes)
	}
	return nil
}

// succeed closes a lane's request and plans the next.
func (p *PollTable) succeed(lane Lane, m Meta) {
	p.nextPages[lane] = nil
	p.Succeed(lane, m.Sent, m.At)
}

// follow numbers a lane's next request, which may be for the next page.
func (p *PollTable) follow(lane Lane) Seq {
	seq := p.nextSeq()
	p.Ask(lane, seq)
	return seq
}

// postpone closes a lane's request that never left this machine.
func (p *PollTable) postpone(lane Lane, ev Deferred) {
	p.savePage(lane, ev.Effect)
	p.Postpone(lane, ev.At, ev.Wait, p.nextPages[lane] != nil)
}

// savePage records the page of a request that brought nothing. A later page
// is asked for again by itself: the pages before it would not be read on from
// a second time, because the feed stops where nothing is new.
func (p *PollTable) savePage(lane Lane, e Effect) {
	p.nextPages[lane] = nil
	if pageOf(e) > 1 {
		p.nextPages[lane] = e
	}
}

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

// Health is the state of the link for the header.
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

// pageOf is the page an effect reads; 0 when what it reads has none.
func pageOf(e Effect) int {
	if p, ok := e.(paged); ok {
		return p.page()
	}
	return 0
}

// wakes calls at with the times at which the table has something to do.
func (p *PollTable) wakes(at func(time.Time)) {
	p.NextDue(at)
	at(p.shareDue)
	at(p.adoption.due)
}

// adoptEvery is how often a dashboard adopts operations that another left
// when it was killed, and reads what the others moved.
const adoptEvery = 30 * time.Second

// adoption is what is known of the other dashboards of the profile.
type adoption struct {
	due    time.Time
	failed bool
	// moved is what all dashboards moved in the last day, as of then; the own
	// ones since are counted live.
	moved []Moved
	at    time.Time
}

// adoptOps asks what the other dashboards did when it is time.
func (p *PollTable) adoptOps(now time.Time) {
	if p.cfg.Shared && poll.Reached(now, p.adoption.due) {
		p.adoption.due = now.Add(adoptEvery)
		p.wants = append(p.wants, AdoptOperations{})
	}
}

// shareEvery is how often programs that use the same key exchange what
// they spent.
const shareEvery = 10 * time.Second

// share requests the exchange when it is due.
func (p *PollTable) share(now time.Time) {
	if p.cfg.Shared && poll.Reached(now, p.shareDue) {
		p.shareDue = now.Add(shareEvery)
		p.wants = append(p.wants, ShareUse{})
	}
}

// ShareUse exchanges with the other programs that use the key what was spent:
// both ways.
type ShareUse struct{}

func (ShareUse) effect() {}

// UseShared confirms that programs exchanged what they spent, or says why they
// could not.
type UseShared struct {
	Meta
	Err error
}

func (ev UseShared) apply(s *Store) (Topic, []Effect) {
	why := s.Poll.shared(ev)
	if why == "" {
		return 0, nil
	}
	s.Notices.say(Warn, why)
	return TopicNotice, nil
}

// shared is why the programs that use the key could not exchange what they
// spent; empty when they could, and when it was said before.
func (p *PollTable) shared(ev UseShared) string {
	if ev.Err == nil || p.shareFailed {
		return ""
	}
	p.shareFailed = true
	return ev.Err.Error() + "; other programs with this key may use up its limit"
}

// movedByAll is what all dashboards moved in the last day, as of a time.
func (p *PollTable) movedByAll() (moved []Moved, at time.Time) {
	return p.adoption.moved, p.adoption.at
}
