package replica_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

func keys(t *testing.T) *seal.Keys {
	t.Helper()
	line, err := seal.NewKey()
	must(t, err)
	path := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(path, []byte(line), 0o600))
	k, err := seal.Load(path, "test")
	must(t, err)
	return k
}

func TestACodeIsSealedOnTheBus(t *testing.T) {
	k := keys(t)
	amount, err := api.ParseUSD("12.50")
	must(t, err)
	c := api.Challenge{
		ID: "3ds_1", CardID: "card_1", Merchant: "Shop", Amount: &amount, OTP: api.NewOTP("482913"), Status: api.ChallengePending,
		ExpiresAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	i, err := replica.PutCode(k, c)
	must(t, err)
	if c.OTP.Expose() != "482913" {
		t.Error("the code was changed")
	}
	data, err := json.Marshal(i)
	must(t, err)
	if s := string(data); strings.Contains(s, "482913") || strings.Contains(s, "redacted") || strings.Contains(s, "otp") {
		t.Errorf("on the bus it is %s", s)
	}
	var back replica.Item
	must(t, json.Unmarshal(data, &back))
	got, err := replica.GetCode(k, back)
	must(t, err)
	if got.OTP.Expose() != "482913" || got.ID != c.ID || got.Amount.String() != amount.String() || !got.ExpiresAt.Equal(c.ExpiresAt) || got.Merchant != c.Merchant {
		t.Errorf("it came back as %+v", got)
	}
	if _, err := replica.GetCode(keys(t), back); err == nil {
		t.Error("another key opens it")
	}
	c.OTP = api.OTP{}
	i, err = replica.PutCode(k, c)
	must(t, err)
	if got, err := replica.GetCode(k, i); err != nil || !got.OTP.IsZero() {
		t.Errorf("without a code: %v, %v", got, err)
	}
}

// TestObjectsComeBackAsTheyWere sends one of each type.
func TestObjectsComeBackAsTheyWere(t *testing.T) {
	roundTrip(t, replica.Card, `{"id":"card_1","bin_id":"bin_1","network":"visa","last4":"4242","status":"active","balance":12.34,"spending_limit":100,"total_spent":1.5,"transaction_count":3,"label":"fb","metadata":{"a":"b"},"created_at":"2026-01-02T03:04:05Z","expires_at":"2029-01-02T03:04:05Z"}`, new(api.CardSummary))
	roundTrip(t, replica.Listed, `{"id":"card_1","bin_id":"bin_1","network":"visa","last4":"4242","status":"frozen","balance":0.1,"label":"fb","created_at":"2026-01-02T03:04:05Z"}`, new(api.CardItem))
	roundTrip(t, replica.Transaction, `{"id":"txn_1","card_id":"card_1","type":"settlement","amount":-5.25,"currency":"USD","merchant":{"name":"Shop","category":"x","mcc":"5734","country":"US"},"balance_after":7.09,"created_at":"2026-01-02T03:04:05Z"}`, new(api.Transaction))
	roundTrip(t, replica.Transaction, `{"id":"txn_2","card_id":"card_1","type":"settlement","currency":"JPY","merchant":{"name":"Shop","category":"x","mcc":"5734","country":"JP"},"balance_after":7.09,"created_at":"2026-01-02T03:04:05Z","amount":-15000}`, new(api.Transaction))
	roundTrip(t, replica.Wallet, `{"balance":1000.01,"currency":"USD","pending_deposits":1,"total_deposited":2,"total_spent":3,"cards_active":4,"cards_total_balance":5}`, new(api.Wallet))
	roundTrip(t, replica.Deposit, `{"id":"dep_1","currency":"btc","amount_crypto":"0.01000000","amount_usd":600,"fee_usd":6,"credited_usd":594,"status":"confirmed","tx_hash":"ab","confirmations":3,"created_at":"2026-01-02T03:04:05Z","confirmed_at":"2026-01-02T04:04:05Z"}`, new(api.Deposit))
	roundTrip(t, replica.BIN, `{"id":"bin_1","network":"visa","type":"advertising","issuer_country":"US","3ds":true,"apple_pay":true,"google_pay":false,"max_transaction":5000,"max_monthly":50000,"acceptance_rate":98.5,"best_for":["ads"]}`, new(api.BIN))
}

func roundTrip[T replica.Shared](t *testing.T, kind replica.Kind, text string, v *T) {
	t.Helper()
	must(t, json.Unmarshal([]byte(text), v))
	i, err := replica.Put("id", *v)
	must(t, err)
	data, err := json.Marshal(i)
	must(t, err)
	var back replica.Item
	must(t, json.Unmarshal(data, &back))
	got, err := replica.Get[T](back)
	must(t, err)
	if !reflect.DeepEqual(got, *v) || back.Kind != kind {
		t.Errorf("%s %+v came back as %s %+v", kind, *v, back.Kind, got)
	}
}

func challenge(id, card, code string) api.Challenge {
	return api.Challenge{ID: api.ChallengeID(id), CardID: api.CardID(card), OTP: api.NewOTP(code), Status: api.ChallengePending}
}

// moved is an item with a text replaced by another.
func moved(t *testing.T, i replica.Item, from, to string) replica.Item {
	t.Helper()
	data, err := json.Marshal(i)
	must(t, err)
	var out replica.Item
	must(t, json.Unmarshal([]byte(strings.ReplaceAll(string(data), from, to)), &out))
	return out
}
