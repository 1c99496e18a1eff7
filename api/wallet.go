package api

import (
	"context"
	"encoding/json"
	"net/url"
)

// Wallet is the prepaid balance that cards are funded from, in USD.
type Wallet struct {
	Balance           USD  `json:"balance"`
	Currency          Text `json:"currency"`
	PendingDeposits   *USD `json:"pending_deposits"`
	TotalDeposited    *USD `json:"total_deposited"`
	TotalSpent        *USD `json:"total_spent"`
	CardsActive       *int `json:"cards_active"`
	CardsTotalBalance *USD `json:"cards_total_balance"`
}

// UnmarshalJSON decodes the wallet; the balance is required.
func (w *Wallet) UnmarshalJSON(b []byte) error {
	type plain Wallet
	wire := struct {
		*plain
		Balance *USD `json:"balance"`
	}{plain: (*plain)(w)}
	if err := json.Unmarshal(b, &wire); err != nil {
		return err
	}
	return require(&w.Balance, wire.Balance, "wallet", "balance")
}

// Currency is the code of a crypto currency for deposits.
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

// DepositAddresses says where deposits go, on which network, and the smallest amount in
// the unit of the currency.
type DepositAddresses struct {
	Addresses  map[Currency]Text
	Networks   map[Currency]Text
	MinDeposit map[Currency]Crypto
}

// UnmarshalJSON decodes the three maps; the addresses are required.
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
		return errMissing("deposit addresses", "addresses")
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

func (c Currency) check() error { return oneOf("currency", c, BTC, ETH, SOL, USDT) }

// WalletBalance returns the wallet.
func (c *Client) WalletBalance(ctx context.Context) (Wallet, error) {
	return get[Wallet](ctx, c, request{route: "/wallet/balance", path: "/wallet/balance"})
}

// DepositAddresses returns where to send deposits, in one currency or, with "", in
// all.
func (c *Client) DepositAddresses(ctx context.Context, currency Currency) (DepositAddresses, error) {
	if err := currency.check(); err != nil {
		return DepositAddresses{}, err
	}
	q := url.Values{}
	set(q, "currency", currency)
	return get[DepositAddresses](ctx, c, request{
		route: "/wallet/deposit-address", path: "/wallet/deposit-address", query: q,
	})
}
