package api

import (
	"encoding/json"
	"errors"
)

// FundResult is the answer to moving money from the wallet to a card.
type FundResult struct {
	ID              CardID `json:"id"`
	PreviousBalance USD    `json:"previous_balance"`
	FundedAmount    USD    `json:"funded_amount"`
	NewBalance      USD    `json:"new_balance"`
	WalletBalance   USD    `json:"wallet_balance"`
}

// UnmarshalJSON decodes the answer; every figure must be there.
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
	return errors.Join(
		needID(r.ID, "fund result"),
		need(&r.PreviousBalance, w.Previous, "fund result", "previous_balance"),
		need(&r.FundedAmount, w.Funded, "fund result", "funded_amount"),
		need(&r.NewBalance, w.New, "fund result", "new_balance"),
		need(&r.WalletBalance, w.Wallet, "fund result", "wallet_balance"),
	)
}

// WithdrawResult is the answer to moving money from a card to the wallet. The
// contract names no field of it, so each may be missing (ASSUMED 10).
type WithdrawResult struct {
	ID              CardID `json:"id"`
	PreviousBalance *USD   `json:"previous_balance"`
	WithdrawnAmount *USD   `json:"withdrawn_amount"`
	NewBalance      *USD   `json:"new_balance"`
	WalletBalance   *USD   `json:"wallet_balance"`
}
