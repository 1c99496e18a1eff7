package api

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestEveryFieldIsDecoded decodes objects whose values all differ and encodes
// them again: a field that is dropped or mixed up with another shows.
func TestEveryFieldIsDecoded(t *testing.T) {
	tests := []struct {
		fresh any
		in    string
	}{
		{new(Card), `{"id":"a","bin_id":"b","network":"c","last4":"1234","status":"frozen","balance":1.25,"spending_limit":2.5,"label":"d","allowed_categories":["e","f"],"auto_freeze_at":3,"metadata":{"g":"h"},"created_at":"2026-03-01T12:00:01Z","expires_at":"2026-03-01T12:00:02Z"}`},
		{new(CardItem), `{"id":"a","bin_id":"b","network":"c","last4":"1234","status":"frozen","balance":1.25,"label":"d","created_at":"2026-03-01T12:00:01Z"}`},
		{new(CardSummary), `{"id":"a","bin_id":"b","network":"c","last4":"1234","status":"frozen","balance":1.25,"spending_limit":2.5,"total_spent":4,"transaction_count":5,"label":"d","metadata":{"g":"h"},"created_at":"2026-03-01T12:00:01Z","expires_at":"2026-03-01T12:00:02Z","last_used_at":"2026-03-01T12:00:03Z"}`},
		{new(CardDetails), `{"id":"a","pan":"[redacted]","cvv":"[redacted]","exp_month":3,"exp_year":2029,"holder_name":"b","billing_address":{"line1":"c","city":"d","state":"e","zip":"f","country":"g"}}`},
		{new(FreezeResult), `{"id":"a","status":"frozen","frozen_at":"2026-03-01T12:00:01Z"}`},
		{new(TerminateResult), `{"id":"a","status":"terminated","refunded_amount":1.5,"terminated_at":"2026-03-01T12:00:01Z"}`},
		{new(FundResult), `{"id":"a","previous_balance":1,"funded_amount":2,"new_balance":3,"wallet_balance":4}`},
		{new(WithdrawResult), `{"id":"a","previous_balance":1,"withdrawn_amount":2,"new_balance":3,"wallet_balance":4}`},
		{new(Transaction), `{"id":"a","card_id":"b","type":"refund","amount":-1,"currency":"USD","merchant":{"name":"c","category":"d","mcc":"e","country":"f"},"balance_after":2,"created_at":"2026-03-01T12:00:01Z"}`},
		{new(Wallet), `{"balance":1,"currency":"USD","pending_deposits":2,"total_deposited":3,"total_spent":4,"cards_active":5,"cards_total_balance":6}`},
		{new(Deposit), `{"id":"a","currency":"btc","amount_crypto":"0.000000000000000001","amount_usd":1,"fee_usd":2,"credited_usd":3,"status":"pending","tx_hash":"b","confirmations":4,"created_at":"2026-03-01T12:00:01Z","confirmed_at":"2026-03-01T12:00:02Z"}`},
		{new(BIN), `{"id":"a","network":"b","type":"c","issuer_country":"d","3ds":true,"max_transaction":1,"max_monthly":2,"acceptance_rate":97.5,"best_for":["e"]}`},
		{new(Challenge), `{"id":"a","card_id":"b","merchant":"c","amount":1,"otp":"[redacted]","status":"pending","expires_at":"2026-03-01T12:00:01Z","created_at":"2026-03-01T12:00:02Z"}`},
		{new(Webhook), `{"id":"a","url":"b","events":["c","d"],"secret":"[redacted]","active":false,"created_at":"2026-03-01T12:00:01Z"}`},
		{new(Page[DeleteResult]), `{"data":[{"id":"a"}],"pagination":{"page":1,"per_page":2,"total":3,"total_pages":4}}`},
	}
	for _, tt := range tests {
		if err := json.Unmarshal([]byte(tt.in), tt.fresh); err != nil {
			t.Errorf("%T: %v", tt.fresh, err)
			continue
		}
		out, err := json.Marshal(tt.fresh)
		must(t, err)
		var want, got any
		must(t, json.Unmarshal([]byte(tt.in), &want))
		must(t, json.Unmarshal(out, &got))
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%T: %s", tt.fresh, out)
		}
	}
}
