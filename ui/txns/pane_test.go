package txns_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/settings"
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
