package state

import (
	"errors"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Lane is one polled resource.
type Lane uint8

// The lanes, most urgent first: the order in which they resume after an
// outage.
const (
	LaneCodes Lane = iota
	LaneWallet
	LaneFeed
	LaneHot
	LaneSweep
	LaneHistory
	LaneDeposits
	laneCount
)

// Attention tells how closely a person watches.
type Attention uint8

// The grades of attention.
const (
	Focused Attention = iota
	Unfocused
	Armed
	attentions
)

// plan is one row of the schedule. An interval of zero polls once.
type plan struct {
	name     string
	interval [attentions]time.Duration
	maxWait  time.Duration
}

// The intervals and why they are so: the hour's 10,000 requests bind, codes
// come first, and nothing but the sweep may cost more with more cards.
var schedule = [laneCount]plan{
	LaneCodes:    {"codes", [attentions]time.Duration{time.Second, 3 * time.Second, armedEvery}, codesWait},
	LaneWallet:   {"wallet", every(10 * time.Second), 30 * time.Second},
	LaneFeed:     {"transactions", every(3 * time.Second), 30 * time.Second},
	LaneHot:      {"cards", every(10 * time.Second), 30 * time.Second},
	LaneSweep:    {"all cards", every(5 * time.Minute), 30 * time.Second},
	LaneHistory:  {"history", every(0), 30 * time.Second},
	LaneDeposits: {"deposits", every(time.Minute), 30 * time.Second},
}

// every is the interval of a lane that rests four times longer when nobody
// watches.
func every(d time.Duration) [attentions]time.Duration {
	return [attentions]time.Duration{d, 4 * d, d}
}

const (
	// armedEvery is how often codes are read while somebody waits for one.
	armedEvery = 500 * time.Millisecond
	// codesWait is the longest pause before codes are asked for again: they are
	// read again within five seconds of the network's return.
	codesWait = 4 * time.Second
	// sweepCost is how long a sweep takes for each page it reads: 180 pages an
	// hour, so that all lanes together stay under 60 % of the hour, with what a
	// usual day's codes and late transactions cost besides.
	sweepCost = 20 * time.Second
)

// laneState is what is known of a lane's polling.
type laneState struct {
	due      time.Time
	inFlight Seq
	askedAt  time.Time // when what is under way was asked for
	okAt     time.Time
	failures int
	failedAt time.Time
	heldTill time.Time // the server asked to be left alone until then
	err      error
	done     bool
	// shortTill: the request budget did not allow it until then.
	shortTill time.Time
	// cached: okAt is of an answer to an earlier run.
	cached bool
	// again: the answer under way is too old already, ask once more.
	again bool
	// rest is the page to go on with after a failure; nil to start anew.
	rest Effect
}

// Tick tells the store the time and asks what is due.
func (s *Store) Tick(now time.Time) (Topic, []Effect) {
	topics := s.awake(now)
	last := s.now
	s.now = now
	topics |= s.remind(last, now)
	topics |= s.expire(now)
	s.share(now)
	s.lookAround(now)
	s.findPlans(now)
	out := append([]Effect(nil), s.wants...)
	s.wants = s.wants[:0]
	if !s.started {
		s.started = true
		for i := range s.lanes {
			s.lanes[i].due = now
			s.lanes[i].done = s.cfg.Only != nil && !slices.Contains(s.cfg.Only, Lane(i))
		}
		// The first page of the feed is on screen before the past is read.
		s.lanes[LaneHistory].due = now.Add(time.Second)
	}
	for i := range s.lanes {
		l := &s.lanes[i]
		if l.inFlight != 0 || l.done || now.Before(l.due) {
			continue
		}
		out = append(out, s.fetchFor(Lane(i), s.follow(Lane(i))))
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
	for i := range s.lanes {
		if l := &s.lanes[i]; l.inFlight == 0 && !l.done {
			earliest(l.due)
		}
	}
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
	switch rest := s.lanes[lane].rest.(type) {
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
		return FetchChallenges{Seq: seq, Armed: s.checkout.Card != ""}
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
	return schedule[lane].name, ok
}

// current tells whether an answer belongs to the request its lane waits for.
// A late one, given up on before, changes nothing.
func (s *Store) current(e Effect) bool {
	lane, seq, ok := laneOf(e)
	return !ok || s.lanes[lane].inFlight == seq
}

// succeed closes a lane's request and plans the next.
func (s *Store) succeed(lane Lane, m Meta) {
	outage := s.endsOutage(lane)
	s.answered = m.At
	interval := s.interval(lane)
	// Intervals run from request to request, so that latency does not add up.
	due := later(m.Sent.Add(interval), m.At)
	if s.lanes[lane].again {
		due = m.At
	}
	okAt := m.At
	if Slept(m.Sent, m.At) {
		// What was answered before the sleep is as old as the request.
		okAt = m.Sent
	}
	s.lanes[lane] = laneState{okAt: okAt, due: due, done: interval == 0}
	if outage && elapsed(s.recovered, m.At) >= recoverEvery {
		s.recovered = m.At
		s.recover(m.At)
	}
}

// follow numbers a lane's next request, which may be for the next page.
func (s *Store) follow(lane Lane) Seq {
	l := &s.lanes[lane]
	l.inFlight, l.askedAt = s.nextSeq(), s.now
	return l.inFlight
}

// fail closes a lane's request and backs off, as long as the server told if
// it did.
func (s *Store) fail(lane Lane, ev FetchFailed) {
	if page := pageOf(ev.Effect); page > 1 && refusesRequest(ev.Err) {
		s.endWalk(lane, page-1, ev.Meta)
		return
	}
	l := &s.lanes[lane]
	if l.failures == 0 {
		l.failedAt = ev.At
	}
	l.failures++
	l.close(ev.Effect)
	l.err = ev.Err
	wait := s.backoff(l.failures, schedule[lane].maxWait)
	if told := retryAfter(ev.Err); told > 0 {
		wait = told
		l.heldTill = ev.At.Add(told)
	} else if errors.Is(ev.Err, api.ErrUnreachable) && ev.Sent.Before(s.recovered) {
		// The network came back after it was sent: that it found nobody tells
		// nothing of now.
		wait = 0
	}
	// The pause runs from the request: one that found nobody for as long as the
	// pause is need not be waited for again.
	from := ev.Sent
	if errors.Is(ev.Err, api.ErrRateLimited) {
		from = ev.At
		s.limited(lane, ev.At.Add(wait), retryAfter(ev.Err) > 0)
	}
	l.due = later(from.Add(wait), ev.At.Add(leastWait))
}

// leastWait keeps a request from following a failed one at once.
const leastWait = 100 * time.Millisecond

// limited lets the other lanes wait as well when the server says that there
// were too many requests, a little longer than the codes: those come first.
// Unless it told until when, a lane is not put off beyond its longest pause,
// however often another is refused.
func (s *Store) limited(by Lane, until time.Time, wasTold bool) {
	for i := range s.lanes {
		l := &s.lanes[i]
		if Lane(i) == by || Lane(i) == LaneCodes || l.done {
			continue
		}
		wait := until.Add(time.Duration(i) * leastWait)
		if !wasTold {
			wait = earlier(wait, l.askedAt.Add(schedule[i].maxWait))
		}
		l.due = later(l.due, wait)
	}
}

// postpone closes a lane's request that never left this machine.
func (s *Store) postpone(lane Lane, ev Deferred) {
	l := &s.lanes[lane]
	l.close(ev.Effect)
	wait := s.interval(lane)
	if l.rest != nil || l.okAt.IsZero() {
		wait = min(wait, time.Second) // Somebody waits for its pages.
	}
	l.due = ev.At.Add(max(ev.Wait, wait))
	l.shortTill = l.due
}

// interval is how long a lane rests from request to request.
func (s *Store) interval(lane Lane) time.Duration {
	grade := s.attention
	if lane == LaneCodes && s.checkout.Card != "" {
		grade = Armed
	}
	return time.Duration(float64(s.planned(lane, grade)) * s.stretch[lane])
}

// planned is the interval when requests are not short.
func (s *Store) planned(lane Lane, grade Attention) time.Duration {
	d := schedule[lane].interval[grade]
	if lane == LaneSweep {
		d = max(d, time.Duration(s.cards.pages)*sweepCost)
	}
	return d
}

// SetAttention tells how closely the dashboard is watched. Lanes that are
// due sooner under the new grade move up.
func (s *Store) SetAttention(a Attention, now time.Time) {
	s.attention = a
	s.allot()
	s.moveUp(now)
}

// moveUp brings the lanes forward that are due sooner than planned before.
func (s *Store) moveUp(now time.Time) {
	for i := range s.lanes {
		l := &s.lanes[i]
		if l.inFlight != 0 || l.done || l.failures > 0 || l.okAt.IsZero() || l.cached || now.Before(l.shortTill) || now.Before(l.heldTill) {
			continue
		}
		if due := l.okAt.Add(s.interval(Lane(i))); due.Before(l.due) {
			l.due = later(due, now)
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
