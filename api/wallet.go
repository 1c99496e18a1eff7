package api

import (
	"encoding/json"
	"errors"
	"time"
)

// Wallet is the prepaid balance that cards are funded from.
type Wallet struct {
	Balance           USD  `json:"balance"`
	Currency          Text `json:"currency"`
	PendingDeposits   *USD `json:"pending_deposits"`
	TotalDeposited    *USD `json:"total_deposited"`
	TotalSpent        *USD `json:"total_spent"`
	CardsActive       *int `json:"cards_active"`
	CardsTotalBalance *USD `json:"cards_total_balance"`
}

// UnmarshalJSON decodes the wallet; the balance must be there.
func (w *Wallet) UnmarshalJSON(b []byte) error {
	type plain Wallet
	wire := struct {
		*plain
		Balance *USD `json:"balance"`
	}{plain: (*plain)(w)}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	return need(&w.Balance, wire.Balance, "wallet", "balance")
}

// Currency is the code of a crypto currency that deposits are taken in.
type Currency string

// The currencies of the contract.
const (
	BTC  Currency = "btc"
	ETH  Currency = "eth"
	SOL  Currency = "sol"
	USDT Currency = "usdt"
)

// UnmarshalJSON decodes and sanitises the code.
func (c *Currency) UnmarshalJSON(b []byte) error { return setEnum(c, b) }

// DepositAddresses says where deposits go, on which network, and how small
// they may be (in the unit of the currency).
type DepositAddresses struct {
	Addresses  map[Currency]Text
	Networks   map[Currency]Text
	MinDeposit map[Currency]Crypto
}

// UnmarshalJSON decodes the three maps; the addresses must be there.
func (d *DepositAddresses) UnmarshalJSON(b []byte) error {
	var w struct {
		Addresses  map[string]Text   `json:"addresses"`
		Networks   map[string]Text   `json:"networks"`
		MinDeposit map[string]Crypto `json:"min_deposit"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if w.Addresses == nil {
		return missing("deposit addresses", "addresses")
	}
	d.Addresses, d.Networks, d.MinDeposit = byCurrency(w.Addresses), byCurrency(w.Networks), byCurrency(w.MinDeposit)
	return nil
}

func byCurrency[V any](in map[string]V) map[Currency]V {
	out := make(map[Currency]V, len(in))
	for code, v := range in {
		out[Currency(Clean(code))] = v
	}
	return out
}

// DepositStatus is the state of a deposit. Values this program does not know
// are kept as sent, sanitised.
type DepositStatus string

// The states of a deposit.
const (
	DepositPending   DepositStatus = "pending"
	DepositConfirmed DepositStatus = "confirmed"
	DepositExpired   DepositStatus = "expired"
)

// UnmarshalJSON decodes and sanitises the state.
func (s *DepositStatus) UnmarshalJSON(b []byte) error { return setEnum(s, b) }

// Deposit is one crypto deposit. CreditedUSD is AmountUSD minus FeeUSD.
type Deposit struct {
	ID            DepositID     `json:"id"`
	Currency      Currency      `json:"currency"`
	AmountCrypto  Crypto        `json:"amount_crypto"`
	AmountUSD     *USD          `json:"amount_usd"`
	FeeUSD        *USD          `json:"fee_usd"`
	CreditedUSD   *USD          `json:"credited_usd"`
	Status        DepositStatus `json:"status"`
	TxHash        Text          `json:"tx_hash"`
	Confirmations *int          `json:"confirmations"`
	CreatedAt     time.Time     `json:"created_at"`
	ConfirmedAt   time.Time     `json:"confirmed_at"` // zero: not confirmed
}

// UnmarshalJSON decodes a deposit; id and status must be there.
func (d *Deposit) UnmarshalJSON(b []byte) error {
	type plain Deposit
	w := struct {
		*plain
		CreatedAt   stamp `json:"created_at"`
		ConfirmedAt stamp `json:"confirmed_at"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	d.CreatedAt, d.ConfirmedAt = w.CreatedAt.time(), w.ConfirmedAt.time()
	if d.Status == "" {
		return errors.Join(needID(d.ID, "deposit"), missing("deposit", "status"))
	}
	return needID(d.ID, "deposit")
}
