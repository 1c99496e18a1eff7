package rule

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// maxTop bounds the cards that a rule proposes something for at once.
const maxTop = 200

// Matches are the cards that match, as far as they were compared.
type Matches struct {
	// N counts them, and Sum is what they hold, USD.
	N   int
	Sum api.USD
	// Top are those that need the rule most, at most 200: first those that something
	// can be done to, the most urgent first.
	Top []Match
}

// Reset begins anew.
func (m *Matches) Reset() { *m = Matches{Top: m.Top[:0]} }

// Add adds a card that matches a rule.
func (m *Matches) Add(r *Rule, card Match) {
	m.N++
	m.Sum += card.Balance
	i, known := slices.BinarySearchFunc(m.Top, card, r.first)
	if i >= maxTop || known {
		return
	}
	if len(m.Top) >= maxTop {
		m.Top = m.Top[:maxTop-1]
	}
	m.Top = slices.Insert(m.Top, i, card)
}

// first orders cards by which is to be proposed for: what nothing can be done to keeps no
// other card from the rule.
func (r *Rule) first(a, b Match) int {
	switch {
	case a.barred == b.barred:
		return r.urgent(a, b)
	case a.barred:
		return 1
	}
	return -1
}

// maxIdle bounds the idle cards that are named.
const maxIdle = 1000

// Idle are active cards with a balance that were not used for long, or have expired.
type Idle struct {
	// N counts them, Expired those that have expired, and Sum is what they hold, USD.
	N, Expired int
	Sum        api.USD
	// Cards are at most 1000 of them.
	Cards []api.CardID
}

// Reset begins anew.
func (d *Idle) Reset() { *d = Idle{Cards: d.Cards[:0]} }

// Add adds a card when it was not used for at least a time, zero is never, or has
// expired: nothing can be paid with it any more.
func (d *Idle) Add(s *Subject, least time.Duration, expired bool) {
	expired = s.Card.Expired && (expired || least > 0)
	if s.Card.Cached || s.Card.Status != api.CardActive || s.Card.Balance < api.Cent || least <= 0 && !expired {
		return
	}
	if f := s.Figures.Idle(&s.Card); !expired && (!f.Known || f.Least < int64(least)) {
		return
	}
	if expired {
		d.Expired++
	}
	d.N++
	d.Sum += s.Card.Balance
	if len(d.Cards) < maxIdle {
		d.Cards = append(d.Cards, s.Card.ID)
	}
}
