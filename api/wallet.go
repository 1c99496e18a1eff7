package api

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
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
	// Scoped is of a hub: others spend from the balance too, with cards that the user may
	// not see.
	Scoped bool `json:"scoped,omitempty"`
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
	// Unread are the currencies whose address or network could not be read: they are in
	// none of the maps.
	Unread []Unread
}

// UnmarshalJSON decodes the three maps; the addresses are required.
func (d *DepositAddresses) UnmarshalJSON(b []byte) error {
	var w struct {
		Addresses  map[string]json.RawMessage `json:"addresses"`
		Networks   map[string]json.RawMessage `json:"networks"`
		MinDeposit map[string]json.RawMessage `json:"min_deposit"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	if w.Addresses == nil {
		return MissingField("deposit addresses", "addresses")
	}
	bad := make(map[Currency]bool)
	d.Addresses, d.Networks = byCurrency[Text](w.Addresses, bad), byCurrency[Text](w.Networks, bad)
	d.MinDeposit = byCurrency[Crypto](w.MinDeposit, nil)
	d.Unread = nil
	for _, c := range slices.Sorted(maps.Keys(bad)) {
		delete(d.Addresses, c)
		delete(d.Networks, c)
		delete(d.MinDeposit, c)
		d.Unread = append(d.Unread, Unread{ID: Text(c)})
	}
	return nil
}

// byCurrency decodes a map, and adds the currencies whose values cannot be read to bad
// unless that is nil.
func byCurrency[V any](in map[string]json.RawMessage, bad map[Currency]bool) map[Currency]V {
	out := make(map[Currency]V, len(in))
	for code, raw := range in {
		c := Currency(Clean(code))
		var v V
		switch err := json.Unmarshal(raw, &v); {
		case err == nil && string(c) == code: // A cleaned name may be that of another currency.
			out[c] = v
		case bad != nil:
			bad[c] = true
		}
	}
	return out
}

// Query returns the query that asks for one currency, or for all of them with "".
func (c Currency) Query() (url.Values, error) {
	q := url.Values{}
	set(q, "currency", c)
	return q, c.check()
}

func (c Currency) check() error { return oneOf("currency", c, BTC, ETH, SOL, USDT) }
