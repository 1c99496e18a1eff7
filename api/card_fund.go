package api

import (
	"encoding/json"
	"errors"
)

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
