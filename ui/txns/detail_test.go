package txns_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
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

func TestATransactionIsToldInFull(t *testing.T) {
	t.Parallel()
	s := looking(t, detailAccount(t), "txn_3", 100, 30)
	s.See("1 Transaction  1 of 3", "esc back", "✓ settled", "-25.00 USD", "$75.00 on the card after it", "カフェ", "advertising · US · MCC 7311", "1m ago",
		"MCC        5812", "not required", "广告/春 🚀 ••0001 active $100.00", "settles the hold of $25.00, ", "59m before", "txn_3",
		"steps", "authorized", "settled +59m", "other fields", "terminal_with_a_long_name", "T-77")
	s.Fits()
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

func TestTheKeysOfADetail(t *testing.T) {
	t.Parallel()
	a := detailAccount(t)
	s := looking(t, a, "txn_3", 100, 30)
	s.Asks(keymap.NextTransaction, txns.Step{By: 1})
	s.Asks(keymap.PrevTransaction, txns.Step{By: -1})
	s.Asks(keymap.FollowLink, txns.FollowLink{})
	s.Asks(keymap.CopyID, secrets.CopyText{What: "transaction id", Text: "txn_3"})
	s.Asks(keymap.Freeze, state.Freeze("card_0001"))
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0001"})
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

func TestADeclineTellsTheKeyThatHelps(t *testing.T) {
	t.Parallel()
	for reason, c := range map[api.Text]struct {
		status api.CardStatus
		key    keymap.Action
		asks   kernel.Intent
		see    []string
	}{
		"insufficient_funds": {
			api.CardActive, keymap.Fund,
			state.Fund("card_0001", 400*api.Dollar),
			[]string{"balance too low", `the API says "insufficient_funds"; balance $100.00, asked $500.00`, "+ fund $400.00"},
		},
		"card_frozen": {
			api.CardFrozen, keymap.Freeze, state.Unfreeze("card_0001"), []string{"card frozen", "f unfreeze the card"},
		},
		"card_suspended": {
			api.CardActive, keymap.Edit, state.Write{Kind: state.OpUpdate, Card: "card_0001"}, []string{"card frozen", "try again: the card is not frozen now"},
		},
		"monthly limit": {
			api.CardActive, keymap.Edit, state.Write{Kind: state.OpUpdate, Card: "card_0001", Field: cardcsv.Limit}, []string{"monthly limit", "e raise the monthly limit"},
		},
		"mcc blocked": {
			api.CardActive, keymap.Edit, state.Write{Kind: state.OpUpdate, Card: "card_0001", Field: cardcsv.Categories}, []string{"category blocked", "e check the allowed categories"},
		},
	} {
		a := detailAccount(t)
		a.Cards[0].Status = c.status
		a.Limits = map[api.CardID]*api.USD{"card_0001": new(1000 * api.Dollar)}
		a.Txns[1].BalanceAfter = new(100 * api.Dollar)
		a.Details["txn_2"] = api.TransactionDetail{Transaction: a.Txns[1], DeclineReason: reason}
		a.Wait(time.Minute)
		s := looking(t, a, "txn_2", 100, 30)
		s.See(c.see...)
		s.Asks(c.key, c.asks)
	}
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
