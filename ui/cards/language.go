package cards

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/burn"
)

// language is what the list can be filtered by. The server's own filters would
// not help: every card is here already, and an answer to a filter would come
// later than the next key.
func language() query.Language[*subject] {
	return query.Cards[*subject]{
		Holds:    (*subject).holds,
		Balance:  func(s *subject) api.USD { return s.card().Balance },
		Spent:    func(s *subject) api.USD { return s.card().Spent },
		Status:   func(s *subject) string { return string(s.card().Shown()) },
		Label:    (*subject).name,
		Campaign: func(s *subject) string { return s.index.campaigns.folds[s.index.entries[s.row].campaign] },
		Last4:    func(s *subject) string { return string(s.card().Last4.Text()) },
		BIN:      func(s *subject) string { return folded(s.card().BIN()) },
		Network:  func(s *subject) string { return folded(s.card().Network()) },
		Last:     func(s *subject) (time.Duration, bool) { return ago(s.now, s.card().Used.Time()) },
		Age:      func(s *subject) (time.Duration, bool) { return ago(s.now, s.card().Created.Time()) },
		Expires: func(s *subject) (time.Duration, bool) {
			c := s.card()
			return c.Expires.Time().Sub(s.now), c.Expires != 0 && c.Status() != api.CardTerminated
		},
		Left: func(s *subject) query.Figure {
			f := s.figure()
			least, most := burn.Runway{Left: f.left, AtMost: f.foreign}.Bounds()
			return query.Figure{Least: least, Most: most, Known: f.left != unknown}
		},
		Burn: func(s *subject) query.Figure {
			f := s.figure()
			b := burn.Burn{PerHour: f.burn, AtLeast: f.foreign}
			least, most := b.Bounds()
			return query.Figure{Least: least, Most: most, Known: f.burns}
		},
		Declines: func(s *subject) query.Figure {
			if f := s.figure(); s.read7d {
				return query.PercentOf(int64(f.declined), int64(f.attempts))
			}
			return query.Figure{}
		},
		Idle: (*subject).idle,
	}.Language()
}

func (s *subject) figure() *figure { return s.index.figure(s.row) }

// idle is how long an active card with a balance was not used.
func (s *subject) idle() query.Figure {
	c := s.card()
	if c.Status() != api.CardActive || c.Balance <= 0 {
		return query.Figure{}
	}
	return query.Unused(c.Used.Time(), c.Created.Time(), s.covered.Since, s.covered.Until)
}

func ago(now, at time.Time) (time.Duration, bool) { return now.Sub(at), !at.IsZero() }
