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
