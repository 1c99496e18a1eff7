package sandbox

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// walletRow is the wallet and the sums over all cards.
type walletRow struct {
	balance, deposited, spent unit.Cents
	active                    int64
	cards                     unit.Cents
}

func readWallet(ctx context.Context, q sqlite.Querier) (walletRow, error) {
	var w walletRow
	row := q.QueryRowContext(ctx, `SELECT balance, total_deposited, total_spent, cards_active, cards_balance FROM wallet`)
	if err := row.Scan(&w.balance, &w.deposited, &w.spent, &w.active, &w.cards); err != nil {
		return w, fmt.Errorf("read wallet: %w", err)
	}
	return w, nil
}

// walletChange is what one write adds to the wallet's row. Money is conserved:
// balance + cards = deposited - spent, always.
type walletChange struct {
	balance, deposited, spent unit.Cents
	active                    int64
	cards                     unit.Cents
}

func (c *change) adjustWallet(ctx context.Context, by walletChange) error {
	if by == (walletChange{}) {
		return nil
	}
	_, err := c.tx.ExecContext(ctx, `UPDATE wallet SET balance = balance + ?, total_deposited = total_deposited + ?,
		total_spent = total_spent + ?, cards_active = cards_active + ?, cards_balance = cards_balance + ?`,
		by.balance, by.deposited, by.spent, by.active, by.cards)
	if err != nil {
		return fmt.Errorf("update wallet: %w", err)
	}
	return nil
}

// debitWallet moves money from the wallet to a card and returns the new balance.
func (c *change) debitWallet(ctx context.Context, amount unit.Cents) (left unit.Cents, err error) {
	w, err := readWallet(ctx, c.tx)
	if err != nil {
		return 0, err
	}
	if w.balance < amount {
		return 0, wire.InsufficientFunds(fmt.Sprintf("the wallet balance of %s is too low", w.balance.Fixed()))
	}
	return w.balance - amount, c.adjustWallet(ctx, walletChange{balance: -amount})
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

func getBalance(ctx context.Context, s *Server, _ *request) (any, error) {
	var b walletBalance
	b.Currency = "USD"
	row := s.db.Reader.QueryRowContext(ctx, `SELECT balance, total_deposited, total_spent, cards_active, cards_balance,
		(SELECT coalesce(sum(amount - fee), 0) FROM deposits WHERE status = 'pending') FROM wallet`)
	if err := row.Scan(&b.Balance, &b.Deposited, &b.Spent, &b.Active, &b.OnCards, &b.Pending); err != nil {
		return nil, fmt.Errorf("read wallet: %w", err)
	}
	return b, nil
}

type depositAddresses struct {
	Addresses map[string]string `json:"addresses"`
	Networks  map[string]string `json:"networks"`
	Minimum   map[string]string `json:"min_deposit"`
}

func getAddresses(_ context.Context, _ *Server, req *request) (any, error) {
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
