package txns_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// retrying has five retries a minute apart, of which the card has 3 USD, between two
// settlements.
func retrying(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := account(t, changes...)
	a.Txns = []api.Transaction{panetest.Settled("txn_z", "card_0001", "Last", -api.Dollar, -time.Second)}
	for i := range 5 {
		a.Txns = append(a.Txns, retry(fmt.Sprintf("txn_r%d", i), -time.Duration(2+i)*time.Minute))
	}
	a.Txns = append(a.Txns, panetest.Settled("txn_a", "card_0001", "First", -api.Dollar, -time.Hour))
	return a
}

func retry(id string, at time.Duration) api.Transaction {
	t := panetest.Settled(api.TransactionID(id), "card_0001", "Meta", 25*api.Dollar, at)
	t.Type, t.BalanceAfter = api.TransactionDecline, new(3*api.Dollar)
	return t
}

// folds is what the pane says that enter does to the row under the cursor.
func folds(t *testing.T, s *panetest.Screen) string {
	t.Helper()
	f, ok := s.Pane.(pane.Folder)
	if !ok {
		t.Fatal("the pane does not say what enter does")
	}
	return f.Folds()
}

func TestAStormOfRetriesIsOneRowThatOpens(t *testing.T) {
	t.Parallel()
	a := retrying(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 120, 14)
	panetest.See(t, s.Line("Meta"), "✗ declined ×5", "likely balance too low · $22 short")
	if n := strings.Count(s.Text(), "Meta"); n != 1 {
		t.Errorf("%d rows", n)
	}
	s.Act(keymap.Down)
	panetest.See(t, s.Line("│▸"), "×5")
	if does := folds(t, s); does != "unfold" {
		t.Errorf("enter is said to %q a storm", does)
	}
	// Another retry comes: the cursor stays on the storm.
	a.Txns = append([]api.Transaction{retry("txn_r9", -30*time.Second)}, a.Txns...)
	a.Wait(10 * time.Second)
	s.Look()
	panetest.See(t, s.Line("│▸"), "×6")
	s.Asks(keymap.Freeze, state.Freeze("card_0001"))
	s.Asks(keymap.OpenTransaction, nil)
	if n := strings.Count(s.Text(), "Meta"); n != 6 {
		t.Errorf("%d rows when it is open", n)
	}
	if does := folds(t, s); does != "" {
		t.Errorf("enter is said to %q a decline", does)
	}
	in, ok := s.Act(keymap.OpenTransaction)[0].(txns.Inspect)
	if !ok || in.Transaction != "txn_r9" || len(in.Among) != 8 {
		t.Errorf("opens %+v", in)
	}
	s.Asks(keymap.Back, nil)
	s.See("×6")
	s.Fits()
}

func TestAnExportHasEveryRowOfAStorm(t *testing.T) {
	t.Parallel()
	a := retrying(t)
	a.Wait(2 * time.Second)
	s := open(t, a, 120, 14)
	in, ok := s.Act(keymap.Export)[0].(pane.ExportRows)
	if !ok || in.Rows.N != 7 {
		t.Errorf("writes %d rows", in.Rows.N)
	}
	// A filter leaves those of a storm that match, too few for one row.
	s.Filter("type=declined age<4m")
	if n := strings.Count(s.Text(), "✗ declined"); n != 2 {
		t.Errorf("%d rows match", n)
	}
	s.SeeNot("×")
}

func TestAPrivateFeedHidesWhatABalanceIsShortOf(t *testing.T) {
	t.Parallel()
	a := retrying(t, panetest.Private)
	a.Wait(2 * time.Second)
	s := open(t, a, 120, 14)
	s.See("likely balance too low")
	s.SeeNot("22")
}

func TestWithoutRoomForAColumnADeclineIsCalledByItsCause(t *testing.T) {
	t.Parallel()
	a := retrying(t)
	a.Wait(2 * time.Second)
	for width, want := range map[int]string{120: "✗ declined ×5", 100: "✗ balance too low? ×5", 50: "✗ decl… ×5"} {
		s := open(t, a, width, 14)
		panetest.See(t, s.Line("×5"), want)
		s.Fits()
	}
}

func TestAmountsTakeNoMoreCellsThanTheyNeed(t *testing.T) {
	t.Parallel()
	a := retrying(t)
	a.Cards = []api.CardItem{panetest.Card("card_0001", "tt/retarget/02", 100*api.Dollar)}
	a.Txns[0].Merchant.Name = "Meta Platforms Ireland Limited"
	a.Wait(2 * time.Second)
	s := open(t, a, 84, 14)
	panetest.See(t, s.Line("Meta P"), "  tt/retarget/02 ••0001│")
	s.Fits()
	// A long amount is never cut.
	a.Txns[0].Amount = -1_234_567_89 * api.Cent
	a.Txns[0].ID = "txn_zz"
	a.Wait(10 * time.Second)
	s = open(t, a, 60, 14)
	panetest.See(t, s.Line("Meta P"), " -1,234,567.89 ")
	s.Fits()
	// Nor is one whose hold, which has no sign, was seen before.
	hold := panetest.Settled("txn_zy", "card_0001", "Google", 10_000*api.Dollar, -3*time.Second)
	hold.Type = api.TransactionAuthorization
	a = account(t)
	a.Txns = []api.Transaction{hold}
	a.Wait(2 * time.Second)
	s = open(t, a, 60, 14)
	a.Txns = append([]api.Transaction{panetest.Settled("txn_zz", "card_0001", "Google", -10_000*api.Dollar, -time.Second)}, a.Txns...)
	a.Wait(10 * time.Second)
	s.Look()
	panetest.See(t, s.Line("settled"), "-10,000.00 ")
}
