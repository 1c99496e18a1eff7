package sim

import (
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// Sizes of the default world, and bounds of all.
const (
	defaultCards                     = 50
	defaultWallet         unit.Cents = 1_248_022
	transactionsPerCard              = 12 // of the last days
	pastDays                         = 5  // transactions
	oldestCard                       = 45 // days
	maxCards                         = 100_000
	maxTransactions                  = 1_000_000
	maxOpenAuthorizations            = 12
	maxSpan                          = 366 * unit.Day
)

// Plan is the size of a new world.
type Plan struct {
	Seed         uint64
	Cards, txns  int
	Wallet       unit.Cents
	span         unit.Instant // of its campaigns; 0 for none
	openingHolds int
}

// NewPlan returns the plan of a new world with campaigns of a span, 0 for none. With
// cards and txns both 0 it is the default world; a negative number is none. wallet is
// USD as decimal text; empty is what the campaigns spend in a few days.
func NewPlan(seed uint64, cards, txns int, wallet string, span unit.Instant) (Plan, error) {
	p := Plan{Seed: seed, Cards: cards, txns: txns, Wallet: defaultWallet, span: span, openingHolds: maxOpenAuthorizations}
	if span != 0 && (span < unit.Day || span > maxSpan) {
		return p, fmt.Errorf("a history is one to %d days long, or 0 for none", maxSpan/unit.Day)
	}
	if p.Cards == 0 {
		p.Cards = defaultCards
	}
	if p.txns == 0 {
		p.txns = p.usualTransactions()
	}
	if p.Cards, p.txns = max(p.Cards, 0), max(p.txns, 0); p.Cards == 0 {
		p.txns = 0
	}
	if p.Cards > maxCards || p.txns > maxTransactions {
		return p, fmt.Errorf("at most %d cards and %d transactions fit in a world", maxCards, maxTransactions)
	}
	if wallet == "" {
		p.scaleWallet()
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

// usualTransactions returns the transactions of a world whose number of them is not
// given. In a history a card of a small account has a hundred in 30 days, one of many
// ten.
func (p Plan) usualTransactions() int {
	cards := max(p.Cards, 0)
	if p.span == 0 {
		return cards * transactionsPerCard
	}
	monthly := min(100*cards, 30_000+10*cards)
	return int(unit.Instant(monthly) * p.span / (30 * unit.Day))
}

// scaleWallet gives a world with campaigns what they spend in a few days.
func (p *Plan) scaleWallet() {
	const usual = 100 * defaultCards // in 30 days, with the default wallet
	if p.span > 0 {
		monthly := unit.Cents(p.txns) * unit.Cents(30*unit.Day) / unit.Cents(p.span)
		p.Wallet = max(p.Wallet, p.Wallet/usual*monthly)
	}
}
