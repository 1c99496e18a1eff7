package api

import (
	"encoding/json"
	"net/url"
	"time"
)

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
