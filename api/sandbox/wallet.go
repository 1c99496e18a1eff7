package sandbox

import (
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// walletRow is the wallet and the sums over all cards. Money is conserved:
// balance + cards = deposited - spent, always.
type walletRow struct {
	balance, deposited, spent unit.Cents
	active                    int64
	cards                     unit.Cents
}

// adjustWallet adds to the wallet's sums.
func (c *change) adjustWallet(by walletRow) {
	if by == (walletRow{}) {
		return
	}
	c.book(func(b *books) {
		b.balance += by.balance
		b.deposited += by.deposited
		b.spent += by.spent
		b.active += by.active
		b.cards += by.cards
	})
}

// debitWallet moves money from the wallet to a card and returns the new balance.
func (c *change) debitWallet(amount unit.Cents) (left unit.Cents, err error) {
	balance := c.s.sums().balance
	if balance < amount {
		return 0, wire.InsufficientFunds(fmt.Sprintf("the wallet balance of %s is too low", balance.Fixed()))
	}
	c.adjustWallet(walletRow{balance: -amount})
	return balance - amount, nil
}

// walletBalance is the contract's Wallet balance (ASSUMED 17).
type walletBalance struct {
	Balance   unit.Cents `json:"balance"`
	Currency  string     `json:"currency"`
	Pending   unit.Cents `json:"pending_deposits"`
	Deposited unit.Cents `json:"total_deposited"`
	Spent     unit.Cents `json:"total_spent"`
	Active    int64      `json:"cards_active"`
	OnCards   unit.Cents `json:"cards_total_balance"`
}

func getBalance(s *Server, _ *request) (any, error) {
	w := s.sums().walletRow
	b := walletBalance{
		Balance: w.balance, Currency: "USD", Deposited: w.deposited, Spent: w.spent, Active: w.active, OnCards: w.cards,
	}
	for _, d := range s.deposits.Rows() {
		if d.status == statusPending {
			b.Pending += d.amount - d.fee
		}
	}
	return b, nil
}

type depositAddresses struct {
	Addresses map[string]string `json:"addresses"`
	Networks  map[string]string `json:"networks"`
	Minimum   map[string]string `json:"min_deposit"`
}

func getAddresses(_ *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	asked := q.Choice("currency", "", "btc", "eth", "sol", "usdt")
	if q.Err != nil {
		return nil, q.Err
	}
	a := depositAddresses{Addresses: map[string]string{}, Networks: map[string]string{}, Minimum: map[string]string{}}
	for _, coin := range sim.Currencies() {
		// With a currency the three maps hold only that one (ASSUMED 18).
		if asked != "" && asked != coin.Code {
			continue
		}
		a.Addresses[coin.Code], a.Networks[coin.Code], a.Minimum[coin.Code] = coin.Address, coin.Network, coin.Minimum
	}
	return a, nil
}
