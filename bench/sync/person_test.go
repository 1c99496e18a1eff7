//go:build long

package sync_test

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// person is the user.
type person struct {
	grade poll.Attention
	armed int // times
}

// turn changes how closely the user watches.
func (p *person) turn(s *state.Store, grade poll.Attention) {
	if p.grade != grade {
		p.grade = grade
		s.Poll.SetAttention(grade, clock())
	}
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
