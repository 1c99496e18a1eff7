package dialog_test

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// A review asks the store for its verdict again when a balance that it rests on is
// another, and not when it is read again and is the same.
func TestAVerdictIsAskedAgainWhenWhatItRestsOnChanges(t *testing.T) {
	s := dialogtest.Store(t)
	in := state.Fund("card_1", 50*api.Dollar)
	asked := 0
	var b *dialog.Buttons
	balances := func(wallet, card api.USD) {
		t.Helper()
		_, effects, err := s.Dispatch(state.Refresh{Card: "card_1"})
		if err != nil {
			t.Fatal(err)
		}
		_, polls := s.Tick(panetest.At(0))
		m := kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}
		for _, e := range append(effects, polls...) {
			switch e := e.(type) {
			case state.FetchSummary:
				topics, _ := s.Apply(state.SummaryLoaded{FetchSummary: e, Meta: m, Summary: api.CardSummary{Balance: card, Label: "fb", Status: api.CardActive}})
				if b != nil {
					b.Sync(topics)
				}
			case wallets.Fetch:
				topics, _ := s.Apply(wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: wallet}})
				if b != nil {
					b.Sync(topics)
				}
			default:
			}
		}
	}
	balances(1000*api.Dollar, 100*api.Dollar) // The card under the cursor is read before a key asks for it.
	b = dialog.NewButtons(panetest.Theme(t), "Fund $50.00", func() kernel.Verdict { asked++; return s.Check(in) })
	if b.Blocked() || asked != 1 {
		t.Fatalf("asked %d times at the start", asked)
	}
	balances(1000*api.Dollar, 100*api.Dollar)
	if b.Blocked() || asked != 1 {
		t.Errorf("asked %d times after the same balances", asked)
	}
	balances(1000*api.Dollar, 90*api.Dollar)
	if b.Blocked() || asked != 2 {
		t.Errorf("asked %d times after another balance of the card", asked)
	}
	balances(49*api.Dollar, 90*api.Dollar)
	if !b.Blocked() || asked != 3 {
		t.Errorf("asked %d times after the wallet fell; blocked: %v", asked, b.Blocked())
	}
}
