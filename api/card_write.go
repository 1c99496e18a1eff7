package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Limits of a card (contract, Limits).
const (
	MaxLabel    = 64 // code points (ASSUMED 5)
	MaxMetadata = 20 // keys
)

// CreateCardRequest issues a card. Zero and nil fields are not sent. Amounts are USD
// in whole cents.
type CreateCardRequest struct {
	BIN               BINID             `json:"bin_id"`
	Amount            USD               `json:"amount"` // 1.00 to 5000.00 (contract, Limits)
	Label             string            `json:"label,omitempty"`
	SpendingLimit     *USD              `json:"spending_limit,omitempty"` // monthly; nil: the BIN's maximum
	AllowedCategories []string          `json:"allowed_categories,omitempty"`
	AutoFreezeAt      *USD              `json:"auto_freeze_at,omitempty"`
	Metadata          map[string]string `json:"metadata,omitempty"`
}

// UpdateCardRequest changes a card. Nil fields are not sent. Amounts are USD in whole
// cents.
type UpdateCardRequest struct {
	Label             *string           `json:"label,omitempty"`
	SpendingLimit     *USD              `json:"spending_limit,omitempty"`
	AllowedCategories *[]string         `json:"allowed_categories,omitempty"` // MCCs; empty: all
	AutoFreezeAt      *USD              `json:"auto_freeze_at,omitempty"`     // 0: never
	Metadata          map[string]string `json:"metadata,omitempty"`           // merged with the present
}

// CreateCardWrite builds the request that issues a card. Values beyond the contract's
// Limits are ErrInvalid.
func CreateCardWrite(r CreateCardRequest) (Write, error) {
	if r.BIN == "" {
		return Write{}, Invalid("bin id is missing")
	}
	err := firstError(
		checkFunding(r.Amount),
		checkLabel(r.Label),
		checkThreshold("spending_limit", r.SpendingLimit),
		checkThreshold("auto_freeze_at", r.AutoFreezeAt),
		checkMetadata(r.Metadata),
	)
	if err != nil {
		return Write{}, err
	}
	return newWrite(methodPost, "/cards", "/cards", r)
}

// UpdateCardWrite builds the request that changes a card. One that changes nothing is
// ErrInvalid.
func UpdateCardWrite(id CardID, r UpdateCardRequest) (Write, error) {
	if r.Label == nil && r.SpendingLimit == nil && r.AllowedCategories == nil && r.AutoFreezeAt == nil && len(r.Metadata) == 0 {
		return Write{}, Invalid("nothing to update")
	}
	label := ""
	if r.Label != nil {
		label = *r.Label
	}
	if r.AllowedCategories != nil && *r.AllowedCategories == nil {
		r.AllowedCategories = &[]string{} // An empty list, not null.
	}
	err := firstError(
		checkLabel(label),
		checkThreshold("spending_limit", r.SpendingLimit),
		checkThreshold("auto_freeze_at", r.AutoFreezeAt),
		checkMetadata(r.Metadata),
	)
	if err != nil {
		return Write{}, err
	}
	return cardWrite(methodPatch, "", id, r)
}

// FreezeWrite builds the request that suspends all transactions of a card.
func FreezeWrite(id CardID) (Write, error) { return cardWrite(methodPost, "/freeze", id, nil) }

// UnfreezeWrite builds the request that allows transactions of a card again.
func UnfreezeWrite(id CardID) (Write, error) {
	return cardWrite(methodPost, "/unfreeze", id, nil)
}

// TerminateWrite builds the request that ends a card for good.
func TerminateWrite(id CardID) (Write, error) { return cardWrite(methodDelete, "", id, nil) }

func checkLabel(label string) error {
	if !utf8.ValidString(label) {
		return Invalid("label is not valid text")
	}
	if n := utf8.RuneCountInString(label); n > MaxLabel {
		return Invalid("label has %d characters, at most %d are allowed", n, MaxLabel)
	}
	return nil
}

func checkThreshold(name string, amount *USD) error {
	switch {
	case amount == nil:
	case *amount < 0:
		return Invalid("%s is below 0", name)
	case !amount.WholeCents():
		return Invalid("%s has a fraction of a cent", name)
	}
	return nil
}

func checkMetadata(m map[string]string) error {
	if len(m) > MaxMetadata {
		return Invalid("metadata has %d keys, at most %d are allowed", len(m), MaxMetadata)
	}
	for name, value := range m {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return Invalid("metadata is not valid text")
		}
	}
	return nil
}

// FreezeResult is the answer to freezing a card.
type FreezeResult struct {
	ID       CardID     `json:"id"`
	Status   CardStatus `json:"status"`
	FrozenAt time.Time  `json:"frozen_at"`
}

// UnmarshalJSON decodes the answer; the status must be frozen.
func (r *FreezeResult) UnmarshalJSON(b []byte) error {
	type plain FreezeResult
	w := struct {
		*plain
		FrozenAt timestamp `json:"frozen_at"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	r.FrozenAt = w.FrozenAt.time()
	return allOf(requireID(r.ID, "card"), requireStatus(r.Status, CardFrozen))
}

// TerminateResult is the answer to terminating a card. RefundedAmount, in USD, went
// back to the wallet.
type TerminateResult struct {
	ID             CardID     `json:"id"`
	Status         CardStatus `json:"status"`
	RefundedAmount *USD       `json:"refunded_amount"`
	TerminatedAt   time.Time  `json:"terminated_at"`
}

// UnmarshalJSON decodes the answer; the status must be terminated.
func (r *TerminateResult) UnmarshalJSON(b []byte) error {
	type plain TerminateResult
	w := struct {
		*plain
		TerminatedAt timestamp `json:"terminated_at"`
	}{plain: (*plain)(r)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	r.TerminatedAt = w.TerminatedAt.time()
	return allOf(requireID(r.ID, "card"), requireStatus(r.Status, CardTerminated))
}

// requireStatus returns an error for an answer with another status than the request
// asked for, so that it is not mistaken for done.
func requireStatus(got, want CardStatus) error {
	if got != want {
		return fmt.Errorf("decode card: status is not %s", want)
	}
	return nil
}

// FundResult is the answer to moving money from the wallet to a card, in USD.
type FundResult struct {
	ID              CardID `json:"id"`
	PreviousBalance USD    `json:"previous_balance"`
	FundedAmount    USD    `json:"funded_amount"`
	NewBalance      USD    `json:"new_balance"`
	WalletBalance   USD    `json:"wallet_balance"`
}

// UnmarshalJSON decodes the answer; every figure is required.
func (r *FundResult) UnmarshalJSON(b []byte) error {
	var w struct {
		ID       CardID `json:"id"`
		Previous *USD   `json:"previous_balance"`
		Funded   *USD   `json:"funded_amount"`
		New      *USD   `json:"new_balance"`
		Wallet   *USD   `json:"wallet_balance"`
	}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	r.ID = w.ID
	return allOf(
		requireID(r.ID, "fund result"),
		require(&r.PreviousBalance, w.Previous, "fund result", "previous_balance"),
		require(&r.FundedAmount, w.Funded, "fund result", "funded_amount"),
		require(&r.NewBalance, w.New, "fund result", "new_balance"),
		require(&r.WalletBalance, w.Wallet, "fund result", "wallet_balance"),
	)
}

// WithdrawResult is the answer to moving money from a card to the wallet, in USD. The
// contract names no field of it, so each may be absent (ASSUMED 10).
type WithdrawResult struct {
	ID              CardID `json:"id"`
	PreviousBalance *USD   `json:"previous_balance"`
	WithdrawnAmount *USD   `json:"withdrawn_amount"`
	NewBalance      *USD   `json:"new_balance"`
	WalletBalance   *USD   `json:"wallet_balance"`
}

// UnmarshalJSON decodes the answer, which must be an object that is neither empty nor
// an error.
func (r *WithdrawResult) UnmarshalJSON(b []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return err
	}
	if _, failed := fields["error"]; failed || len(fields) == 0 {
		return errors.New("decode withdraw result: not a result")
	}
	type plain WithdrawResult
	return json.Unmarshal(b, (*plain)(r))
}

// Bounds of creating and funding a card (contract, Limits).
const (
	MinFunding = 1 * Dollar
	MaxFunding = 5_000 * Dollar
)

type amountBody struct {
	Amount USD `json:"amount"`
}

// FundWrite builds the request that moves money from the wallet to a card: 1.00 to
// 5000.00 USD in whole cents (contract, Limits). Any other amount is ErrInvalid.
func FundWrite(id CardID, amount USD) (Write, error) {
	if err := checkFunding(amount); err != nil {
		return Write{}, err
	}
	return cardWrite(methodPost, "/fund", id, amountBody{amount})
}

// WithdrawWrite builds the request that moves money from a card to the wallet: more
// than 0 USD, in whole cents. The contract has no other bound (ASSUMED 10).
func WithdrawWrite(id CardID, amount USD) (Write, error) {
	if amount <= 0 {
		return Write{}, Invalid("amount %s is not above 0", amount)
	}
	if !amount.WholeCents() {
		return Write{}, Invalid("amount %s has a fraction of a cent", amount)
	}
	return cardWrite(methodPost, "/withdraw", id, amountBody{amount})
}

func checkFunding(amount USD) error {
	if amount < MinFunding || amount > MaxFunding {
		return Invalid("amount %s is not in %s-%s", amount, MinFunding, MaxFunding)
	}
	if !amount.WholeCents() {
		return Invalid("amount %s has a fraction of a cent", amount)
	}
	return nil
}
