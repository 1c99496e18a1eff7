package api

import (
	"encoding/json"
	"testing"
)

// TestAnAmountInAnotherCurrencyIsNoDollars: nothing can add it to one.
func TestAnAmountInAnotherCurrencyIsNoDollars(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string]struct {
		usd  USD
		sent string
	}{`"jpy"`: {0, "-15000.00"}, `"USD"`: {-15_000 * Dollar, "-15000.00"}, `"usd"`: {-15_000 * Dollar, "-15000.00"}, `null`: {-15_000 * Dollar, "-15000.00"}} {
		var got Transaction
		err := json.Unmarshal([]byte(`{"id":"txn_1","card_id":"card_1","type":"settlement","amount":-15000,"currency":`+currency+`}`), &got)
		if err != nil || got.Amount != want.usd || got.Sent().String() != want.sent {
			t.Errorf("%s: %s USD, %s, %v", currency, got.Amount, got.Sent(), err)
		}
	}
}
