package txns_test

import (
	"errors"
	"fmt"
	"strings"
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

// account has a settlement, a decline and twenty older settlements.
func account(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "広告/春 🚀", 100*api.Dollar)}
	declined := panetest.Settled("txn_b", "card_0001", "Meta", -900*api.Dollar, -2*time.Minute)
	declined.Type = api.TransactionDecline
	a.Txns = []api.Transaction{panetest.Settled("txn_a", "card_0001", "カフェ", -25*api.Dollar, -time.Minute), declined}
	for i := range 20 {
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_%02d", i)), "card_0001", "Older", -api.Dollar, -time.Duration(3+i)*time.Minute))
	}
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, txnsui.New(panetest.Theme(t)), w, h)
}

// arrives adds a transaction on top.
func arrives(a *panetest.Account, id api.TransactionID) {
	a.Txns = append([]api.Transaction{panetest.Settled(id, "card_0001", "New", -api.Dollar, 0)}, a.Txns...)
	a.Wait(10 * time.Second)
}

func TestTheFeedShowsWhatHappened(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 94, 14)
	s.See("3 Transactions  live", "every 3s")
	panetest.See(t, s.Line("カフェ"), "│▸", "✓ settled", "-25.00", "広告/春 🚀 ••0001", "US")
	panetest.See(t, s.Line("Meta"), "✗ declined", " 900.00")
	s.Fits()
}

func TestAFeedThatIsNotThereSaysWhy(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Silent = true
	a.Wait(0)
	open(t, a, 80, 12).See("3 Transactions  not read yet", "loading transactions…")
	a = account(t)
	a.Wait(2 * time.Second)
	a.Err = errors.New("cut")
	a.Wait(time.Minute)
	s := open(t, a, 80, 12)
	s.See("STALE 1m", "カフェ")
	s.SeeNot("live")
	a = panetest.New(t)
	a.Wait(2 * time.Second)
	open(t, a, 80, 12).See("no transactions yet")
}

func TestAPrivateFeedShowsNoFigureMerchantOrLabel(t *testing.T) {
	t.Parallel()
	a := account(t, panetest.Private)
	a.Wait(2 * time.Second)
	s := open(t, a, 90, 14)
	s.See("✓ settled", "card 1", "•••")
	s.SeeNot("カフェ", "Meta", "25.00", "900", "広告", "0001")
}

func TestTheKeysOfATransaction(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 90, 14)
	s.Asks(keymap.Freeze, state.Freeze("card_0001"))
	s.Act(keymap.Down)
	arrives(a, "txn_new")
	s.Look()
	panetest.See(t, s.Line("│▸"), "Meta")
	in, ok := s.Act(keymap.OpenTransaction)[0].(txns.Inspect)
	if !ok || in.Transaction != "txn_b" || len(in.Among) != 23 || in.Among[0] != "txn_new" {
		t.Errorf("opens %+v", in)
	}
	s.Filter("type=declined")
	s.See("Meta")
	s.SeeNot("カフェ")
}

func TestTheFeedSaysThatItStandsStill(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 90, 8)
	s.Act(keymap.PageDown)
	s.Act(keymap.PageDown)
	s.See("paused, g: live")
	s.Act(keymap.First)
	s.See("live")
	s.SeeNot("paused")
	s.Asks(keymap.Pause, nil)
	arrives(a, "txn_new")
	s.Look()
	s.See("paused +1 waiting")
	s.SeeNot("New")
	s.Asks(keymap.Pause, nil)
	s.See("New", "live")
	s.Asks(keymap.Pause, nil)
	arrives(a, "txn_newer")
	s.Look()
	s.See("paused +1 waiting")
	s.Act(keymap.First)
	s.See("live")
	s.SeeNot("paused", "waiting")
}

func TestTheFootSaysWhatOlderResultsAreFilteredBy(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 120, 14)
	s.Filter("type=declined age>1m")
	for _, in := range s.Act(keymap.Last) {
		a.Do(in)
	}
	s.Look()
	s.See("older results filtered by type, age")
}

func TestAWordFindsAmounts(t *testing.T) {
	t.Parallel()
	a := account(t)
	a.Txns[0].Amount = -1_234_56 * api.Cent
	a.Wait(2 * time.Second)
	for _, word := range []string{"1,234.5", "1234.56"} {
		s := open(t, a, 120, 14)
		s.Filter(word)
		s.See("カフェ")
		s.SeeNot("Meta", "Older")
	}
}

// TestMerchantsAndCardsHaveTheRoomThatTheyNeed before a cell is spent on what needs none.
func TestMerchantsAndCardsHaveTheRoomThatTheyNeed(t *testing.T) {
	t.Parallel()
	for _, w := range []int{89, 94, 100, 140} {
		a := account(t)
		a.Cards = []api.CardItem{panetest.Card("card_0001", "tt/retarget/06", 100*api.Dollar)}
		for i := range a.Txns {
			a.Txns[i].Merchant.Name = "Meta Platforms Ireland"
		}
		a.Wait(2 * time.Second)
		s := open(t, a, w, 14)
		panetest.See(t, s.Line("✗"), "Meta Platforms Ireland", "tt/retarget/06 ••0001")
		s.SeeNot("…")
	}
}

// TestColumnsStayWhereTheyAreWhileTheListScrolls from rows of today to declines with their causes, storms and long
// names of other days: the width of the feed alone decides where a column is and what is in it.
func TestColumnsStayWhereTheyAreWhileTheListScrolls(t *testing.T) {
	t.Parallel()
	a := retrying(t)
	a.Cards = append(a.Cards, panetest.Card("card_0002", "gg/video/geo-de/07", 50*api.Dollar))
	today := a.Txns
	a.Txns = nil
	for i := range 30 {
		a.Txns = append(a.Txns, panetest.Settled(api.TransactionID(fmt.Sprintf("txn_t%02d", i)), "card_0001", "Meta", -api.Dollar, -time.Duration(i)*time.Second))
	}
	a.Txns = append(a.Txns, today...)
	for i := range 30 {
		old := panetest.Settled(api.TransactionID(fmt.Sprintf("txn_o%02d", i)), "card_0002", "Meta Platforms Ireland", -25*api.Dollar, -time.Duration(20+i)*time.Hour)
		if i%3 == 0 {
			old.Type, old.BalanceAfter = api.TransactionDecline, new(3*api.Dollar)
		}
		a.Txns = append(a.Txns, old)
	}
	a.Wait(2 * time.Second)
	for w, want := range map[int]string{60: "✗ declined", 84: "✗ balance too low?", 100: "✗ balance too low?", 140: "likely balance too low"} {
		s := open(t, a, w, 14)
		titles := func() string { return strings.TrimRight(s.Line("amount"), "│┃") } // Where the thumb stands.
		head, causes := titles(), 0
		for range 12 {
			if got := titles(); got != head {
				t.Errorf("%d cells: the columns are\n%s\nand below\n%s", w, head, got)
			}
			for line := range strings.SplitSeq(s.Text(), "\n") {
				if strings.Contains(line, "✗") && !strings.Contains(line, "×") {
					causes++
					panetest.See(t, line, want)
				}
			}
			if w >= 100 {
				s.SeeNot("…")
			}
			s.Act(keymap.PageDown)
		}
		if causes == 0 {
			t.Errorf("%d cells: no decline was in sight", w)
		}
	}
}
