package panetest

import (
	"time"

	"github.com/cardtop/cardtop/api"
)

// Card is an active card with a balance. Its last digits are those of its id.
func Card(id api.CardID, label api.Text, balance api.USD) api.CardItem {
	return api.CardItem{
		ID: id, Label: label, Last4: api.Text(id[max(0, len(id)-4):]), Status: api.CardActive, Balance: balance,
		BIN: "bin_1", Network: "visa", CreatedAt: At(-48 * time.Hour),
	}
}

// Code is a challenge of 25 USD that was made so long after noon and ends five
// minutes later.
func Code(id api.ChallengeID, card api.CardID, merchant api.Text, otp string, made time.Duration) api.Challenge {
	c := api.Challenge{
		ID: id, CardID: card, Merchant: merchant, Amount: new(25 * api.Dollar), Status: api.ChallengePending,
		CreatedAt: At(made), ExpiresAt: At(made + 5*time.Minute),
	}
	if otp != "" {
		c.OTP = api.NewOTP(otp)
	}
	return c
}

// Settled is a settlement.
func Settled(id api.TransactionID, card api.CardID, merchant api.Text, amount api.USD, at time.Duration) api.Transaction {
	return api.Transaction{
		ID: id, CardID: card, Type: api.TransactionSettlement, Amount: amount, Currency: "USD",
		Merchant: api.Merchant{Name: merchant, Category: "advertising", MCC: "7311", Country: "US"}, CreatedAt: At(at),
	}
}
