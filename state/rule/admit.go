package rule

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

// Done is an action that a rule took, or may have: what is not known to have failed
// counts.
type Done struct {
	Key  api.IdempotencyKey
	Rule string
	Card api.CardID
	// Amount is the larger of what was asked for and what the answer says moved, USD.
	Amount api.USD
	// At is when it was last known of, this machine's clock; of one that is Open when
	// it was asked for.
	At time.Time
	// Open reports whether it has no answer: it counts however long ago it began.
	Open bool
}

// Used is what a rule did in the last day.
type Used struct {
	Amount  api.USD
	Actions int
	// cards are sums by card, and when each was last acted on.
	cards map[api.CardID]usedCard
}

type usedCard struct {
	amount api.USD
	last   time.Time
	open   bool
}

// Use sums up what a rule did.
func (r *Rule) Use(done []Done, now time.Time) Used {
	u := Used{cards: make(map[api.CardID]usedCard)}
	for i := range done {
		d := &done[i]
		if d.Rule != r.Name || !d.Open && now.Sub(d.At) >= Day {
			continue
		}
		u.add(d.Card, d.Amount, d.At, d.Open)
	}
	return u
}

func (u *Used) add(id api.CardID, amount api.USD, at time.Time, open bool) {
	u.Amount += amount
	u.Actions++
	c := u.cards[id]
	c.amount += amount
	c.open = c.open || open
	if at.After(c.last) {
		c.last = at
	}
	u.cards[id] = c
}

// Admit returns why the caps refuse an action now; empty when they do not. It is
// asked again before each request, with what all programs of the profile did.
func (r *Rule) Admit(w *lang.Words, u *Used, id api.CardID, amount api.USD, now time.Time) string {
	switch c := u.cards[id]; {
	case c.open:
		return w.T("an operation is under way")
	case !r.rested(c, now):
		return w.Tf("cooldown until %s", c.last.Add(r.Cooldown).Local().Format("15:04"))
	case r.MaxActions > 0 && u.Actions >= r.MaxActions:
		return w.Tf("max_actions reached: %d in 24 h", u.Actions)
	case r.MaxDay > 0 && u.Amount+amount > r.MaxDay:
		return w.Tf("%s of %s a day used", w.Dollars(u.Amount), w.Dollars(r.MaxDay))
	case r.MaxCard > 0 && c.amount+amount > r.MaxCard:
		return w.Tf("%s of %s a card and day used", w.Dollars(c.amount), w.Dollars(r.MaxCard))
	}
	return ""
}

// rested reports whether the cooldown of a card is over. A clock that was set back
// leaves it on.
func (r *Rule) rested(c usedCard, now time.Time) bool {
	return c.last.IsZero() || now.Sub(c.last) >= r.Cooldown
}

// room is the most that the caps let move to or from a card now, USD; no more than
// want.
func (r *Rule) room(u *Used, id api.CardID, want api.USD) api.USD {
	if r.MaxDay > 0 {
		want = min(want, r.MaxDay-u.Amount)
	}
	if r.MaxCard > 0 {
		want = min(want, r.MaxCard-u.cards[id].amount)
	}
	return max(0, want)
}

// Mode is what a rule may do by itself.
type Mode uint8

// The modes. Each lasts as long as the program runs.
const (
	Off Mode = iota
	// Suggest: a plan waits for a yes.
	Suggest
	// Act: plans are carried out at once.
	Act
)

// String is the mode in a word.
func (m Mode) String() string { return [...]string{"off", "suggest", "act"}[m] }

// Status is a rule of the configuration and what it does.
type Status struct {
	Rule
	Mode Mode
	// Looked is when the cards were last compared with it, this machine's clock; zero
	// for never.
	Looked time.Time
	// Matching counts the cards that match, and Sum is what they hold, USD.
	Matching int
	Sum      api.USD
	// Proposals are what it would do to the cards that need it most.
	Proposals []Proposal
	// Used is what it did in the last day, Last the latest of it that this program
	// knows of, in words, at LastAt.
	Used   Used
	Last   string
	LastAt time.Time
	// Paused is why it does nothing now; empty when it does.
	Paused string
	// Passing reports whether what Paused says is over by itself within seconds.
	Passing bool
	// Broken is why the filter cannot be read; nil when it can.
	Broken error
	// Failures counts those in a row, RestsTill is until when the rule does nothing
	// after one, or after a card that was not as planned; zero for no time.
	Failures  int
	RestsTill time.Time

	filter  Filter
	matches Matches
}

const (
	// maxFailures in a row stop a rule.
	maxFailures = 3
	// failureRest is how long a rule does nothing after a failure, or a card that was not as planned.
	failureRest = time.Minute
)

// NewStatus is a rule that is off, and has not been compared with any card.
func NewStatus(r Rule) Status {
	s := Status{Rule: r}
	s.filter, s.Broken = ParseWhen(r.When)
	return s
}

// Disarm has the rule do nothing by itself, and forgets its failures.
func (s *Status) Disarm() { s.Mode, s.Failures, s.RestsTill = Off, 0, time.Time{} }

// Lively reports whether the rule does something by itself.
func (s *Status) Lively() bool { return s.Mode != Off || !s.Action.Acts() }

// FailuresLeft is how many failures in a row stop the rule.
func (s *Status) FailuresLeft() int { return max(0, maxFailures-s.Failures) }

// Stopped reports whether the rule failed so often that it was stopped.
func (s *Status) Stopped() bool { return s.Failures >= maxFailures }

// Stop stops a rule that failed too often; why is the last failure.
func (s *Status) Stop(w *lang.Words, why string) {
	s.Disarm()
	s.Failures, s.Paused = maxFailures, StoppedBy(w, why)
}

// Rest has the rule do nothing for some time.
func (s *Status) Rest(now time.Time) { s.RestsTill = now.Add(failureRest) }

// Proposes counts what the rule would do now, and the sum it would move, USD.
func (s *Status) Proposes() (n int, sum api.USD) {
	for i := range s.Proposals {
		if s.Proposals[i].Out == "" {
			n++
			sum += s.Proposals[i].Amount
		}
	}
	return n, sum
}

// Matches reports whether a card matches.
func (s *Status) Matches(c *Subject) bool { return s.Broken == nil && s.filter.Match(c) }

// compare adds a card to what matches.
func (s *Status) compare(c *Subject, now time.Time) {
	if !s.Matches(c) {
		return
	}
	m := Match{Card: c.Card.ID, Balance: c.Card.Balance, Status: c.Card.Shown()}
	if s.Action.Acts() {
		if c.Look != nil {
			c.Look(s, &m)
		}
		m.barred = s.bars(&m, &s.Used, now)
	}
	s.matches.Add(&s.Rule, m)
}

// Conclude takes over what a comparison of all cards found, and returns the cards that
// need the rule most. They are the rule's own, until the next comparison.
func (s *Status) Conclude(now time.Time) []Match {
	s.Looked, s.Matching, s.Sum = now, s.matches.N, s.matches.Sum
	return s.matches.Top
}

// StoppedBy says that a rule stopped, and the failure that it last had.
func StoppedBy(w *lang.Words, why string) string {
	return w.Tf("stopped after %d failures: %s", maxFailures, why)
}
