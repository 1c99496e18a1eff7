package api

import (
	"encoding/json"
	"testing"
	"unsafe"
)

// TestAWordIsHeldOnce decodes the same row twice: what is the same in 100,000
// rows takes room once.
func TestAWordIsHeldOnce(t *testing.T) {
	var a, b Transaction
	for _, row := range []*Transaction{&a, &b} {
		body := `{"id":"txn_1","card_id":"card_1","type":"settlement","amount":-1,"currency":"USD","merchant":{"name":"Acme","category":"ads","mcc":"7311","country":"US"}}`
		if err := json.Unmarshal([]byte(body), row); err != nil {
			t.Fatal(err)
		}
	}
	for i, pair := range [][2]string{
		{string(a.CardID), string(b.CardID)},
		{string(a.Type), string(b.Type)},
		{string(a.Currency), string(b.Currency)},
		{string(a.Merchant.Name), string(b.Merchant.Name)},
		{string(a.Merchant.Country), string(b.Merchant.Country)},
	} {
		if unsafe.StringData(pair[0]) != unsafe.StringData(pair[1]) {
			t.Errorf("word %d, %q, is held twice", i, pair[0])
		}
	}
}
