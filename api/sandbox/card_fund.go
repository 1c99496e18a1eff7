package sandbox

import (
	"context"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

type fundedCard struct {
	ID       string     `json:"id"`
	Previous unit.Cents `json:"previous_balance"`
	Funded   unit.Cents `json:"funded_amount"`
	Balance  unit.Cents `json:"new_balance"`
	Wallet   unit.Cents `json:"wallet_balance"`
}

// parseFunding parses the body of POST …/fund.
func parseFunding(body []byte) (unit.Cents, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return 0, err
	}
	amount := f.RequiredMoney("amount", leastFunding, mostFunding)
	return amount, f.Err
}

// fundCard moves money from the wallet to a card; a frozen card stays frozen
// (ASSUMED 9).
func fundCard(ctx context.Context, c *change, req *request) (any, error) {
	amount, err := parseFunding(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(ctx, req.id)
	if err != nil {
		return nil, err
	}
	wallet, err := c.debitWallet(ctx, amount)
	if err != nil {
		return nil, err
	}
	before := *k
	k.Balance += amount
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.emit(ctx, "card.funded", req.id, c.s.fullCard(k)); err != nil {
		return nil, err
	}
	return fundedCard{ID: req.id, Previous: before.Balance, Funded: amount, Balance: k.Balance, Wallet: wallet}, nil
}

type withdrawnCard struct {
	ID        string     `json:"id"`
	Previous  unit.Cents `json:"previous_balance"`
	Withdrawn unit.Cents `json:"withdrawn_amount"`
	Balance   unit.Cents `json:"new_balance"`
	Wallet    unit.Cents `json:"wallet_balance"`
}

// parseWithdrawal parses the body of POST …/withdraw. The contract has no bounds,
// so the amount must be above 0 (ASSUMED 10).
func parseWithdrawal(body []byte) (unit.Cents, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return 0, err
	}
	amount := f.RequiredMoney("amount", 1, unit.MostCents)
	return amount, f.Err
}

// withdrawCard moves at most a card's balance back to the wallet (ASSUMED 10).
func withdrawCard(ctx context.Context, c *change, req *request) (any, error) {
	amount, err := parseWithdrawal(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(ctx, req.id)
	if err != nil {
		return nil, err
	}
	if amount > k.Balance {
		return nil, wire.Invalid("amount must be at most the card's balance of %s", k.Balance.Fixed())
	}
	before := *k
	k.Balance -= amount
	frozen := c.freezeWhenLow(k)
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.adjustWallet(ctx, walletChange{balance: amount}); err != nil {
		return nil, err
	}
	if frozen {
		if err := c.emit(ctx, "card.frozen", req.id, c.s.fullCard(k)); err != nil {
			return nil, err
		}
	}
	w, err := readWallet(ctx, c.tx)
	if err != nil {
		return nil, err
	}
	return withdrawnCard{ID: req.id, Previous: before.Balance, Withdrawn: amount, Balance: k.Balance, Wallet: w.balance}, nil
}
