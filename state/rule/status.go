package rule

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
)

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
