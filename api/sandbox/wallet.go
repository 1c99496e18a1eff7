package sandbox

import (
	"fmt"
	"slices"

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

// depositPrefix begins the identifier of a deposit.
const depositPrefix = "dep_"

// The states of a deposit and of a challenge.
const (
	statusPending   = "pending"
	statusConfirmed = "confirmed"
	statusCompleted = "completed"
	statusExpired   = "expired"
)

// depositRow is one row of the deposits table.
type depositRow struct {
	seq           int64
	currency      string
	units         string
	amount, fee   unit.Cents
	status        string
	confirmations int64
	created       unit.Instant
	confirmed     unit.Instant
}

// deposit is the contract's Deposit. confirmed_at is absent until confirmed.
type deposit struct {
	ID            string        `json:"id"`
	Currency      string        `json:"currency"`
	Units         string        `json:"amount_crypto"`
	Amount        unit.Cents    `json:"amount_usd"`
	Fee           unit.Cents    `json:"fee_usd"`
	Credited      unit.Cents    `json:"credited_usd"`
	Status        string        `json:"status"`
	TxHash        string        `json:"tx_hash"`
	Confirmations int64         `json:"confirmations"`
	Created       unit.Instant  `json:"created_at"`
	Confirmed     *unit.Instant `json:"confirmed_at,omitempty"`
}

func (s *Server) depositBody(d *depositRow) deposit {
	shown := deposit{
		ID: s.world.ID(depositPrefix, d.seq), Currency: d.currency, Units: d.units, Amount: d.amount, Fee: d.fee,
		Credited: d.amount - d.fee, Status: d.status, TxHash: sim.CurrencyOf(d.currency).Hash(s.world, d.seq),
		Confirmations: d.confirmations, Created: d.created,
	}
	if d.status == statusConfirmed {
		shown.Confirmed = &d.confirmed
	}
	return shown
}

// feeOf returns the fee of a deposit: 1 %, rounded down to cents.
func feeOf(amount unit.Cents) unit.Cents { return amount / 100 }

// listDeposits returns all deposits, newest first.
func listDeposits(s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	status := q.Choice("status", "", statusPending, statusConfirmed, statusExpired)
	code := q.Choice("currency", "", "btc", "eth", "sol", "usdt")
	if q.Err != nil {
		return nil, q.Err
	}
	list := wire.List[deposit]{Data: []deposit{}}
	for _, d := range slices.Backward(s.deposits.Rows()) {
		if (status == "" || d.status == status) && (code == "" || d.currency == code) {
			list.Data = append(list.Data, s.depositBody(&d))
		}
	}
	return list, nil
}

func (s *Server) depositAt(seq int64) (*depositRow, error) {
	d, ok := s.deposits.At(seq)
	if !ok {
		return nil, wire.NotFound("deposit")
	}
	return &d, nil
}

// detectDeposit stores a new pending deposit.
func (c *change) detectDeposit(code string, amount unit.Cents) *depositRow {
	d := &depositRow{
		seq: c.s.deposits.Len() + 1, currency: code, units: sim.CurrencyOf(code).Units(amount), amount: amount, fee: feeOf(amount),
		status: statusPending, created: c.now,
	}
	c.saveDeposit(d)
	shown := c.s.depositBody(d)
	c.emit("deposit.pending", shown.ID, shown)
	return d
}

func (c *change) saveDeposit(d *depositRow) { c.s.deposits.Set(c.tx, d.seq, *d) }

// confirmDeposit credits a pending deposit to the wallet.
func (c *change) confirmDeposit(d *depositRow) {
	d.status, d.confirmed = statusConfirmed, c.now
	d.confirmations = max(d.confirmations, sim.CurrencyOf(d.currency).Confirmations)
	c.saveDeposit(d)
	credited := d.amount - d.fee
	c.adjustWallet(walletRow{balance: credited, deposited: credited})
	shown := c.s.depositBody(d)
	c.emit("deposit.confirmed", shown.ID, shown)
}

// doBlock adds one confirmation to a pending deposit.
func (c *change) doBlock(j job) error {
	d, err := c.s.depositAt(j.object)
	if err != nil || d.status != statusPending {
		return err
	}
	coin := sim.CurrencyOf(d.currency)
	if d.confirmations++; d.confirmations >= coin.Confirmations {
		c.confirmDeposit(d)
		return nil
	}
	c.saveDeposit(d)
	c.schedule(c.now+coin.Block, jobBlock, j.object, 0)
	return nil
}
