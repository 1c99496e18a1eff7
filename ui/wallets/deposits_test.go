package wallets_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/settings"
	people "github.com/cardtop/cardtop/state/team"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	walletsui "github.com/cardtop/cardtop/ui/wallets"
)

const (
	address = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh"
	hash    = "0x9f8e7d6c5b4a39281706f5e4d3c2b1a0"
)

func depositAccount(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := panetest.New(t, changes...)
	a.Addresses = api.DepositAddresses{
		Addresses:  map[api.Currency]api.Text{"btc": address},
		Networks:   map[api.Currency]api.Text{"btc": "bitcoin"},
		MinDeposit: map[api.Currency]api.Crypto{"btc": "0.0005"},
	}
	a.Deposits = []api.Deposit{
		{ID: "dep_3", Currency: "btc", AmountCrypto: "0.0001", AmountUSD: new(9 * api.Dollar), Status: api.DepositPending, CreatedAt: panetest.At(-time.Minute)},
		{ID: "dep_2", Currency: "btc", AmountCrypto: "0.01", AmountUSD: new(900 * api.Dollar), FeeUSD: new(2 * api.Dollar), Status: api.DepositPending, Confirmations: new(1), TxHash: hash, CreatedAt: panetest.At(-2 * time.Minute)},
		{ID: "dep_1", Currency: "btc", AmountCrypto: "0.02", CreditedUSD: new(1777 * api.Dollar), Status: api.DepositConfirmed, Confirmations: new(3), CreatedAt: panetest.At(-time.Hour), ConfirmedAt: panetest.At(-30 * time.Minute)},
		{ID: "dep_0", Currency: "eth", AmountCrypto: "1", Status: api.DepositExpired, CreatedAt: panetest.At(-26 * time.Hour)},
	}
	return a
}

func openDeposits(t *testing.T, a *panetest.Account, w, h int) *panetest.Screen {
	t.Helper()
	return panetest.Open(t, a, walletsui.NewDeposits(panetest.Theme(t), panetest.Keys()), w, h)
}

func loaded(t *testing.T, changes ...func(*settings.Config)) *panetest.Account {
	t.Helper()
	a := depositAccount(t, changes...)
	a.Wait(0)
	a.Do(wallets.LoadAddresses{})
	return a
}

func TestTheDetailTellsTheStoryOfADeposit(t *testing.T) {
	t.Parallel()
	s := openDeposits(t, loaded(t), 120, 20)
	s.Act(keymap.Down)
	s.See("hash "+hash, "1 confirmation · minimum 0.0005 BTC · dep_2")
	s.Act(keymap.Down)
	s.See("0.02 BTC · seen", "· confirmed ", "3 confirmations")
	s.Act(keymap.Down)
	s.See("expired, not credited")
	s.SetSize(120, 9)
	s.See("1 ETH · no transaction hash yet")
}

func TestDepositsThatWereNotReadSayWhy(t *testing.T) {
	t.Parallel()
	a := depositAccount(t)
	a.Silent = true
	a.Wait(0)
	s := openDeposits(t, a, 100, 20)
	s.See("1 Deposits  not read yet", "loading deposits…", "loading addresses…")
	a = depositAccount(t)
	a.Err = errors.New("no answer in time")
	a.Wait(0)
	a.Do(wallets.LoadAddresses{})
	s = openDeposits(t, a, 100, 20)
	s.See("deposits not loaded: ", ", retrying", "no addresses, enter retries: ")
	a = panetest.New(t)
	a.Wait(0)
	openDeposits(t, a, 100, 20).See("1 Deposits  0", "no deposits yet: enter shows where to send one")
	a.Apply(state.HubJoined{Meta: a.Meta(), You: people.You{Name: "lea", Role: people.Lead}})
	s = openDeposits(t, a, 100, 20)
	s.See("your role, lead, may not read deposits")
	s.SeeNot("no deposits yet")
}

func TestPrivateDepositsShowNoFigureAndNoAddress(t *testing.T) {
	t.Parallel()
	s := openDeposits(t, loaded(t, panetest.Private), 140, 20)
	s.Act(keymap.Down)
	s.See("1 Deposits  4 · 2 pending", "hash •••")
	s.SeeNot("900", "1,777", "0.01", "bc1q", "0x9f8e")
}

// TestAChangedAddressIsToldOnTheSmallestScreen changes the address that was
// seen before.
func TestAChangedAddressIsToldOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	a := loaded(t)
	a.Addresses.Addresses = map[api.Currency]api.Text{"btc": "bc1qother00000000000000000000000000000000000"}
	a.Wait(time.Hour)
	a.Do(wallets.LoadAddresses{})
	s := openDeposits(t, a, 60, 8)
	s.See("BTC ADDRESS CHANGED", "check it before sending: enter")
}

func TestTheKeysOfADeposit(t *testing.T) {
	t.Parallel()
	a := loaded(t)
	s := openDeposits(t, a, 120, 20)
	s.Asks(keymap.ShowAddress, wallets.ShowAddress{Currency: "btc"})
	s.Asks(keymap.CopyHash, secrets.CopyText{What: "transaction hash"})
	s.Act(keymap.Down)
	s.Asks(keymap.CopyHash, secrets.CopyText{What: "transaction hash", Text: hash})
	s.Exports(keymap.Export, "2026-03-01T11:59:00Z", "2026-03-01T11:58:00Z", "2026-03-01T11:00:00Z", "2026-02-28T10:00:00Z")
	s.Asks(keymap.Freeze, nil)

	// The cursor stays on its deposit when another comes in.
	a.Deposits = append([]api.Deposit{{ID: "dep_4", Currency: "sol", Status: api.DepositPending, CreatedAt: panetest.At(time.Minute)}}, a.Deposits...)
	a.Wait(2 * time.Minute)
	s.Look()
	s.Asks(keymap.CopyHash, secrets.CopyText{What: "transaction hash", Text: hash})
	// On the first row it follows what comes in.
	s.Act(keymap.First)
	a.Deposits = append([]api.Deposit{{ID: "dep_5", Currency: "ltc", Status: api.DepositPending, CreatedAt: panetest.At(3 * time.Minute)}}, a.Deposits...)
	a.Wait(2 * time.Minute)
	s.Look()
	s.Asks(keymap.ShowAddress, wallets.ShowAddress{Currency: "ltc"})
}
