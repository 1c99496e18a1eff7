package rule

import (
	"errors"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Figure is a number of the ledger that may not be known; see query.Figure.
type Figure = query.Figure

// Unused is how long a card was not used; see query.Unused.
func Unused(used, created, since, now time.Time) Figure {
	return query.Unused(used, created, since, now)
}

// PercentOf is a part of a whole as a figure; not known where there is no whole.
func PercentOf(part, whole int64) Figure { return query.PercentOf(part, whole) }

// Figures reads what the list does not say of a card.
type Figures interface {
	// Left is how long the balance lasts, in nanoseconds, Burn what is spent an hour,
	// USD, Declines how many of 100 payments were declined in 7 days, in hundredths
	// of a percent, Idle how long an active card with a balance was not used.
	Left(c *cardlist.Card) Figure
	Burn(c *cardlist.Card) Figure
	Declines(c *cardlist.Card) Figure
	Idle(c *cardlist.Card) Figure
	// Campaign is the campaign of a card; empty for none.
	Campaign(c *cardlist.Card) string
}

// Subject is a card that rules are matched with.
type Subject struct {
	Card cardlist.Card
	// Now is the server's time.
	Now     time.Time
	Figures Figures
	// Look sets what of a match only the program knows; nil sets nothing.
	Look func(*Status, *Match)
}

// Filter is a parsed Rule.When.
type Filter struct{ query query.Query[*Subject] }

// Match reports whether a card matches. One that is terminated, or that this run
// has not read yet, matches nothing.
func (f *Filter) Match(s *Subject) bool {
	return !s.Card.Cached && s.Card.Status != api.CardTerminated && f.query.Match(s)
}

// ParseWhen reads a filter. Its error is a sentence about it.
func ParseWhen(text string) (Filter, error) {
	if strings.TrimSpace(text) == "" {
		return Filter{}, errors.New("is empty: status=active is every active card")
	}
	l := language()
	q, err := l.Parse(text)
	switch {
	case err != nil:
		return Filter{}, err
	case q.Hint() != "":
		return Filter{}, errors.New("is not complete: " + q.Hint())
	case q.All():
		return Filter{}, errors.New("says nothing: status=active is every active card")
	}
	return Filter{q}, nil
}

// language is what the list of cards is filtered by on the screen.
func language() query.Language[*Subject] {
	return query.Cards[*Subject]{
		Holds: func(s *Subject, want *query.Needle) bool {
			c := &s.Card
			return want.In(low(c.Label)) || want.In(string(c.Last4)) || want.In(low(string(c.Shown())+"\n"+string(c.Network)+"\n"+string(c.BIN)))
		},
		Balance:  func(s *Subject) api.USD { return s.Card.Balance },
		Spent:    func(s *Subject) api.USD { return s.Card.Spent24h },
		Status:   func(s *Subject) string { return low(s.Card.Shown()) },
		Label:    func(s *Subject) string { return low(s.Card.Label) },
		Last4:    func(s *Subject) string { return string(s.Card.Last4) },
		BIN:      func(s *Subject) string { return low(s.Card.BIN) },
		Network:  func(s *Subject) string { return low(s.Card.Network) },
		Campaign: func(s *Subject) string { return strings.ToLower(s.Figures.Campaign(&s.Card)) },
		Last:     func(s *Subject) (time.Duration, bool) { return s.ago(s.Card.LastUsed) },
		Age:      func(s *Subject) (time.Duration, bool) { return s.ago(s.Card.CreatedAt) },
		Expires:  func(s *Subject) (time.Duration, bool) { return s.Card.ExpiresIn(s.Now) },
		Left:     func(s *Subject) Figure { return s.Figures.Left(&s.Card) },
		Burn:     func(s *Subject) Figure { return s.Figures.Burn(&s.Card) },
		Declines: func(s *Subject) Figure { return s.Figures.Declines(&s.Card) },
		Idle:     func(s *Subject) Figure { return s.Figures.Idle(&s.Card) },
	}.Language()
}

func (s *Subject) ago(at time.Time) (time.Duration, bool) { return s.Now.Sub(at), !at.IsZero() }

func low[T ~string](text T) string { return strings.ToLower(string(text)) }
