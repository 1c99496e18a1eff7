package state

import (
	"errors"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/guard"
)

// Check reports whether an intent can be done now, why not, and what it can
// cost. It changes nothing.
func (s *Store) Check(in Intent) Verdict {
	v := s.notOffline(in, s.checkAlone(in))
	if v.Reason == "" && v.Danger >= Money {
		v.Again, v.TypeTwice = s.confirmTwice(in)
	}
	return v
}

// checkAlone is Check without what guardrails confirm and what being offline
// refuses.
func (s *Store) checkAlone(in Intent) Verdict {
	if c, ok := in.(checker); ok {
		return c.check(s)
	}
	return Verdict{}
}

// Ask reports whether the user may be asked for the particulars of an intent:
// what Check says before any of them is known.
func (s *Store) Ask(in Intent) Verdict {
	if why := s.refusedByPrivacy(in); why != "" {
		return Verdict{Reason: why}
	}
	if particular, ok := in.(asker); ok {
		return s.notOffline(in, particular.ask(s))
	}
	return s.Check(in)
}

// Dispatch starts what an intent asks for. What Check would refuse is
// refused here too.
func (s *Store) Dispatch(in Intent) (Topic, []Effect, error) {
	if why := s.refusedByPrivacy(in); why != "" {
		return 0, nil, errors.New(why)
	}
	if _, refusable := in.(checker); refusable {
		if v := s.Check(in); v.Reason != "" {
			return 0, nil, errors.New(v.Reason)
		}
	}
	if moved, ok := AmountOf(in); ok && moved <= 0 {
		return 0, nil, errors.New(tooLittle)
	}
	if s.Bulk.mustPlan(in) {
		return 0, nil, errNotPlanned
	}
	if _, err := s.Ops.requestOf(in); err != nil {
		return 0, nil, errors.New(errtext.Explain(err))
	}
	topics, effects := in.start(s)
	return topics, effects, nil
}

// refusedByPrivacy is why an intent is refused on a locked screen, or on one
// that hides what it would show; empty when it is not.
func (s *Store) refusedByPrivacy(in Intent) string {
	if _, always := in.(lockable); always {
		return ""
	}
	if s.Privacy.Locked() {
		return lockedReason
	}
	if shows, ok := in.(shower); ok && s.Privacy.Private() {
		return shows.hidden(s)
	}
	return ""
}

// notOffline refuses what would wait while nothing answers, and act later. A
// dry run sends nothing.
func (s *Store) notOffline(in Intent, v Verdict) Verdict {
	if v.Reason != "" || s.Ops.DryRun() || !waitsForAPI(in) {
		return v
	}
	if since, offline := s.Poll.Offline(); offline {
		v.Reason = offlineSince(since, s.now)
	}
	return v
}

// waitsForAPI reports whether an intent may be refused while the API does not
// answer.
func waitsForAPI(in Intent) bool {
	w, ok := in.(waiter)
	return ok && w.waitsForAPI()
}

// AmountOf is what an intent would move, USD; false when it moves nothing.
func AmountOf(in Intent) (api.USD, bool) {
	if m, ok := in.(mover); ok {
		return m.amount(), true
	}
	return 0, false
}

// CardOf is the card that an intent is bound to; false when it is bound to
// none.
func CardOf(in Intent) (api.CardID, bool) {
	if b, ok := in.(bound); ok {
		return b.card(), true
	}
	return "", false
}

// Fetch is an effect that sends a request.
type Fetch interface {
	Effect
	// Cost is what the request is to the budget.
	Cost() Cost
}

// Awaited is an effect that the user may wait for.
type Awaited interface {
	Effect
	// Label says what the user waits for; empty when it is nothing. asked says
	// that a key led to the effect.
	Label(asked bool) string
}

// Cost is what a request is to the budget: which limit it counts against, how
// early it is refused, and the lane it is shown under.
type Cost struct {
	Kind     budget.Kind
	Priority budget.Priority
	Lane     string
}

type (
	// polled is an effect of a lane.
	polled interface {
		Fetch
		lane() (Lane, Seq)
	}
	// paged is an effect that reads a page of a list, from 1 on.
	paged interface{ page() int }
	// fallible is an effect outside the lanes whose failure changes something.
	fallible interface {
		failed(s *Store, f failure) Topic
	}
)

// failure is how a request brought nothing.
type failure struct {
	at   time.Time
	err  error
	wait time.Duration // that the server or the request budget asks for
	// deferred reports whether the request budget did not allow it.
	deferred bool
}

func polling(f polled, p budget.Priority) Cost {
	lane, _ := f.lane()
	return Cost{Priority: p, Lane: lane.String()}
}

// LaneName is the name of the lane that an effect polls; false for what is
// read only when it is needed.
func LaneName(e Effect) (string, bool) {
	p, ok := e.(polled)
	if !ok {
		return "", false
	}
	lane, _ := p.lane()
	return lane.String(), true
}

// Event is something that has happened. Everything the store learns arrives
// as one, failures included.
//
// Each event says beside its type what it changes.
//
//sumtype:decl
type Event interface {
	// apply merges the event and returns which parts changed and what follows.
	apply(s *Store) (Topic, []Effect)
	// meta is when and how an answer came; zero for what is none.
	meta() Meta
}

// Meta is when and how an answer came. Times are this machine's.
type Meta struct {
	Sent, At time.Time
	// Clock is what a recent answer said of the server's clock.
	Clock ClockSample
	// Budget is how the requests of the last hour were spent.
	Budget Budget
	// Requests are those that ended since the last event that had any.
	Requests []Request
}

func (m Meta) meta() Meta { return m }

// transactions is an event that brings some, whatever they were read for.
type transactions interface{ transactions() []api.Transaction }

// FetchFailed is a read that brought nothing.
type FetchFailed struct {
	Meta
	Effect Effect
	Err    error
}

func (ev FetchFailed) apply(s *Store) (Topic, []Effect) {
	if p, ok := ev.Effect.(polled); ok {
		lane, seq := p.lane()
		if !s.Poll.Current(lane, seq) {
			return 0, nil
		}
		s.fail(lane, ev)
		return TopicHealth | TopicAll, nil
	}
	return failEffect(s, ev.Effect, failure{at: ev.At, err: ev.Err, wait: errtext.RetryAfter(ev.Err)}), nil
}

// Deferred is a request that the request budget did not allow yet.
type Deferred struct {
	Meta
	Effect Effect
	Wait   time.Duration
}

func (ev Deferred) apply(s *Store) (Topic, []Effect) {
	if p, ok := ev.Effect.(polled); ok {
		if lane, seq := p.lane(); s.Poll.Current(lane, seq) {
			s.Poll.postpone(lane, ev)
		}
		return TopicHealth, nil
	}
	return failEffect(s, ev.Effect, failure{at: ev.At, err: errtext.LimitUsed(ev.Wait), wait: ev.Wait, deferred: true}), nil
}

// answer applies what the request of a lane brought, unless the lane has given
// up on it.
func (s *Store) answer(e polled, merge func(*Store) (Topic, []Effect)) (Topic, []Effect) {
	if !s.Poll.Current(e.lane()) {
		return 0, nil
	}
	topics, effects := merge(s)
	return topics | TopicHealth, effects
}

func failEffect(s *Store, e Effect, f failure) Topic {
	if e, ok := e.(fallible); ok {
		return e.failed(s, f)
	}
	return 0
}

// confirmTwice is why an intent is confirmed a second time, and whether its
// amount is typed a second time; empty when once is enough.
func (s *Store) confirmTwice(in Intent) (why string, typeTwice bool) {
	if rows, sum, many := s.Bulk.rowsOf(in); many {
		return s.Cards.confirmManyTwice(rows, sum)
	}
	g := s.cfg.Guard
	label := s.Cards.labelOf(in)
	for _, pattern := range g.ConfirmLabels {
		if guard.Match(pattern, label) {
			why = "the label matches “" + string(api.Clean(pattern)) + "”, which the guardrails confirm twice"
			break
		}
	}
	if amount, moves := AmountOf(in); moves && g.Live && amount >= g.TypeTwice {
		typeTwice = true
		if why != "" {
			why += "; "
		}
		why += "LIVE: amounts from $" + g.TypeTwice.Grouped() + " on are typed twice"
	}
	return why, typeTwice
}

// Intent is something the user wants done, bound to the id it was asked for
// and never to a position on the screen. Each intent says beside its type
// whether it can be done, and does it; the interfaces below are what some say
// besides.
//
//sumtype:decl
type Intent interface {
	// start does it. An intent that is only a question for particulars does
	// nothing.
	start(s *Store) (Topic, []Effect)
}

type (
	// checker is an intent that cannot always be done; check reports whether it
	// can be now.
	checker interface{ check(s *Store) Verdict }
	// asker is an intent that can be asked for before its particulars are known.
	asker interface{ ask(s *Store) Verdict }
	// bound is an intent about one card.
	bound interface{ card() api.CardID }
	// mover is an intent that moves an amount, USD.
	mover interface{ amount() api.USD }
	// labelled is an intent whose label guardrails check.
	labelled interface {
		labelIn(of func(api.CardID) string) string
	}
	// waiter is an intent that may be refused while the API does not answer: it
	// must not act later. Freezing may: it only makes cards safer.
	waiter interface{ waitsForAPI() bool }
	// lockable is an intent that a locked screen allows.
	lockable interface{ whileLocked() }
	// shower is an intent that would show what a private screen hides; hidden is
	// the reason, empty when it is shown already.
	shower interface{ hidden(s *Store) string }
)

// Danger grades what an intent can cost.
type Danger uint8

// The grades. Money and Permanent intents are confirmed before they are
// dispatched.
const (
	Harmless Danger = iota
	Reversible
	Money
	Permanent
)

// Verdict is what the store says of an intent before it is dispatched.
type Verdict struct {
	// Reason is in one line why the intent cannot be done; empty when it can.
	Reason string
	// Remedy is what would let it be done; empty where that is plain.
	Remedy string
	Danger Danger
	// Again is why a second confirmation is asked for; empty when one is
	// enough.
	Again string
	// TypeTwice reports whether the amount has to be typed a second time.
	TypeTwice bool
	// Shortfall is what the wallet lacks, USD, when that is the reason.
	Shortfall USD
}

// writable reports whether anything is written at all.
func (c *core) writable(danger Danger) Verdict {
	v := Verdict{Danger: danger}
	if c.cfg.ReadOnly {
		v.Reason = errtext.ReadOnly
	}
	return v
}

// errNotPlanned refuses an intent on many cards that was not made a plan of.
var errNotPlanned = errors.New("many cards at once are planned first")
