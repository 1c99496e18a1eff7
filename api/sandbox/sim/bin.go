// Package sim holds the rules of a simulated card scheme and everything that the
// sandbox invents from its seed: identifiers, card numbers, merchants, crypto
// currencies, and the history of a new world. It is pure: no I/O, and no clock but
// the caller's.
package sim

import (
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// BIN is the contract's BIN. Its id is numeric and begins every card number of
// its range (ASSUMED 25); the ranges are ones that networks publish for tests
// (ASSUMED 28). The two wallet providers are those of ASSUMED 26.
type BIN struct {
	ID             string     `json:"id"`
	Network        string     `json:"network"`
	Type           string     `json:"type"`
	IssuerCountry  string     `json:"issuer_country"`
	ThreeDS        bool       `json:"3ds"`
	ApplePay       bool       `json:"apple_pay"`
	GooglePay      bool       `json:"google_pay"`
	MaxTransaction unit.Cents `json:"max_transaction"`
	MaxMonthly     unit.Cents `json:"max_monthly"`
	Acceptance     float64    `json:"acceptance_rate"` // per cent
	BestFor        []string   `json:"best_for"`
}

// BINs returns the ranges that cards can be issued from.
func BINs() []BIN {
	return []BIN{
		{
			ID: "424242", Network: "visa", Type: "advertising", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 500_000, MaxMonthly: 5_000_000, Acceptance: 98.4, BestFor: []string{"facebook_ads", "google_ads"},
		},
		{
			ID: "555555", Network: "mastercard", Type: "advertising", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 750_000, MaxMonthly: 10_000_000, Acceptance: 97.9, BestFor: []string{"tiktok_ads", "google_ads"},
		},
		{
			ID: "411111", Network: "visa", Type: "advertising", IssuerCountry: "GB", ThreeDS: true, GooglePay: true,
			MaxTransaction: 300_000, MaxMonthly: 2_500_000, Acceptance: 96.2, BestFor: []string{"native_ads", "search_ads"},
		},
		{
			ID: "222300", Network: "mastercard", Type: "advertising", IssuerCountry: "LT", ThreeDS: true,
			MaxTransaction: 200_000, MaxMonthly: 2_000_000, Acceptance: 95.1, BestFor: []string{"testing", "tiktok_ads"},
		},
		{
			ID: "401288", Network: "visa", Type: "everyday", IssuerCountry: "US", ThreeDS: true, ApplePay: true, GooglePay: true,
			MaxTransaction: 150_000, MaxMonthly: 1_000_000, Acceptance: 99.1, BestFor: []string{"saas", "subscriptions"},
		},
		{
			ID: "510510", Network: "mastercard", Type: "everyday", IssuerCountry: "DE", ThreeDS: true, ApplePay: true,
			MaxTransaction: 100_000, MaxMonthly: 1_000_000, Acceptance: 98.7, BestFor: []string{"hosting", "travel"},
		},
	}
}

// BINOf returns the BIN of an id, or the zero BIN.
func BINOf(id string) BIN {
	for _, b := range BINs() {
		if b.ID == id {
			return b
		}
	}
	return BIN{}
}
