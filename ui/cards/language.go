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
	return query.Language[*subject]{
		Holds: (*subject).holds,
		Fields: []query.Field[*subject]{
			{Name: "bal", Also: []string{"balance"}, Money: func(s *subject) state.USD { return s.table().Balance(int(s.row)) }},
			{Name: "spent", Money: func(s *subject) state.USD { return s.whole().Spent24h }},
			{
				Name: "status", Word: func(s *subject) string { return string(s.table().Status(int(s.row))) },
				Words: []string{string(state.CardActive), string(state.CardFrozen), string(state.CardTerminated)},
			},
			{Name: "label", Text: (*subject).name},
			{Name: "card", Also: []string{"last4"}, Text: func(s *subject) string { return string(s.table().Last4(int(s.row))) }},
			{Name: "bin", Text: func(s *subject) string { return folded(s.whole().BIN) }},
			{Name: "net", Also: []string{"network"}, Text: func(s *subject) string { return folded(s.whole().Network) }},
			{Name: "last", Age: func(s *subject) (time.Duration, bool) { return ago(s.now, s.whole().LastUsed) }},
			{Name: "age", Age: func(s *subject) (time.Duration, bool) { return ago(s.now, s.whole().CreatedAt) }},
		},
	}
}

func ago(now, at time.Time) (time.Duration, bool) { return now.Sub(at), !at.IsZero() }
