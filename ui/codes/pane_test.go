package codes_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
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

func TestCodesShowWhatTheyAuthorize(t *testing.T) {
	t.Parallel()
	s, _ := open(t, account(t), 100, 12)
	s.See("2 Codes  3 pending", "every 1s")
	panetest.See(t, s.Line("111 111"), "▸", "カフェ Newest", "$25.00", "$15 short 广告/春 🚀 ••0001", "1m", "4:00")
	panetest.See(t, s.Line("222 222"), "Middle", "frozen fb/frozen ••0002", "3:00")
	panetest.See(t, s.Line("333 333"), "Oldest", "tt/third ••0003", "2:00")
	s.SetSize(44, 8)
	panetest.See(t, s.Line("111 111"), "$25.00", "••0001", "4:00")
	s.Fits()
}

func TestAReplacedCodeSaysSo(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Codes = append(a.Codes, panetest.Code("3ds_d", "card_0001", "カフェ Newest", "444444", 0))
	a.Wait(time.Second)
	s, p := open(t, a, 100, 12)
	s.See("3 pending · 1 replaced")
	panetest.See(t, s.Line("111 111"), "replaced 广告/春 🚀 ••0001")
	if line := s.Line("111 111"); strings.Contains(line, "short") {
		t.Errorf("it is warned of a replaced code's amount: %s", line)
	}
	if got := p.Warning(); got != "$15 short" {
		t.Errorf("of the newest it warns: %q", got)
	}
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

func TestCodesThatWereNotReadSayWhy(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Silent = true
	a.Wait(0)
	s, p := open(t, a, 80, 10)
	s.See("loading codes…")
	if got := widget.Strip(p.Strip(60)); !strings.Contains(got, "codes: loading codes…") {
		t.Errorf("the strip: %q", got)
	}
	a = panetest.New(t)
	a.Wait(0)
	s, p = open(t, a, 80, 10)
	s.See("no pending codes")
	if got := widget.Strip(p.Strip(60)); !strings.Contains(got, " no pending codes") || len(p.Brief(30, 3)) != 3 {
		t.Errorf("the strip: %q", got)
	}
	a.Err = errors.New("cut")
	a.Wait(20 * time.Second)
	s.Look()
	s.See("no codes known, retrying", "STALE 20s")
	if got := widget.Strip(p.Strip(60)); !strings.Contains(got, "STALE 20s  no codes known") {
		t.Errorf("the strip: %q", got)
	}
}

func TestPrivateCodesShowNoDigitAndNoLabel(t *testing.T) {
	t.Parallel()
	s, p := open(t, account(t, panetest.Private), 100, 12)
	for _, drawn := range []string{s.Text(), panetest.Text([]string{p.Strip(100)}), panetest.Text(p.Brief(40, 3))} {
		panetest.See(t, drawn, "••• •••", "カフェ Newest") // Who asks for a code now is named all the same.
		for _, secret := range []string{"111", "广告", "0001", "$25", "$15"} {
			if strings.Contains(drawn, secret) {
				t.Errorf("%q is drawn:\n%s", secret, drawn)
			}
		}
	}
}

func TestTheKeysOfACode(t *testing.T) {
	t.Parallel()
	a := account(t)
	s, p := open(t, a, 100, 12)
	s.Asks(keymap.CopyThisCode, secrets.CopyCode{Challenge: "3ds_a"})
	s.Asks(keymap.Fund, state.Fund("card_0001", 15*api.Dollar))
	s.Asks(keymap.Down, nil)
	s.Asks(keymap.Freeze, state.Unfreeze("card_0002"))
	s.Asks(keymap.Inspect, state.InspectCard{Card: "card_0002"})

	// What comes in pushes the row down, and the cursor stays on its code.
	a.Codes = append(a.Codes, panetest.Code("3ds_d", "card_0003", "Fourth", "444444", 0))
	a.Wait(time.Second)
	s.Look()
	s.Asks(keymap.CopyThisCode, secrets.CopyCode{Challenge: "3ds_b"})
	// A code that ends takes its cursor along: no key acts on another in its place.
	a.Codes = append(a.Codes[:1:1], a.Codes[2:]...)
	a.Wait(time.Second)
	s.Look()
	s.Asks(keymap.CopyThisCode, secrets.CopyCode{Challenge: "3ds_b"})
	s.Act(keymap.First)
	s.Asks(keymap.CopyThisCode, secrets.CopyCode{Challenge: "3ds_d"})
	// Without the focus the newest is on top again, and under no key.
	s.View(false)
	if p.OnRow() || p.Card() != "" {
		t.Error("without the focus a key would act")
	}
}

func TestCodesThatEndedStayInSightForAWhile(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Codes[2].Status = api.ChallengeCompleted
	gone := a.Codes[2]
	a.Codes = a.Codes[:2]
	a.Wait(time.Second)
	gone.OTP = api.OTP{}
	a.Apply(codes.OneLoaded{Meta: a.Meta(), Item: gone})
	s, _ := open(t, a, 100, 12)
	s.See("2 Codes  2 pending")
	panetest.See(t, s.Line("カフェ Newest"), "✓ used", "$25.00", "广告/春 🚀 ••0001", "just now")
	s.SeeNot("111 111")
}

func TestTheStripNamesTheNewestCodeAtEveryWidth(t *testing.T) {
	t.Parallel()
	a := account(t)
	_, p := open(t, a, 100, 12)
	for _, c := range []struct {
		w    int
		want []string
	}{
		{100, []string{" 111 111", "4:00", "$25.00", "$15 short", "カフェ Newest", "广告/春 🚀 ••0001", "+2 more"}},
		{60, []string{" 111 111", "4:00", "$25.00", "$15 short", "••0001"}},
		{40, []string{" 111 111", "4:00", "$15 short", "••0001"}},
		{30, []string{" 111 111", "4:00", "!", "••0001"}},
	} {
		line := p.Strip(c.w)
		panetest.Rectangle(t, []string{line}, c.w, 1)
		panetest.See(t, widget.Strip(line), c.want...)
	}
	brief := p.Brief(30, 3)
	panetest.Rectangle(t, brief, 30, 3)
	panetest.See(t, panetest.Text(brief), " 111 111", "4:00 +2", "$25.00 カフェ Newest", "••0001")
}

func TestAnArmedCheckoutIsNamedInTheTitle(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Do(codes.Arm{Card: "card_0003"})
	s, _ := open(t, a, 100, 12)
	s.See("armed tt/third ••0003 ")
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
