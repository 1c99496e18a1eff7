package api

import (
	"context"
	"encoding/json"
	"net/url"
	"time"
)

// DepositID identifies a deposit (prefix dep_).
type DepositID string

// UnmarshalJSON decodes and sanitises the identifier.
func (id *DepositID) UnmarshalJSON(b []byte) error { return setID(id, b) }

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
		return missing("deposit", "status")
	}
	return needID(d.ID, "deposit")
}

// ListDepositsOptions narrows a list of deposits; the zero value asks for all.
type ListDepositsOptions struct {
	Status   DepositStatus
	Currency Currency
}

// ListDeposits asks for the deposits.
func (c *Client) ListDeposits(ctx context.Context, o ListDepositsOptions) ([]Deposit, error) {
	err := firstError(
		oneOf("status", o.Status, DepositPending, DepositConfirmed, DepositExpired),
		o.Currency.check(),
	)
	if err != nil {
		return nil, err
	}
	q := url.Values{}
	set(q, "status", o.Status)
	set(q, "currency", o.Currency)
	return list[Deposit](ctx, c, request{route: "/wallet/deposits", path: "/wallet/deposits", query: q})
}
