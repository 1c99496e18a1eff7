package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// CardStatus is the state of a card. Values this program does not know are
// kept as sent, sanitised.
type CardStatus string

// The states of a card.
const (
	CardActive     CardStatus = "active"
	CardFrozen     CardStatus = "frozen"
	CardTerminated CardStatus = "terminated"
)

// UnmarshalJSON decodes and sanitises the state.
func (s *CardStatus) UnmarshalJSON(b []byte) error { return setEnum(s, b) }

func setEnum[T ~string](to *T, b []byte) error {
	var t Text
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}
	*to = T(t)
	return nil
}

// Metadata is what an account noted on a card. Values that are not strings
// are kept as compact JSON.
type Metadata map[Text]Text

// UnmarshalJSON decodes an object with values of any kind.
func (m *Metadata) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(b, &raw); err != nil {
		return errors.New("decode metadata: not an object")
	}
	if raw == nil {
		return nil
	}
	*m = make(Metadata, len(raw))
	for name, value := range raw {
		(*m)[Clean(name)] = anyText(value)
	}
	return nil
}

// Card is the whole card without its secrets: the answer to creating,
// updating and unfreezing one.
type Card struct {
	ID                CardID     `json:"id"`
	BIN               BINID      `json:"bin_id"`
	Network           Text       `json:"network"`
	Last4             Text       `json:"last4"`
	Status            CardStatus `json:"status"`
	Balance           USD        `json:"balance"`
	SpendingLimit     *USD       `json:"spending_limit"` // a month
	Label             Text       `json:"label"`
	AllowedCategories []Text     `json:"allowed_categories"` // MCCs; empty: all
	AutoFreezeAt      *USD       `json:"auto_freeze_at"`     // nil: never
	Metadata          Metadata   `json:"metadata"`
	CreatedAt         time.Time  `json:"created_at"`
	ExpiresAt         time.Time  `json:"expires_at"`
}

// UnmarshalJSON decodes a card; id, status and balance must be there.
func (c *Card) UnmarshalJSON(b []byte) error {
	type plain Card
	w := struct {
		*plain
		Balance   *USD  `json:"balance"`
		CreatedAt stamp `json:"created_at"`
		ExpiresAt stamp `json:"expires_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt, c.ExpiresAt = w.CreatedAt.time(), w.ExpiresAt.time()
	return errors.Join(needCard(c.ID, c.Status), need(&c.Balance, w.Balance, "card", "balance"))
}

func needCard(id CardID, status CardStatus) error {
	if err := needID(id, "card"); err != nil {
		return err
	}
	if status == "" {
		return missing("card", "status")
	}
	return nil
}

// CardItem is a card as the list gives it.
type CardItem struct {
	ID        CardID     `json:"id"`
	BIN       BINID      `json:"bin_id"`
	Network   Text       `json:"network"`
	Last4     Text       `json:"last4"`
	Status    CardStatus `json:"status"`
	Balance   USD        `json:"balance"`
	Label     Text       `json:"label"`
	CreatedAt time.Time  `json:"created_at"`
}

// UnmarshalJSON decodes a row; id, status and balance must be there.
func (c *CardItem) UnmarshalJSON(b []byte) error {
	type plain CardItem
	w := struct {
		*plain
		Balance   *USD  `json:"balance"`
		CreatedAt stamp `json:"created_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt = w.CreatedAt.time()
	c.BIN, c.Network, c.Last4, c.Status = one(c.BIN), one(c.Network), one(c.Last4), one(c.Status)
	return errors.Join(needCard(c.ID, c.Status), need(&c.Balance, w.Balance, "card", "balance"))
}

// CardSummary is one card as it is asked for by id: no secrets, but what it
// spent.
type CardSummary struct {
	ID               CardID     `json:"id"`
	BIN              BINID      `json:"bin_id"`
	Network          Text       `json:"network"`
	Last4            Text       `json:"last4"`
	Status           CardStatus `json:"status"`
	Balance          USD        `json:"balance"`
	SpendingLimit    *USD       `json:"spending_limit"` // a month
	TotalSpent       *USD       `json:"total_spent"`
	TransactionCount *int       `json:"transaction_count"`
	Label            Text       `json:"label"`
	Metadata         Metadata   `json:"metadata"`
	CreatedAt        time.Time  `json:"created_at"`
	ExpiresAt        time.Time  `json:"expires_at"`
	LastUsedAt       time.Time  `json:"last_used_at"` // zero: never used
}

// UnmarshalJSON decodes a summary; id, status and balance must be there.
func (c *CardSummary) UnmarshalJSON(b []byte) error {
	type plain CardSummary
	w := struct {
		*plain
		Balance    *USD  `json:"balance"`
		CreatedAt  stamp `json:"created_at"`
		ExpiresAt  stamp `json:"expires_at"`
		LastUsedAt stamp `json:"last_used_at"`
	}{plain: (*plain)(c)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	c.CreatedAt, c.ExpiresAt, c.LastUsedAt = w.CreatedAt.time(), w.ExpiresAt.time(), w.LastUsedAt.time()
	return errors.Join(needCard(c.ID, c.Status), need(&c.Balance, w.Balance, "card", "balance"))
}

// FreezeResult is the answer to freezing a card.
type FreezeResult struct {
	ID       CardID     `json:"id"`
	Status   CardStatus `json:"status"`
	FrozenAt time.Time  `json:"frozen_at"`
}

// UnmarshalJSON decodes the answer; the card must be frozen by it.
func (r *FreezeResult) UnmarshalJSON(b []byte) error {
	type plain FreezeResult
	w := struct {
		*plain
		FrozenAt stamp `json:"frozen_at"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	r.FrozenAt = w.FrozenAt.time()
	return errors.Join(needID(r.ID, "card"), needStatus(r.Status, CardFrozen))
}

// TerminateResult is the answer to terminating a card. What was on it went
// back to the wallet.
type TerminateResult struct {
	ID             CardID     `json:"id"`
	Status         CardStatus `json:"status"`
	RefundedAmount *USD       `json:"refunded_amount"`
	TerminatedAt   time.Time  `json:"terminated_at"`
}

// UnmarshalJSON decodes the answer; the card must be terminated by it.
func (r *TerminateResult) UnmarshalJSON(b []byte) error {
	type plain TerminateResult
	w := struct {
		*plain
		TerminatedAt stamp `json:"terminated_at"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	r.TerminatedAt = w.TerminatedAt.time()
	return errors.Join(needID(r.ID, "card"), needStatus(r.Status, CardTerminated))
}

// needStatus refuses an answer that leaves the card in another state than the
// request asked for: it must not be taken for done.
func needStatus(got, want CardStatus) error {
	if got != want {
		return fmt.Errorf("decode card: status is not %s", want)
	}
	return nil
}
