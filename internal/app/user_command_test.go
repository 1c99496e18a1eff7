package app

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/settings"
)

func TestACommandReadsAnObjectOnEachLine(t *testing.T) {
	rows := []commands.Vars{
		{Profile: "team", Card: "card_1", Label: `a"<b>`, Last4: "0001", Status: api.CardActive, Balance: 12*api.Dollar + 50*api.Cent},
		{Where: settings.OnTransaction, Profile: "team", Transaction: "txn_1", Card: "card_1", Amount: api.Units(-api.Dollar), Time: time.Date(2026, 3, 1, 14, 0, 0, 0, time.FixedZone("", 7200))},
		{Where: settings.Anywhere, Profile: "team"},
	}
	got, err := commandInput(rows)
	want := `{"balance":12.50,"id":"card_1","label":"a\"<b>","last4":"0001","profile":"team","status":"active"}
{"amount":-1.00,"card_id":"card_1","id":"txn_1","profile":"team","time":"2026-03-01T12:00:00Z"}
{"profile":"team"}
`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}
