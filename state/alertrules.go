package state

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// AlertRules say what a person is alerted to. The zero value is nothing.
type AlertRules struct {
	// Wallet and Cards are the balances, in USD, below which the wallet and an
	// active card are low; 0 is never.
	Wallet, Cards api.USD
	// Low are limits for some cards. The first that fits a card holds for it.
	Low []LowRule
	// Limit are the parts of their monthly limit, in percent and ascending, that
	// active cards alert at.
	Limit []int
	// Declines alerts to each declined payment, a card's together.
	Declines bool
	// Deposit is how long a deposit may be pending; 0 is as long as it likes.
	Deposit time.Duration
}

// LowRule is the balance, in USD, below which the cards that fit are low; 0
// is never.
type LowRule struct {
	// Cards is a pattern of labels, in which * stands for any text, or a card's
	// last four digits or id.
	Cards string
	Below api.USD
}

func (r LowRule) fits(c *Card) bool {
	return r.Cards == string(c.Last4) || r.Cards == string(c.ID) || matchLabel(r.Cards, string(c.Label))
}

// AlertRules are those in force.
func (al *AlertsTable) Rules() AlertRules { return al.cfg.Alerts }

// limit is the balance below which a card is low.
func (r *AlertRules) limit(c *Card) api.USD {
	for i := range r.Low {
		if r.Low[i].fits(c) {
			return r.Low[i].Below
		}
	}
	return r.Cards
}

// rearmed is the balance from which what was low is low no more: a tenth above
// the limit, so that a balance that goes up and down around it alerts once.
func rearmed(limit api.USD) api.USD { return limit + limit/10 }
