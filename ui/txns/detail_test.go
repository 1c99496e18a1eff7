package txns_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	txnsui "github.com/cardtop/cardtop/ui/txns"
)

// account has a hold of 25 USD and its settlement, and a decline.
func detailAccount(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "广告/春 🚀", 100*api.Dollar)}
	settled := panetest.Settled("txn_3", "card_0001", "カフェ", -25*api.Dollar, -time.Minute)
	settled.BalanceAfter = new(75 * api.Dollar)
	declined := panetest.Settled("txn_2", "card_0001", "Meta", -500*api.Dollar, -2*time.Minute)
	declined.Type = api.TransactionDecline
	hold := panetest.Settled("txn_1", "card_0001", "カフェ", -25*api.Dollar, -time.Hour)
	hold.Type = api.TransactionAuthorization
	a.Txns = []api.Transaction{settled, declined, hold}
	a.Details = map[api.TransactionID]api.TransactionDetail{
		"txn_3": {Transaction: settled, MCC: "5812", ThreeDSStatus: "not_required", Timeline: []api.TimelineStep{
			{Status: "authorized", At: panetest.At(-time.Hour)}, {Status: "settled", At: panetest.At(-time.Minute)},
		}, Extra: []api.Field{{Name: "terminal_with_a_long_name", Value: "T-77"}}},
		"txn_2": {Transaction: declined, DeclineReason: "insufficient_funds", ThreeDSStatus: "authenticated"},
	}
	a.Wait(time.Second)
	return a
}

func looking(t *testing.T, a *panetest.Account, id api.TransactionID, w, h int) *panetest.Screen {
	t.Helper()
	a.Do(txns.Inspect{Transaction: id, Among: []api.TransactionID{"txn_3", "txn_2", "txn_1"}})
	return panetest.Open(t, a, txnsui.NewDetail(panetest.Theme(t), keymap.New(keymap.Defaults())), w, h)
}

func TestADeclineSaysWhy(t *testing.T) {
	t.Parallel()
	s := looking(t, detailAccount(t), "txn_2", 80, 30)
	s.See("2 of 3", "✗ declined", "balance too low", `the API says "insufficient_funds"`, "authenticated")
	s.SeeNot("steps", "other fields", "on the card after it", "reason") // The cause has one name.
}

func TestATransactionThatWasNotReadShowsWhatIsKnown(t *testing.T) {
	t.Parallel()
	a := detailAccount(t)
	a.Silent = true
	s := looking(t, a, "txn_3", 80, 30)
	s.See("✓ settled", "loading details…")
	a.Silent, a.Err = false, errors.New("cut")
	s = looking(t, a, "txn_3", 80, 30)
	s.See("✓ settled", "details not loaded: cut")
	s = looking(t, a, "txn_other", 80, 30)
	s.See("details not loaded: cut")
	s.SeeNot("settled")
	s.Asks(keymap.Freeze, nil)
}

func TestAPrivateTransactionShowsNoFigureMerchantOrLabel(t *testing.T) {
	t.Parallel()
	s := looking(t, detailAccount(t, panetest.Private), "txn_3", 100, 30)
	s.See("✓ settled", "card 1")
	s.SeeNot("25.00", "75.00", "100.00", "カフェ", "advertising", "7311", "5812", "广告", "0001", "T-77")
}

func TestALongTransactionIsScrolled(t *testing.T) {
	t.Parallel()
	a := detailAccount(t)
	s := looking(t, a, "txn_3", 60, 8)
	s.See("✓ settled")
	s.SeeNot("T-77")
	s.Asks(keymap.Down, nil)
	s.SeeNot("✓ settled")
	s.Act(keymap.Last)
	s.See("T-77")
	s.Act(keymap.PageUp)
	s.SeeNot("T-77")
	s.Act(keymap.Last)
	// Another transaction begins at its top.
	a.Do(txns.Step{By: 1})
	s.Look()
	s.See("✗ declined")
}

func TestAGuessIsWordedAsOne(t *testing.T) {
	t.Parallel()
	a := detailAccount(t)
	a.Txns[1].BalanceAfter = new(100 * api.Dollar)
	a.Details["txn_2"] = api.TransactionDetail{Transaction: a.Txns[1]}
	a.Wait(time.Minute)
	looking(t, a, "txn_2", 100, 30).See("likely balance too low", "balance $100.00, asked $500.00", "+ fund $400.00")
	settled := looking(t, a, "txn_3", 100, 30)
	settled.SeeNot("because", "to do")
	settled.Asks(keymap.Fund, state.Fund("card_0001", 0))
}
