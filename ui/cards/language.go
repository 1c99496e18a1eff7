package cards

import (
	"time"

	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state"
)

// language is what the list can be filtered by. The server's own filters would
// not help: every card is here already, and an answer to a filter would come
// later than the next key.
func language() query.Language[*subject] {
	return query.Cards[*subject]{
		Holds:    (*subject).holds,
		Balance:  func(s *subject) state.USD { return s.table().Balance(int(s.row)) },
		Spent:    func(s *subject) state.USD { return s.whole().Spent24h },
		Status:   func(s *subject) string { return string(s.table().Status(int(s.row))) },
		Label:    (*subject).name,
		Campaign: func(s *subject) string { return s.index.campaigns.folds[s.index.entries[s.row].campaign] },
		Last4:    func(s *subject) string { return string(s.table().Last4(int(s.row))) },
		BIN:      func(s *subject) string { return folded(s.whole().BIN) },
		Network:  func(s *subject) string { return folded(s.whole().Network) },
		Last:     func(s *subject) (time.Duration, bool) { return ago(s.now, s.whole().LastUsed) },
		Age:      func(s *subject) (time.Duration, bool) { return ago(s.now, s.whole().CreatedAt) },
	}.Language()
}

func ago(now, at time.Time) (time.Duration, bool) { return now.Sub(at), !at.IsZero() }
