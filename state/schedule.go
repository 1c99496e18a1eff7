package state

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

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
		s.unread, topics = [poll.Lanes]Effect{}, TopicAll
	}
	last := s.now
	s.setNow(now)
	topics |= s.remind(last, now)
	topics |= s.expire(now)
	s.share(now)
	s.lookAround(now)
	s.findPlans(now)
	out := append([]Effect(nil), s.wants...)
	s.wants = s.wants[:0]
	if !s.started {
		s.started = true
		s.Poll.Start(now, s.cfg.Only)
	}
	for _, lane := range s.Poll.Due(now) {
		out = append(out, s.fetchFor(lane, s.follow(lane)))
	}
	changed, again := s.resend(now)
	out = append(append(out, again...), s.pump()...)
	topics |= changed
	return topics | s.alarm(topics), out
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
	earliest(s.reveal.Until)
	earliest(s.notice.Until)
	earliest(s.selected.due)
	earliest(s.inspector.due)
	earliest(s.detail.due)
	earliest(s.signing.Until)
	earliest(s.signing.ShownUntil)
	earliest(s.shareDue)
	earliest(s.around.due)
	earliest(s.rest.due)
	if s.limits.asked == 0 {
		earliest(s.limits.due)
	}
	earliest(s.bulk.due)
	earliest(s.lookDue)
	for _, b := range s.bulk.list {
		earliest(s.bulkWake(b))
	}
	for _, op := range s.ops {
		earliest(op.retryAt)
	}
	return wake
}

func (s *Store) fetchFor(lane Lane, seq Seq) Effect {
	switch rest := s.unread[lane].(type) {
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
		s.feed.begin(s.now, s.ServerNow())
		return FetchTransactions{Seq: seq, From: s.feed.overlapFrom(s.ServerNow()), Page: 1}
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

// laneOf tells which lane an effect belongs to; reads made for the cursor
// belong to none.
func laneOf(e Effect) (Lane, Seq, bool) {
	switch e := e.(type) {
	case FetchChallenges:
		return LaneCodes, e.Seq, true
	case FetchWallet:
		return LaneWallet, e.Seq, true
	case FetchTransactions:
		if e.History {
			return LaneHistory, e.Seq, true
		}
		return LaneFeed, e.Seq, true
	case FetchCards:
		if e.Hot {
			return LaneHot, e.Seq, true
		}
		return LaneSweep, e.Seq, true
	case FetchDeposits:
		return LaneDeposits, e.Seq, true
	default:
		return 0, 0, false
	}
}

// LaneName names the polled resource an effect reads; false for what a person
// asked for.
func LaneName(e Effect) (string, bool) {
	lane, _, ok := laneOf(e)
	return lane.String(), ok
}

// current reports whether an answer belongs to the request its lane waits for.
// A late one, given up on before, changes nothing.
func (s *Store) current(e Effect) bool {
	lane, seq, ok := laneOf(e)
	return !ok || s.Poll.Current(lane, seq)
}

// succeed closes a lane's request and plans the next.
func (s *Store) succeed(lane Lane, m Meta) {
	s.unread[lane] = nil
	s.Poll.Succeed(lane, m.Sent, m.At)
}

// follow numbers a lane's next request, which may be for the next page.
func (s *Store) follow(lane Lane) Seq {
	seq := s.nextSeq()
	s.Poll.Ask(lane, seq)
	return seq
}

// fail closes a lane's request and backs off.
func (s *Store) fail(lane Lane, ev FetchFailed) {
	if page := pageOf(ev.Effect); page > 1 && refusesRequest(ev.Err) {
		s.endPaging(lane, page-1, ev.Meta)
		return
	}
	s.leaveUnread(lane, ev.Effect)
	s.Poll.Fail(lane, poll.Failure{Sent: ev.Sent, At: ev.At, Err: ev.Err, RetryAfter: retryAfter(ev.Err)})
}

// postpone closes a lane's request that never left this machine.
func (s *Store) postpone(lane Lane, ev Deferred) {
	s.leaveUnread(lane, ev.Effect)
	s.Poll.Postpone(lane, ev.At, ev.Wait, s.unread[lane] != nil)
}

// leaveUnread notes the page of a request that brought nothing. A later page
// is asked for again by itself: the pages before it would not be read on from
// a second time, because the feed stops where nothing is new.
func (s *Store) leaveUnread(lane Lane, e Effect) {
	s.unread[lane] = nil
	if pageOf(e) > 1 {
		s.unread[lane] = e
	}
}
