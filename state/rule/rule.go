// Package rule decides what rules of the configuration do: which cards they match,
// what they propose, and what their caps allow. It is pure: the time, the cards and
// what was done before are given to it.
package rule

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Action is what a rule does to a card that it matches.
type Action uint8

// The actions. FundTo and WithdrawTo move what lacks to, or is above, a balance;
// FundBy moves an amount.
const (
	Alert Action = iota + 1
	FundTo
	FundBy
	WithdrawTo
	Freeze
)

// Moves reports whether the action moves money.
func (a Action) Moves() bool { return a == FundTo || a == FundBy || a == WithdrawTo }

// FromWallet reports whether the action moves money out of the wallet.
func (a Action) FromWallet() bool { return a == FundTo || a == FundBy }

// Acts reports whether the action changes anything.
func (a Action) Acts() bool { return a != Alert }

// Rule is a rule of the configuration. A value is never changed after it was read.
// Amounts are USD. A day is the 24 hours that end now. A cap of zero is none.
type Rule struct {
	Name string
	// When is the filter that a card has to match.
	When   string
	Action Action
	// Amount is that of FundTo, FundBy and WithdrawTo.
	Amount api.USD
	// MaxDay is the most that the rule moves in a day, MaxCard the most to or from
	// one card, MaxActions the most cards it acts on, each time counted.
	MaxDay, MaxCard api.USD
	MaxActions      int
	// Cooldown is how long it leaves a card alone after it acted on it.
	Cooldown time.Duration
	Between  Hours
	// Declines is how many payments of a card, declined in the last 24 hours for
	// another reason than its balance, have the rule leave it alone; 0 is no number.
	Declines int
}

// MaxCooldown bounds Rule.Cooldown: what was done before is known for a day.
const MaxCooldown = Day

// Day is how long what a rule did counts.
const Day = 24 * time.Hour

// Does says in a few words what the rule does.
func (r *Rule) Does(w *lang.Words) string {
	switch r.Action {
	case FundTo:
		return w.Tf("fund to %s", short(w, r.Amount))
	case FundBy:
		return w.Tf("fund by %s", short(w, r.Amount))
	case WithdrawTo:
		if r.Amount == 0 {
			return w.T("withdraw all")
		}
		return w.Tf("withdraw to %s", short(w, r.Amount))
	case Freeze:
		return w.T("freeze")
	default:
		return w.T("alert")
	}
}

// short is an amount without cents where there are none.
func short(w *lang.Words, usd api.USD) string {
	return w.Sum(w.Number(strings.TrimSuffix(usd.Grouped(), ".00")))
}

// Hours are local hours of the day, as minutes since midnight. From after To is a
// night; equal is all day.
type Hours struct{ From, To int }

// ParseHours reads hours such as 08:00-22:00.
func ParseHours(text string) (h Hours, err error) {
	var a, b, c, d int
	if n, err := fmt.Sscanf(text, "%d:%d-%d:%d", &a, &b, &c, &d); n != 4 || err != nil {
		return h, errHours
	}
	h = Hours{a*60 + b, c*60 + d}
	if h.String() != text || b > 59 || d > 59 || h.From < 0 || h.To > 24*60 || h.From >= 24*60 || h.From == h.To {
		return Hours{}, errHours
	}
	return h, nil
}

var errHours = errors.New("must be hours such as 08:00-22:00")

// All reports whether the hours are all day.
func (h Hours) All() bool { return h.From == h.To }

// Hold reports whether a time, by its own location, is within the hours.
func (h Hours) Hold(t time.Time) bool {
	m := t.Hour()*60 + t.Minute()
	switch {
	case h.All():
		return true
	case h.From < h.To:
		return h.From <= m && m < h.To
	}
	return m >= h.From || m < h.To
}

// String is the hours as ParseHours reads them; empty for all day.
func (h Hours) String() string {
	if h.All() {
		return ""
	}
	return fmt.Sprintf("%02d:%02d-%02d:%02d", h.From/60, h.From%60, h.To/60, h.To%60)
}

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
