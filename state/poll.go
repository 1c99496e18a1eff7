package state

import (
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/poll"
)

// PollTable is the polling of the lanes, and what programs that share a key say of
// each other.
type PollTable struct {
	*core
	*poll.Table
	privacy     *PrivacyTable
	unread      [poll.Lanes]Effect // the page to go on with after a failure; nil to start anew
	shareDue    time.Time
	shareFailed bool
	around      around
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

// RefusedAtStart gives the error when the API refused the key before anything
// was ever read: the dashboard cannot do its work then.
func (p *PollTable) RefusedAtStart() error {
	if p.OKAt(LaneCodes).IsZero() && errors.Is(p.Err(LaneCodes), api.ErrKeyInvalid) {
		return p.Err(LaneCodes)
	}
	return nil
}

func (s *Store) fetchFor(lane Lane, seq Seq) Effect {
	switch rest := s.Poll.unread[lane].(type) {
	case FetchCards:
		rest.Seq = seq
		return rest
	case FetchTransactions:
		rest.Seq = seq
		return rest
	default:
	}
	switch lane {
	case LaneCodes:
		return FetchChallenges{Seq: seq, Armed: s.Poll.Armed()}
	case LaneWallet:
		return FetchWallet{Seq: seq}
	case LaneFeed:
		s.Txns.feed.begin(s.now, s.ServerNow())
		return FetchTransactions{Seq: seq, From: s.Txns.feed.overlapFrom(s.ServerNow()), Page: 1}
	case LaneHistory:
		return FetchTransactions{Seq: seq, From: s.ServerNow().Add(-feedWindow), Page: 1, History: true}
	case LaneHot:
		return FetchCards{Seq: seq, Hot: true, Page: 1}
	case LaneSweep:
		return FetchCards{Seq: seq, Page: 1}
	default:
		return FetchDeposits{Seq: seq}
	}
}

// succeed closes a lane's request and plans the next.
func (p *PollTable) succeed(lane Lane, m Meta) {
	p.unread[lane] = nil
	p.Succeed(lane, m.Sent, m.At)
}

// follow numbers a lane's next request, which may be for the next page.
func (p *PollTable) follow(lane Lane) Seq {
	seq := p.nextSeq()
	p.Ask(lane, seq)
	return seq
}

// fail closes a lane's request and backs off.
func (s *Store) fail(lane Lane, ev FetchFailed) {
	if page := pageOf(ev.Effect); page > 1 && refusesRequest(ev.Err) {
		s.endPaging(lane, page-1, ev.Meta)
		return
	}
	s.Poll.leaveUnread(lane, ev.Effect)
	s.Poll.Fail(lane, poll.Failure{Sent: ev.Sent, At: ev.At, Err: ev.Err, RetryAfter: retryAfter(ev.Err)})
}

// postpone closes a lane's request that never left this machine.
func (p *PollTable) postpone(lane Lane, ev Deferred) {
	p.leaveUnread(lane, ev.Effect)
	p.Postpone(lane, ev.At, ev.Wait, p.unread[lane] != nil)
}

// leaveUnread notes the page of a request that brought nothing. A later page
// is asked for again by itself: the pages before it would not be read on from
// a second time, because the feed stops where nothing is new.
func (p *PollTable) leaveUnread(lane Lane, e Effect) {
	p.unread[lane] = nil
	if pageOf(e) > 1 {
		p.unread[lane] = e
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

// errLimitUsed is why the budget did not allow a request; limitUsed tells also
// until when, for who has to ask again.
var errLimitUsed = errors.New("the request limit is used up")

func limitUsed(wait time.Duration) error {
	return fmt.Errorf("%w: try again in %s", errLimitUsed, seconds(wait))
}

// endPaging ends a list after the pages read so far: the next one is refused,
// as it would be on every try, and the ones before are known.
func (s *Store) endPaging(lane Lane, pages int, m Meta) {
	switch lane {
	case LaneSweep:
		s.Poll.SetPages(pages)
		s.Cards.full = true
	case LaneFeed:
		s.Txns.endFeed(pages, m.At)
	default:
	}
	s.Poll.succeed(lane, m)
}

// pageOf tells which page an effect reads; 0 when what it reads has none.
func pageOf(e Effect) int {
	if p, ok := e.(paged); ok {
		return p.page()
	}
	return 0
}
