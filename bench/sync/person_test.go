//go:build long

package sync_test

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// person is the user: away for a third of each hour, otherwise arming a checkout now and
// then.
type person struct {
	began   time.Time
	day     time.Duration
	grade   poll.Attention
	armed   int // times
	armNext time.Time
	seen    map[api.ChallengeID]time.Time // codes, and since when they were there
}

// turn changes how closely the user watches.
func (p *person) turn(s *state.Store, grade poll.Attention) {
	if p.grade != grade {
		p.grade = grade
		s.Poll.SetAttention(grade, clock())
	}
}

func (p *person) look(s *state.Store, topics kernel.Topic) []kernel.Intent {
	if topics&kernel.TopicCodes != 0 {
		for _, c := range s.Codes.All() {
			if _, ok := p.seen[c.ID]; !ok && !c.OTP.IsZero() {
				p.seen[c.ID] = clock()
			}
		}
	}
	elapsed := clock().Sub(p.began)
	if elapsed%time.Hour >= 40*time.Minute && elapsed < p.day-calm {
		p.turn(s, poll.Unfocused)
		return nil
	}
	p.turn(s, poll.Focused)
	if clock().Before(p.armNext) {
		return nil
	}
	p.armNext = clock().Add(7 * time.Minute)
	return p.arm(s)
}

// arm arms the checkout of one card after the other unless one is armed.
func (p *person) arm(s *state.Store) []kernel.Intent {
	n := s.Cards.All().Len()
	if n == 0 || s.Codes.Checkout().Card != "" {
		return nil
	}
	p.armed++
	return []kernel.Intent{codes.Arm{Card: s.Cards.All().At(p.armed * 7 % n).ID}}
}
