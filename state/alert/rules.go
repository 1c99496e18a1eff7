package alert

import (
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/ledger"
)

// Rules say what the user is alerted to. The zero value is nothing.
type Rules struct {
	// Wallet and Cards are the balances, in USD, below which the wallet and an
	// active card are low; 0 is never.
	Wallet, Cards api.USD
	// WalletLasts, CampaignLasts and CardLasts are how long the money has to last at
	// the present rate; 0 is never.
	WalletLasts, CampaignLasts, CardLasts time.Duration
	// Limit are the parts of their monthly limit, in percent and ascending, that
	// active cards alert at.
	Limit []int
	// Rate are the lines of the decline rate, in percent and ascending, of cards,
	// BINs, campaigns and the account, over seven days and from RateFrom attempts on.
	Rate     []int
	RateFrom int
	// Spike is how many times its usual hour a card or a campaign may spend, and
	// SpikeFrom how many USD it has to be; Spike 0 is never.
	Spike     int
	SpikeFrom api.USD
	// Declines alerts to each declined payment, a card's together, Storms once to a
	// storm of retries, Countries to a country that no payment was made in before.
	Declines, Storms, Countries bool
	// Deposit is how long a deposit may be pending; 0 is as long as it likes.
	Deposit time.Duration
	// Expiry are how many days before its end, ascending, a card alerts; a card that has
	// expired with a balance does then as well.
	Expiry []int
	// Idle is how long an active card with a balance may not be used; 0 is as long
	// as it likes.
	Idle time.Duration
	// Low, Lasts, Rates and Spikes are lines of their own for some cards and
	// campaigns.
	Low    []Own[api.USD]
	Lasts  []Own[time.Duration]
	Rates  []Own[[]int]
	Spikes []Own[int]
	// Quiet is when the user is not called.
	Quiet Hours
}

// Defaults returns the rules of an empty configuration file. They are nowhere else.
func Defaults() Rules {
	return Rules{
		Cards:       10 * api.Dollar,
		WalletLasts: 24 * time.Hour, CampaignLasts: 6 * time.Hour, CardLasts: time.Hour,
		Limit:  []int{75, 90, 100},
		Expiry: []int{7, 30},
		Rate:   []int{15, 25}, RateFrom: 20,
		Spike: 3, SpikeFrom: 100 * api.Dollar,
		Declines: true, Storms: true, Countries: true,
		Deposit: time.Hour, Idle: 7 * 24 * time.Hour,
	}
}

// Own is a line of their own for the cards and campaigns that a name fits: a pattern of
// labels, in which * stands for any text, a campaign, or a card's last four digits or id.
type Own[T any] struct {
	Of   string
	Line T
}

// subject is what a line may be for.
type subject struct{ names, labels []string }

func ofCard(c *cardlist.Card) subject {
	return subject{names: []string{string(c.ID), string(c.Last4)}, labels: []string{string(c.Label)}}
}

func ofScope(s ledger.Scope) subject {
	if s.By != ledger.ByCampaign {
		return subject{}
	}
	return subject{labels: []string{s.Name}}
}

// exact reports whether a name is that of the subject, and fits whether it is a pattern
// of it.
func (s subject) exact(name string) bool {
	for _, n := range append(s.names, s.labels...) {
		if n != "" && strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func (s subject) fits(pattern string) bool {
	for _, l := range s.labels {
		if guard.Match(pattern, l) {
			return true
		}
	}
	return false
}

// lineOf returns the line that holds: that of the very name, else the first that fits,
// else the one for all.
func lineOf[T any](own []Own[T], all T, s subject) T {
	for i := range own {
		if s.exact(own[i].Of) {
			return own[i].Line
		}
	}
	for i := range own {
		if s.fits(own[i].Of) {
			return own[i].Line
		}
	}
	return all
}

// Below is the balance, USD, below which a card is low; 0 is never.
func (r *Rules) Below(c *cardlist.Card) api.USD { return lineOf(r.Low, r.Cards, ofCard(c)) }

// Lines are the lines that hold for a card, a campaign or the account.
type Lines struct {
	// Below is a balance, USD, Lasts how long it has to last, Rate percents of
	// declines, Spike times of the usual hour; zero is never.
	Below api.USD
	Lasts time.Duration
	Rate  []int
	Spike int
}

// OfCard returns the lines of a card.
func (r *Rules) OfCard(c *cardlist.Card) Lines {
	s := ofCard(c)
	return Lines{lineOf(r.Low, r.Cards, s), lineOf(r.Lasts, r.CardLasts, s), lineOf(r.Rates, r.Rate, s), lineOf(r.Spikes, r.Spike, s)}
}

// Of returns the lines of a campaign or a BIN, and of everything: what holds where
// nothing has lines of its own. Balances are those of cards.
func (r *Rules) Of(s ledger.Scope) Lines {
	lines := Lines{Below: r.Cards, Lasts: r.CampaignLasts, Rate: lineOf(r.Rates, r.Rate, ofScope(s)), Spike: lineOf(r.Spikes, r.Spike, ofScope(s))}
	if s.By == ledger.ByCampaign {
		lines.Lasts = lineOf(r.Lasts, r.CampaignLasts, ofScope(s))
		lines.Below = lineOf(r.Low, r.Cards, ofScope(s))
	}
	return lines
}

// OfBalances reports whether any rule is about the balance of a card.
func (r *Rules) OfBalances() bool {
	return r.Cards > 0 || len(r.Low) > 0 || r.CardLasts > 0 || len(r.Lasts) > 0
}

// insight reports whether any rule needs the sums of spending.
func (r *Rules) insight() bool {
	return r.WalletLasts > 0 || r.CampaignLasts > 0 || r.CardLasts > 0 || len(r.Lasts) > 0 ||
		len(r.Rate) > 0 || len(r.Rates) > 0 || r.Spike > 0 || len(r.Spikes) > 0
}

// Reach returns when what the rules compare of the past begins, as of now on the server's clock: zero where
// they compare nothing.
func (r *Rules) Reach(l *ledger.Ledger, now time.Time) time.Time {
	var first time.Time
	reach := func(on bool, from time.Time) {
		if on && (first.IsZero() || from.Before(first)) {
			first = from
		}
	}
	reach(r.insight(), l.Begin(ledger.Last24h))
	reach(len(r.Rate) > 0 || len(r.Rates) > 0 || r.Countries, l.Begin(ledger.Last7d))
	reach(r.Idle > 0, now.Add(-r.Idle))
	return first
}
