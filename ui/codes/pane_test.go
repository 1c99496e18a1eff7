package codes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	people "github.com/cardtop/cardtop/state/team"
	codesui "github.com/cardtop/cardtop/ui/codes"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/widget"
)

// account has three codes: the newest for a card that is short of 15 USD, one
// for a frozen card, and the oldest.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	frozen := panetest.Card("card_0002", "fb/frozen", 100*api.Dollar)
	frozen.Status = api.CardFrozen
	a.Cards = []api.CardItem{
		panetest.Card("card_0001", "广告/春 🚀", 10*api.Dollar), frozen, panetest.Card("card_0003", "tt/third", 100*api.Dollar),
	}
	a.Codes = []api.Challenge{
		panetest.Code("3ds_c", "card_0003", "Oldest", "333333", -3*time.Minute),
		panetest.Code("3ds_b", "card_0002", "Middle", "222222", -2*time.Minute),
		panetest.Code("3ds_a", "card_0001", "カフェ Newest", "111111", -time.Minute),
	}
	a.Wait(0)
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) (*panetest.Screen, *codesui.Pane) {
	t.Helper()
	p := codesui.New(panetest.Theme(t))
	return panetest.Open(t, a, p, w, h), p
}

func TestACodeThatAnotherTookSaysSo(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Store.Apply(codes.Taken{Challenge: "3ds_c", By: "ann", TakenAt: a.Store.ServerNow().Add(-12 * time.Second)})
	s, _ := open(t, a, 100, 12)
	panetest.See(t, s.Line("333 333"), "Oldest", "taken by ann 10s ago", "••0003")
	a.Wait(10 * time.Second)
	s, _ = open(t, a, 100, 12)
	panetest.See(t, s.Line("333 333"), "taken by ann 20s ago")
	s.SetSize(44, 8)
	panetest.See(t, s.Line("333 333"), "0003")
	s.Fits()
}

// TestWhatACodeLedToIsFoundWhenTheFeedBringsIt lets the transaction come after
// the code's end.
func TestWhatACodeLedToIsFoundWhenTheFeedBringsIt(t *testing.T) {
	t.Parallel()
	a := account(t)
	gone := a.Codes[2]
	a.Codes = a.Codes[:2]
	a.Wait(time.Second)
	gone.Status, gone.OTP = api.ChallengeCompleted, api.OTP{}
	a.Apply(codes.OneLoaded{Meta: a.Meta(), Item: gone})
	s, p := open(t, a, 110, 12)
	s.SeeNot("likely")
	hold := panetest.Settled("txn_1", "card_0001", "カフェ Newest", 25*api.Dollar, 2*time.Second)
	hold.Type = api.TransactionAuthorization
	a.Txns = []api.Transaction{hold}
	a.Wait(5 * time.Second)
	if p.Reads()&kernel.TopicFeed == 0 {
		t.Error("the pane does not read the feed")
	}
	s.Sync(a.Store, kernel.TopicFeed)
	panetest.See(t, s.Line("✓ used"), "likely hold $25.00")
}

// TestARoleThatReadsNoCodesSaysSo in place of that there are none.
func TestARoleThatReadsNoCodesSaysSo(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	a.Apply(state.HubJoined{Meta: a.Meta(), You: people.You{Name: "eve", Role: people.Viewer}})
	s, p := open(t, a, 80, 8)
	s.See("your role, viewer, may not read codes")
	panetest.See(t, p.Strip(80), "your role, viewer, may not read codes")
	a.Apply(state.HubJoined{Meta: a.Meta(), You: people.You{Name: "eve", Role: people.Buyer}})
	s.Look()
	s.See("no pending codes")
}

// TestColumnsStayWhereTheyAreWhileCodesAreScrolled to one whose merchant needs more room than those above it.
func TestColumnsStayWhereTheyAreWhileCodesAreScrolled(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Codes[0].Merchant = "A merchant with a long name"
	a.Wait(time.Second)
	s, _ := open(t, a, 100, 4) // Two of three codes.
	amount := func(code string) int {
		before, _, _ := strings.Cut(s.Line(code), "$25.00")
		return widget.Width(before)
	}
	s.SeeNot("A merchant")
	above := amount("111 111")
	s.Act(keymap.Last)
	s.See("A merchant with a long name")
	if below := amount("333 333"); below != above {
		t.Errorf("the amounts are at %d, and below at %d", above, below)
	}
}
