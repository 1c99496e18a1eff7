package cards

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
)

// subject is a card as a filter asks of it.
type subject struct {
	api.CardItem
	figures *figures
	now     time.Time
	// expires is when it expires; zero where it was not read.
	expires time.Time
}

// status is the one to show; see cardlist.Shown.
func (s *subject) status() api.CardStatus {
	return cardlist.Shown(s.Status, cardlist.Passed(s.expires, s.now))
}

// language is what cards are filtered by.
func language() query.Language[*subject] {
	ago := func(s *subject, at time.Time) (time.Duration, bool) { return s.now.Sub(at), !at.IsZero() }
	return query.Cards[*subject]{
		Holds: func(s *subject, want *query.Needle) bool {
			return want.In(low(s.Label)) || want.In(string(s.Last4)) ||
				want.In(low(string(s.status())+"\n"+string(s.Network)+"\n"+string(s.BIN)))
		},
		Balance: func(s *subject) api.USD { return s.CardItem.Balance },
		Spent:   (*subject).spent,
		Status:  func(s *subject) string { return low(s.status()) },
		Label:   func(s *subject) string { return low(s.CardItem.Label) },
		Last4:   func(s *subject) string { return string(s.CardItem.Last4) },
		BIN:     func(s *subject) string { return low(s.CardItem.BIN) },
		Network: func(s *subject) string { return low(s.CardItem.Network) },
		Last:    func(s *subject) (time.Duration, bool) { return ago(s, s.last()) },
		Age:     func(s *subject) (time.Duration, bool) { return ago(s, s.CreatedAt) },
		Expires: func(s *subject) (time.Duration, bool) {
			return s.expires.Sub(s.now), !s.expires.IsZero() && s.Status != api.CardTerminated
		},

		Campaign: func(s *subject) string { return low(s.campaign()) },
		Left:     (*subject).left, Burn: (*subject).burn, Declines: (*subject).declines, Idle: (*subject).idle,
	}.Language()
}

func low[T ~string](text T) string { return strings.ToLower(string(text)) }

// Suggest returns what a filter may go on as; values are those of the cards' fields.
func Suggest(text string, values func(field string) []string) []query.Suggestion {
	l := language()
	return l.Suggest(text, values)
}
