package api

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"time"
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

// DepositID identifies a deposit (prefix dep_).
type DepositID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *DepositID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// DepositStatus is the status of a deposit. A value that this program does not know
// is kept as sent, sanitised.
type DepositStatus string

// The states of a deposit.
const (
	DepositPending   DepositStatus = "pending"
	DepositConfirmed DepositStatus = "confirmed"
	DepositExpired   DepositStatus = "expired"
)

// UnmarshalJSON decodes and sanitises the status.
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

// UnmarshalJSON decodes a deposit; id and status are required.
func (d *Deposit) UnmarshalJSON(b []byte) error {
	type plain Deposit
	w := struct {
		*plain
		CreatedAt   timestamp `json:"created_at"`
		ConfirmedAt timestamp `json:"confirmed_at"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	d.CreatedAt, d.ConfirmedAt = w.CreatedAt.time(), w.ConfirmedAt.time()
	if d.Status == "" {
		return MissingField("deposit", "status")
	}
	return requireID(d.ID, "deposit")
}

func (d *Deposit) identifier() string { return string(d.ID) }

// ListDepositsOptions filters a list of deposits; the zero value lists all.
type ListDepositsOptions struct {
	Status   DepositStatus
	Currency Currency
}

// Query returns the query of a list of deposits.
func (o ListDepositsOptions) Query() (url.Values, error) {
	q := url.Values{}
	set(q, "status", o.Status)
	set(q, "currency", o.Currency)
	return q, firstError(oneOf("status", o.Status, DepositPending, DepositConfirmed, DepositExpired), o.Currency.check())
}
