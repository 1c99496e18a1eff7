package cards_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/cards"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// account has three cards: one low, one frozen, one with a label of CJK and
// emoji.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	frozen := panetest.Card("card_0002", "bbb/frozen", 200*api.Dollar)
	frozen.Status = api.CardFrozen
	a.Cards = []api.CardItem{panetest.Card("card_0001", "aaa/low", 5*api.Dollar), frozen, panetest.Card("card_0003", "広告/春 🚀 キャンペーン", 3000*api.Dollar)}
	a.Wallet.Balance = 100 * api.Dollar
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, cards.New(panetest.Theme(t), panetest.Keys()), w, h)
}

func TestTheKeysOfACard(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(time.Second)
	s := open(t, a, 90, 14)
	s.Asks(keymap.Freeze, state.Freeze("card_0001"))
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0001"})
	s.Asks(keymap.Unfreeze, kernel.Say{Level: kernel.Info, Text: "aaa/low ••0001 is already active"})
	s.Asks(keymap.Down, nil)
	s.Asks(keymap.Freeze, state.Unfreeze("card_0002"))
	s.Asks(keymap.Terminate, state.Terminate("card_0002"))

	// The cursor stays on its card when the order changes.
	a.Cards[1].Label = "zzz/frozen"
	a.Wait(20 * time.Second)
	s.Look()
	panetest.See(t, s.Line("│▸"), "zzz/frozen")
	s.Asks(keymap.Fund, state.Fund("card_0002", 0))

	// With a selection a key is for all that are selected.
	s.Act(keymap.First)
	s.Act(keymap.Choose)
	s.Act(keymap.Choose)
	s.See("2 selected · Σ $205.00")
	if in, ok := s.Act(keymap.Freeze)[0].(state.Writes); !ok || in.Kind != state.BulkFreeze || len(in.Cards) != 2 {
		t.Errorf("freezes %+v", in)
	}
	s.Filter("bal<10")
	s.See("2 selected, 1 hidden")
}

// TestCardsOfARangeAreCopiedInTurn: the range is a selection then, and ends.
func TestCardsOfARangeAreCopiedInTurn(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(time.Second)
	p := cards.New(panetest.Theme(t), panetest.Keys())
	s := panetest.Open(t, a, p, 90, 14)
	for _, act := range []keymap.Action{keymap.Range, keymap.Down, keymap.Down} {
		s.Act(act)
	}
	for _, id := range []api.CardID{"card_0001", "card_0002", "card_0003"} {
		s.Asks(keymap.CopyNextCard, secrets.CopyWhole{Card: id})
		p.Copied(id)
	}
}
