package state

import (
	"time"

	"github.com/cardtop/cardtop/state/poll"
)

// Figures tells of what an intent rests on when it is reviewed.
type Figures struct {
	// At is when the oldest of it was read, this machine's clock; zero when it
	// was not read in this run.
	At time.Time
	// Stale says that it may be otherwise by now.
	Stale bool
}

// figuresFresh is how old figures may be that a person agrees to: three times
// what the wallet rests, and the time of an answer. While something is wrong it
// is figuresLate.
const (
	figuresFresh = 35 * time.Second
	figuresLate  = 12 * time.Second
)

// Figures tells from when the balances and the status are that an intent is
// reviewed with.
func (s *Store) Figures(in Intent) Figures {
	var f Figures
	oldest := func(at time.Time) {
		if f.At.IsZero() || at.Before(f.At) {
			f.At = at
		}
	}
	if id, ok := CardOf(in); ok {
		if r := s.Cards.get(id); r != nil && !r.cached {
			oldest(r.read.time())
		}
	}
	if s.restsOnWallet(in) && s.Wallet.wallet.live() {
		oldest(s.Wallet.wallet.readAt)
	}
	if run, ok := in.(RunPlan); ok && run.Plan != nil {
		oldest(run.Plan.Made)
	}
	age := poll.Elapsed(f.At, s.now)
	_, offline := s.Poll.Offline()
	f.Stale = !f.At.IsZero() && (offline || age > figuresFresh || age > figuresLate && s.Poll.Health().Link > Live)
	return f
}

// restsOnWallet tells whether what the wallet holds is part of a review.
func (s *Store) restsOnWallet(in Intent) bool {
	if run, ok := in.(RunPlan); ok {
		return run.Plan != nil && run.Plan.Kind.Danger() >= Money
	}
	_, moves := s.Preview(in)
	return moves
}
