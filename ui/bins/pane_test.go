package bins_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/settings"
	binsui "github.com/cardtop/cardtop/ui/bins"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// account has three BINs, and a card of the first of which every other charge
// was declined.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.BINs = []api.BIN{
		{ID: "411111", Network: "visa", Type: "advertising", IssuerCountry: "US", ThreeDS: true, AcceptanceRate: new(97.5), MaxTransaction: new(5000 * api.Dollar), BestFor: []api.Text{"google_ads"}},
		{ID: "510510", Network: "mastercard", Type: "everyday", IssuerCountry: "DE", AcceptanceRate: new(99.1), MaxMonthly: new(50_000 * api.Dollar), Wallets: []api.PhoneWallet{{Name: "apple_pay", Supported: true}}},
		{ID: "370000", Network: "amex", Type: "广告", IssuerCountry: "GB"},
	}
	card := panetest.Card("card_0001", "fb", api.Dollar)
	card.BIN = "411111"
	a.Cards = []api.CardItem{card}
	for i := range 10 {
		txn := panetest.Settled(api.TransactionID(rune('a'+i)), "card_0001", "Meta", -api.Dollar, -time.Duration(i)*time.Minute)
		if txn.Type = api.TransactionAuthorization; i%2 == 0 {
			txn.Type = api.TransactionDecline
		}
		a.Txns = append(a.Txns, txn)
	}
	a.Wait(time.Second)
	return a
}

func loaded(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := account(t, changes...)
	a.Do(bins.Load{})
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, binsui.New(panetest.Theme(t), panetest.Keys()), w, h)
}

// order is the BINs from the top.
func order(s *panetest.Screen) string {
	var out []string
	for line := range strings.SplitSeq(s.Text(), "\n") {
		for _, id := range []string{"411111", "510510", "370000"} {
			if strings.Contains(line, id) {
				out = append(out, id[:2])
			}
		}
	}
	return strings.Join(out, " ")
}

func TestBINsAreSortedByAColumn(t *testing.T) {
	t.Parallel()
	s := open(t, loaded(t), 140, 14)
	for _, c := range []struct {
		key  keymap.Action
		want string
	}{
		{"", "51 41 37"},              // The most accepted on top; what is not known comes last.
		{keymap.SortBack, "41 51 37"}, // Also the other way round.
		{keymap.Sort, "41 37 51"},     // Declined: known first, then by id.
		{keymap.Sort, "41 37 51"},     // The highest charge.
		{keymap.Sort, "51 37 41"},     // The highest month.
		{keymap.Sort, "37 51 41"},     // Network.
		{keymap.Sort, "37 41 51"},     // Id.
		{keymap.Sort, "51 41 37"},     // Round again.
	} {
		if c.key != "" {
			s.Asks(c.key, nil)
		}
		if got := order(s); got != c.want {
			t.Errorf("%s: %s, want %s", c.key, got, c.want)
		}
	}
	s.Click(2, 1)
	if got := order(s); got != "37 41 51" {
		t.Errorf("a click on the first title: %s", got)
	}
	s.Click(2, 1)
	if got := order(s); got != "51 41 37" {
		t.Errorf("another click on it: %s", got)
	}
}

func TestTheKeysOfABIN(t *testing.T) {
	t.Parallel()
	a := loaded(t)
	s := open(t, a, 140, 14)
	s.Asks(keymap.IssueFrom, state.Issue(api.CreateCardRequest{BIN: "510510"}))
	s.Asks(keymap.Reload, bins.Load{Anew: true})
	s.Exports(keymap.Export, "510510", "411111", "370000")
	s.Act(keymap.Down)
	s.Asks(keymap.IssueFrom, state.Issue(api.CreateCardRequest{BIN: "411111"}))
	// The cursor stays on its BIN when the order turns and when it goes.
	s.Act(keymap.SortBack)
	s.Asks(keymap.IssueFrom, state.Issue(api.CreateCardRequest{BIN: "411111"}))
	a.BINs = a.BINs[1:]
	a.Do(bins.Load{Anew: true})
	s.Look()
	s.Asks(keymap.IssueFrom, nil)
}

func TestBINsThatWereNotReadSayWhatToDo(t *testing.T) {
	t.Parallel()
	a := account(t)
	open(t, a, 80, 12).See("loading BINs…")
	a.Err = errors.New("cut")
	a.Do(bins.Load{})
	open(t, a, 80, 12).See("r retries: cut")
	a = panetest.New(t)
	a.Wait(0)
	a.Do(bins.Load{})
	open(t, a, 80, 12).See("no BINs for this account: ask the service which it may use")
}

// TestABINSaysTheRateThatAlerts, which is of 7 days, and how many more declines reach the next line.
func TestABINSaysTheRateThatAlerts(t *testing.T) {
	t.Parallel()
	a := loaded(t, func(c *settings.Config) { c.Alerts.Rate = []int{15, 60} })
	a.Store.Insight.Ledger().Cover(panetest.At(-8*24*time.Hour), panetest.At(0))
	s := open(t, a, 170, 14)
	s.See("decl. 24h")
	panetest.See(t, s.Line("411111"), "50.0 %", "3 more  ")
	panetest.See(t, s.Line("370000"), "–  ")
	s.Act(keymap.Last)
	s.Act(keymap.Up)
	s.See("5 of 10 charges declined in 24 h (50.0 %) · 7 d: 50.0 %, alert: past 15 %, 3 declines to 60 %")
	s.Act(keymap.LongerRange)
	s.See("decl. 7d", "5 of 10 charges declined in 7 d (50.0 %) · alert: past 15 %, 3 declines to 60 %")
	// Of so few charges none is said.
	a = loaded(t, func(c *settings.Config) { c.Alerts.Rate, c.Alerts.RateFrom = []int{15, 25}, 20 })
	a.Store.Insight.Ledger().Cover(panetest.At(-8*24*time.Hour), panetest.At(0))
	panetest.See(t, open(t, a, 170, 14).Line("411111"), "50.0 %  ", "–  ")
	// All lines are reached.
	a = loaded(t, func(c *settings.Config) { c.Alerts.Rate = []int{15, 25} })
	a.Store.Insight.Ledger().Cover(panetest.At(-8*24*time.Hour), panetest.At(0))
	a.Wait(time.Minute) // Alerts are compared each minute.
	s = open(t, a, 140, 14)
	s.Act(keymap.Last)
	s.Act(keymap.Up)
	s.See("5 of 10 charges declined in 24 h (50.0 %) · 7 d: 50.0 %, alert: past 25 %")
	panetest.See(t, s.Line("411111"), "50.0 %  ", "past 25 %")
	s.Act(keymap.LongerRange)
	panetest.See(t, s.Line("411111"), "50.0 % !", "past 25 %")
}

// TestBINsAreMeasuredOverARange that the keys of the spending screen choose.
func TestBINsAreMeasuredOverARange(t *testing.T) {
	t.Parallel()
	a := account(t)
	old := panetest.Settled("old", "card_0001", "Meta", -api.Dollar, -50*time.Hour)
	old.Type = api.TransactionDecline
	a.Store.Insight.Ledger().Add(panetest.At(0), []api.Transaction{old})
	a.Do(bins.Load{})
	s := open(t, a, 140, 14)
	panetest.See(t, s.Line("411111"), "50.0 %")
	s.Act(keymap.LongerRange)
	s.See("decl. 7d")
	panetest.See(t, s.Line("411111"), "54.5 %")
	s.Act(keymap.Last)
	s.Act(keymap.Up)
	s.See("≥6 of 11 charges declined in 7 d (54.5 %)") // Not all of it was read.
	if export, ok := s.Act(keymap.Export)[0].(pane.ExportRows); !ok || !slices.Contains(export.Rows.Columns, "declined_7d") {
		t.Errorf("exported are %v", export.Rows.Columns)
	}
	s.Act(keymap.ShorterRange)
	s.See("decl. 24h")
	s.Act(keymap.ShorterRange)
	s.See("decl. 30d")
}
