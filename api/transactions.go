package api

import (
	"encoding/json"
	"errors"
	"time"
)

// TransactionType is the kind of a transaction. Values this program does not
// know are kept as sent, sanitised.
type TransactionType string

// The kinds of transactions.
const (
	TransactionAuthorization TransactionType = "authorization"
	TransactionSettlement    TransactionType = "settlement"
	TransactionRefund        TransactionType = "refund"
	TransactionDecline       TransactionType = "decline"
)

// UnmarshalJSON decodes and sanitises the kind.
func (t *TransactionType) UnmarshalJSON(b []byte) error { return setEnum(t, b) }

// Merchant is where a card was used.
type Merchant struct {
	Name     Text `json:"name"`
	Category Text `json:"category"`
	MCC      Text `json:"mcc"`
	Country  Text `json:"country"`
}

// Transaction is a transaction as the list gives it. Amount is signed: a
// settlement that spends is negative.
type Transaction struct {
	ID           TransactionID   `json:"id"`
	CardID       CardID          `json:"card_id"`
	Type         TransactionType `json:"type"`
	Amount       USD             `json:"amount"`
	Currency     Text            `json:"currency"`
	Merchant     Merchant        `json:"merchant"`
	BalanceAfter *USD            `json:"balance_after"` // of the card
	CreatedAt    time.Time       `json:"created_at"`
}

// UnmarshalJSON decodes a transaction; id, type and amount must be there.
func (t *Transaction) UnmarshalJSON(b []byte) error {
	type plain Transaction
	w := struct {
		*plain
		Amount    *USD  `json:"amount"`
		CreatedAt stamp `json:"created_at"`
	}{plain: (*plain)(t)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	t.CreatedAt = w.CreatedAt.time()
	if t.Type == "" {
		return missing("transaction", "type")
	}
	return errors.Join(needID(t.ID, "transaction"), need(&t.Amount, w.Amount, "transaction", "amount"))
}
