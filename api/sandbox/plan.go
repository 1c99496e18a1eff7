package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The default world.
const (
	defaultCards                     = 50
	defaultTransactions              = 600
	defaultWallet         unit.Cents = 1_248_022
	transactionsPerCard              = defaultTransactions / defaultCards
	pastDays                         = 5  // transactions
	oldestCard                       = 45 // days
	maxCards                         = 5_000_000
	maxTransactions                  = 20_000_000
	seededChallenges                 = 40
	openChallenges                   = 3
	maxOpenAuthorizations            = 12
)

// plan is the size of a new world.
type plan struct {
	seed         uint64
	cards, txns  int
	wallet       unit.Cents
	withTraffic  bool
	openingHolds int
}

// planOf reads the sizes of a configuration. A negative number is none.
func planOf(cfg Config) (plan, error) {
	p := plan{
		seed: cfg.Seed, cards: cfg.Cards, txns: cfg.Transactions, wallet: defaultWallet,
		withTraffic: !cfg.Quiet, openingHolds: maxOpenAuthorizations,
	}
	if p.cards == 0 && p.txns == 0 {
		p.cards, p.txns = defaultCards, defaultTransactions
	}
	if p.cards == 0 {
		p.cards = defaultCards
	}
	if p.txns == 0 {
		p.txns = max(p.cards, 0) * transactionsPerCard
	}
	if p.cards, p.txns = max(p.cards, 0), max(p.txns, 0); p.cards == 0 {
		p.txns = 0
	}
	if p.cards > maxCards || p.txns > maxTransactions {
		return p, fmt.Errorf("at most %d cards and %d transactions fit in a world", maxCards, maxTransactions)
	}
	if cfg.Wallet == "" {
		return p, nil
	}
	value, exact, err := unit.ParseCents(cfg.Wallet)
	if err != nil {
		return p, errors.New("the wallet is no amount such as 2500.00")
	}
	if !exact || value < 0 || value > unit.MaxCents/1000 {
		return p, errors.New("the wallet is no amount such as 2500.00: from 0, with at most two decimals")
	}
	p.wallet = value
	return p, nil
}

// rng gives the random numbers of one row and purpose.
func (w world) rng(purpose string, seq int64) *rand.Rand {
	sum := w.digest(purpose, seq)
	return newRand(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:]))
}

// newRand gives numbers that follow from two seeds: worlds have to be the same
// again.
func newRand(a, b uint64) *rand.Rand {
	return rand.New(rand.NewPCG(a, b)) //nolint:gosec // Nothing here guards a secret.
}
