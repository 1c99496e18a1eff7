package state

import (
	"time"

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

// The lanes, most urgent first.
const (
	LaneCodes    = poll.Codes
	LaneWallet   = poll.Wallet
	LaneFeed     = poll.Feed
	LaneHot      = poll.Hot
	LaneSweep    = poll.Sweep
	LaneHistory  = poll.History
	LaneDeposits = poll.Deposits
)

// HourlyRequests is what the service answers in an hour (contract, Limits).
const HourlyRequests = poll.HourlyRequests

// The grades of attention.
const (
	Focused   = poll.Focused
	Unfocused = poll.Unfocused
	Armed     = poll.Armed
)

type (
	// Lane is one polled resource.
	Lane = poll.Lane
	// Attention is how closely the user watches the dashboard.
	Attention = poll.Attention
	// Source says where a lane's data came from and how old it is.
	Source = poll.Source
	// Budget is how requests are spent; the zero value says nothing.
	Budget = poll.Budget
	// LaneUse is what one lane, or one other purpose, costs.
	LaneUse = poll.LaneUse
	// ClockSample bounds how far the server's clock is ahead of this machine's.
	ClockSample = poll.ClockSample
)

// Tick tells the store the time and asks what is due.
func (s *Store) Tick(now time.Time) (Topic, []Effect) {
	var topics Topic
	if s.Poll.Wake(now) {
		s.Poll.unread, topics = [poll.Lanes]Effect{}, TopicAll
	}
	last := s.now
	s.setNow(now)
	topics |= s.Alerts.remind(last, now)
	topics |= s.expire(now)
	s.Poll.share(now)
	s.Poll.lookAround(now)
	s.Bulk.findPlans(now)
	out := append([]Effect(nil), s.wants...)
	s.wants = s.wants[:0]
	if !s.started {
		s.started = true
		s.Poll.Start(now, s.cfg.Only)
	}
	for _, lane := range s.Poll.Due(now) {
		out = append(out, s.fetchFor(lane, s.Poll.follow(lane)))
	}
	changed, again := s.resend(now)
	out = append(append(out, again...), s.pump()...)
	topics |= changed
	return topics | s.Alerts.alarm(topics), out
}

// NextWake tells when the store next has something to do.
func (s *Store) NextWake() time.Time {
	var wake time.Time
	earliest := func(t time.Time) {
		if !t.IsZero() && (wake.IsZero() || t.Before(wake)) {
			wake = t
		}
	}
	s.Poll.NextDue(earliest)
	earliest(s.Secrets.reveal.Until)
	earliest(s.Notices.notice.Until)
	earliest(s.Info.selected.due)
	earliest(s.Info.inspector.due)
	earliest(s.Txns.detail.due)
	earliest(s.Webhooks.signing.Until)
	earliest(s.Webhooks.signing.ShownUntil)
	earliest(s.Poll.shareDue)
	earliest(s.Poll.around.due)
	earliest(s.Older.rest.due)
	if s.Limits.limits.asked == 0 {
		earliest(s.Limits.limits.due)
	}
	earliest(s.Bulk.bulk.due)
	earliest(s.Ops.lookDue)
	for _, b := range s.Bulk.bulk.list {
		earliest(s.Bulk.bulkWake(b))
	}
	for _, op := range s.Ops.ops {
		earliest(op.retryAt)
	}
	return wake
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
