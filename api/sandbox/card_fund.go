package sandbox

import (
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
func fundCard(c *change, req *request) (any, error) {
	amount, err := parseFunding(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(req.id)
	if err != nil {
		return nil, err
	}
	wallet, err := c.debitWallet(amount)
	if err != nil {
		return nil, err
	}
	before := k.Balance
	k.Balance += amount
	c.storeCard(k)
	c.emit("card.funded", req.id, c.s.fullCard(k))
	return fundedCard{ID: req.id, Previous: before, Funded: amount, Balance: k.Balance, Wallet: wallet}, nil
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
func withdrawCard(c *change, req *request) (any, error) {
	amount, err := parseWithdrawal(req.body)
	if err != nil {
		return nil, err
	}
	k, err := c.liveCard(req.id)
	if err != nil {
		return nil, err
	}
	if amount > k.Balance {
		return nil, wire.Invalid("amount must be at most the card's balance of %s", k.Balance.Fixed())
	}
	before := k.Balance
	k.Balance -= amount
	frozen := c.freezeWhenLow(k)
	c.storeCard(k)
	c.adjustWallet(walletRow{balance: amount})
	if frozen {
		c.emit("card.frozen", req.id, c.s.fullCard(k))
	}
	return withdrawnCard{ID: req.id, Previous: before, Withdrawn: amount, Balance: k.Balance, Wallet: c.s.sums().balance}, nil
}
