package sim

import (
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Sizes of the default world, and bounds of all.
const (
	defaultCards                     = 50
	defaultTransactions              = 600
	defaultWallet         unit.Cents = 1_248_022
	transactionsPerCard              = defaultTransactions / defaultCards
	pastDays                         = 5  // transactions
	oldestCard                       = 45 // days
	maxCards                         = 5_000_000
	maxTransactions                  = 20_000_000
	maxOpenAuthorizations            = 12
)

// Plan is the size of a new world.
type Plan struct {
	Seed         uint64
	Cards, txns  int
	Wallet       unit.Cents
	openingHolds int
}

// NewPlan returns the plan of a new world. With cards and txns both 0 it is the
// default world; a negative number is none. wallet is USD as decimal text, empty
// for the default.
func NewPlan(seed uint64, cards, txns int, wallet string) (Plan, error) {
	p := Plan{Seed: seed, Cards: cards, txns: txns, Wallet: defaultWallet, openingHolds: maxOpenAuthorizations}
	if p.Cards == 0 && p.txns == 0 {
		p.Cards, p.txns = defaultCards, defaultTransactions
	}
	if p.Cards == 0 {
		p.Cards = defaultCards
	}
	if p.txns == 0 {
		p.txns = max(p.Cards, 0) * transactionsPerCard
	}
	if p.Cards, p.txns = max(p.Cards, 0), max(p.txns, 0); p.Cards == 0 {
		p.txns = 0
	}
	if p.Cards > maxCards || p.txns > maxTransactions {
		return p, fmt.Errorf("at most %d cards and %d transactions fit in a world", maxCards, maxTransactions)
	}
	if wallet == "" {
		return p, nil
	}
	value, exact, err := unit.ParseCents(wallet)
	if err != nil {
		return p, errors.New("the wallet is no amount such as 2500.00")
	}
	if !exact || value < 0 || value > unit.MaxCents/1000 {
		return p, errors.New("the wallet is no amount such as 2500.00: from 0, with at most two decimals")
	}
	p.Wallet = value
	return p, nil
}
