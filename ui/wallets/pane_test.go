package wallets_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	walletsui "github.com/cardtop/cardtop/ui/wallets"
)

// account is one with 1,000 USD and two deposits.
func account(t *testing.T, private bool, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	if private {
		changes = append(changes, panetest.Private)
	}
	a := panetest.New(t, changes...)
	a.Wallet = api.Wallet{
		Balance: 1000 * api.Dollar, PendingDeposits: new(44 * api.Dollar), CardsTotalBalance: new(555 * api.Dollar),
		CardsActive: new(7), TotalDeposited: new(3333 * api.Dollar),
	}
	a.Deposits = []api.Deposit{
		{ID: "dep_2", Currency: "btc", AmountCrypto: "0.00123456", AmountUSD: new(44 * api.Dollar), Status: api.DepositPending, Confirmations: new(2), CreatedAt: panetest.At(-3 * time.Minute)},
		{ID: "dep_1", Currency: "usdt", AmountCrypto: "66.5", CreditedUSD: new(66 * api.Dollar), Status: api.DepositConfirmed, CreatedAt: panetest.At(-time.Hour)},
	}
	return a
}

func open(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, walletsui.New(panetest.Theme(t), panetest.Keys()), w, h)
}

func TestTheWalletShowsItsSumsAndDeposits(t *testing.T) {
	t.Parallel()
	a := account(t, false)
	a.Cards = []api.CardItem{panetest.Card("card_1", "fb/1", 0)} // The wallet counts seven.
	a.Wait(0)
	s := open(t, a, 80, 12)
	s.See("4 Wallet", " balance $1,000.00  +$44.00 pending", " on cards $555.00 · 1 active", " deposited $3,333.00  spent unknown", "every 10s")
	panetest.See(t, s.Line("btc"), "◌ btc", "0.00123456", "$44.00", "pending 2 conf", "3m")
	panetest.See(t, s.Line("usdt"), "✓ usdt", "66.5", "$66.00", "confirmed", "1h")
	s.SetSize(40, 5)
	s.See("balance $1,000.00")
	s.SeeNot("on cards")
	s.Fits()
}

func TestTheWalletsKeysMoveTheCursorOnly(t *testing.T) {
	t.Parallel()
	a := account(t, false)
	a.Wait(0)
	s := open(t, a, 80, 12)
	onRow := func(want string) {
		t.Helper()
		if line := s.Line("│▸"); line != s.Line(want) {
			t.Errorf("the cursor is on %q, not on %s", line, want)
		}
	}
	onRow("btc")
	s.Asks(keymap.Down, nil)
	onRow("usdt")
	s.Asks(keymap.Freeze, nil)
	s.Asks(keymap.Inspect, nil)
	s.Asks(keymap.First, nil)
	onRow("btc")
	rows, ok := s.Pane.(interface{ RowAt(y int) bool })
	if !ok || rows.RowAt(3) || !rows.RowAt(4) || !rows.RowAt(5) || rows.RowAt(6) {
		t.Error("the rows are not on lines 4 and 5")
	}
	if s.Click(5, 5); s.Line("│▸") != s.Line("usdt") {
		t.Error("a click does not put the cursor on a row")
	}
}

// TestTheWalletSaysHowLongItLasts where that is known and not hidden.
func TestTheWalletSaysHowLongItLasts(t *testing.T) {
	t.Parallel()
	for _, private := range []bool{false, true} {
		a := account(t, private)
		a.Cards = []api.CardItem{panetest.Card("card_0001", "fb/a", 200*api.Dollar)}
		a.Wait(2 * time.Second)
		s := open(t, a, 80, 12)
		s.SeeNot("lasts")
		for i := range 23 {
			a.Txns = append(a.Txns, panetest.Settled(api.TransactionID("txn_"+string(rune('a'+i))), "card_0001", "Meta", -10*api.Dollar, -time.Duration(i)*time.Hour-30*time.Minute))
		}
		a.Wait(10 * time.Second)
		s.Sync(a.Store, kernel.TopicSpend)
		if private {
			s.SeeNot("lasts", "5.0 d")
			continue
		}
		panetest.See(t, s.Line(" balance "), "lasts 5.1 d (")
		a.Wallet.Balance = 40 * api.Dollar
		a.Wait(time.Minute)
		s.Look()
		panetest.See(t, s.Line(" balance "), "lasts 1.0 d (")
		s.SetSize(40, 12) // Where it has no room it is not cut.
		panetest.See(t, s.Line(" balance "), "pending ")
		s.SeeNot("lasts")
		s.SetSize(80, 12)
		a.Err = errors.New("cut")
		a.Wait(5 * time.Hour) // What was spent meanwhile is not known.
		s.Look()
		panetest.See(t, s.Line(" balance "), "lasts 1.0 d (")
	}
}

// TestTheWalletSaysHowLongItLastsAlone as cards are funded, where the history tells.
func TestTheWalletSaysHowLongItLastsAlone(t *testing.T) {
	t.Parallel()
	a := account(t, false, func(c *settings.Config) { c.FindFundings = true })
	for i := range 24 {
		a.Past = append(a.Past, state.Record{
			At: panetest.At(-time.Duration(i)*time.Hour - 30*time.Minute), Key: api.IdempotencyKey(fmt.Sprint("past-", i)),
			Action: "fund", Amount: 50 * api.Dollar, Outcome: state.OpStatusDone,
		})
	}
	a.Wallet.Balance = 600 * api.Dollar
	a.Wait(2 * time.Second)
	s := open(t, a, 80, 12)
	panetest.See(t, s.Line(" on cards "), "wallet alone lasts 12 h (")
	s.SetSize(40, 12)
	s.SeeNot("alone")
}
