package state_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/bins"
	sums "github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// line is a row as text, its columns checked.
func line(t *testing.T, items rows.Rows, i int) string {
	t.Helper()
	cells := items.Row(i)
	if len(cells) != len(items.Columns) {
		t.Fatalf("%d cells in %d columns", len(cells), len(items.Columns))
	}
	parts := make([]string, 0, len(cells))
	for _, c := range cells {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, ",")
}

func TestWhatScreensListIsForOtherProgramsToo(t *testing.T) {
	at := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	s := settled(t)
	name := s.Cards.Name(first)
	for _, c := range []struct {
		rows rows.Rows
		want []string
	}{
		{wallets.DepositRows([]api.Deposit{
			{
				ID: "dep_1", Currency: "eth", AmountCrypto: "1.936119354838709677", AmountUSD: new(60 * dollar), FeeUSD: new(1 * dollar), CreditedUSD: new(59 * dollar),
				Status: api.DepositConfirmed, TxHash: "0xab", Confirmations: new(12), CreatedAt: at, ConfirmedAt: at.Add(time.Hour),
			},
			{ID: "dep_2", Currency: "btc", Status: api.DepositPending},
		}), []string{
			"2026-05-01T12:00:00Z,dep_1,eth,1.936119354838709677,60.00,1.00,59.00,confirmed,12,2026-05-01T13:00:00Z,0xab",
			",dep_2,btc,,,,,pending,,,",
		}},
		{bins.Rows([]api.BIN{
			{
				ID: "424242", Network: "visa", Type: "advertising", IssuerCountry: "US", ThreeDS: true, AcceptanceRate: new(98.7), MaxMonthly: new(900 * dollar),
				BestFor: []api.Text{"ads", "saas"}, Wallets: []api.PhoneWallet{{Name: "apple_pay", Supported: true}, {Name: "google_pay"}},
			},
			{ID: "555555"},
		}, sums.Last24h, map[api.BINID]bins.Declines{"424242": {Declined: 2, Asked: 9, Cards: 3}}), []string{
			"424242,visa,advertising,US,true,98.7,,900.00,3,9,2,apple_pay,ads saas",
			"555555,,,,false,,,,0,0,0,,",
		}},
		{webhooks.Rows([]webhooks.Webhook{{ID: "wh_1", URL: "https://a.example/b", Events: []api.Text{"*"}, Active: new(true), CreatedAt: at}, {ID: "wh_2"}}), []string{
			"wh_1,https://a.example/b,*,true,2026-05-01T12:00:00Z",
			"wh_2,,,,",
		}},
		{requestlog.Rows([]requestlog.Request{
			{At: at, Method: "GET", Route: "/cards", Status: 200, Took: 12 * time.Millisecond, ID: "req_1"},
			{At: at, Method: "POST", Route: "/cards", Err: errors.New("connection refused")},
		}), []string{
			"2026-05-01T12:00:00Z,GET,/cards,200,12,1,req_1,",
			"2026-05-01T12:00:00Z,POST,/cards,,0,1 + create,,connection refused",
		}},
		{s.Alerts.Rows([]alert.Alert{
			{Kind: alert.BalanceLow, Card: first, Since: at, Text: "$1.00, below $2.00", Snoozed: at.Add(time.Hour)},
			{Kind: alert.WalletLow, Since: at, Seen: true},
		}), []string{
			"2026-05-01T12:00:00Z,low balance," + string(first) + "," + name + ",$1.00, below $2.00,false,2026-05-01T13:00:00Z,,",
			"2026-05-01T12:00:00Z,wallet low,,,,true,,,",
		}},
	} {
		if c.rows.N != len(c.want) {
			t.Errorf("%s: %d rows", c.rows.What, c.rows.N)
		}
		for i, want := range c.want {
			if got := line(t, c.rows, i); got != want {
				t.Errorf("%s: %s, not %s", c.rows.What, got, want)
			}
		}
	}
}

func TestAnExportSharesNothingWithItsList(t *testing.T) {
	list := []api.Deposit{{ID: "dep_1"}}
	rows := wallets.DepositRows(list)
	list[0].ID = "dep_2"
	if got := line(t, rows, 0); !strings.Contains(got, "dep_1") {
		t.Errorf("it became %s", got)
	}
}
