package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/vault"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/state/wallets"
	"github.com/cardtop/cardtop/ui/theme"
)

// start is when the tests' programs do.
func start() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

// begun is a program that begins with what another knew four minutes ago, and
// the requests it sends first. It has a size, and no tick yet.
func begun(t *testing.T, changes ...func(*settings.Config)) (a *App, tick func() []kernel.Effect) {
	t.Helper()
	at := start().Add(-4 * time.Minute)
	know := settings.Config{Screen: &settings.Screen{}, Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key" }}
	for _, change := range changes {
		change(&know)
	}
	store := state.New(know)
	store.Recall(state.Snapshot{
		At: at, CardsAt: at, WalletAt: at, DepositsAt: at, FeedAt: at, SeenTo: at,
		Cards: cardlist.ListOf(
			cardlist.Card{ID: "card_1", Label: "aaa/first", Last4: "0001", Status: api.CardActive, Balance: 10 * api.Dollar},
			cardlist.Card{ID: "card_2", Label: "bbb/second", Last4: "0002", Status: api.CardActive, Balance: 222 * api.Dollar},
		),
		Wallet:       api.Wallet{Balance: 3333 * api.Dollar, PendingDeposits: new(44 * api.Dollar), CardsTotalBalance: new(555 * api.Dollar)},
		Deposits:     []api.Deposit{{ID: "dep_1", Status: api.DepositPending}, {ID: "dep_2", Currency: "eth", CreditedUSD: new(66 * api.Dollar), Status: api.DepositConfirmed, CreatedAt: at}},
		Transactions: []api.Transaction{newTransaction("txn_1", "Acme", at), newTransaction("txn_2", "Newest", at.Add(time.Second))},
	})
	a, err := New(Config{Store: store, Effects: alone(&vault.Vault{}), Settings: Settings{Keys: keymap.New(keymap.Defaults()), Reloadable: settings.Reloadable{Theme: theme.Dark}}, Mode: Test, Now: start})
	if err != nil {
		t.Fatal(err)
	}
	a.Update(tea.WindowSizeMsg{Width: 160, Height: 45})
	return a, func() []kernel.Effect {
		changed, effects := store.Tick(start())
		a.sync(changed | kernel.TopicClock)
		return effects
	}
}

func newTransaction(id api.TransactionID, merchant api.Text, at time.Time) api.Transaction {
	return api.Transaction{ID: id, CardID: "card_2", Type: api.TransactionSettlement, Amount: -7 * api.Dollar, Merchant: api.Merchant{Name: merchant}, CreatedAt: at}
}

// styleOf gives the style a text has where it is first drawn.
func styleOf(t *testing.T, a *App, text string) theme.Style {
	t.Helper()
	frame := content(a)
	at := strings.Index(frame, text)
	if at < 0 {
		t.Fatalf("%q is not drawn:\n%s", text, frame)
	}
	before := frame[:at]
	from := strings.LastIndex(before, "\x1b[")
	return before[from : from+strings.IndexByte(before[from:], 'm')+1]
}

func TestWhatIsCachedIsDrawnFaintUntilItIsRead(t *testing.T) {
	t.Parallel()
	a, tick := begun(t)
	effects := tick()
	faint := func(want bool, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := styleOf(t, a, text) == a.theme.Faint; got != want {
				t.Errorf("%q is faint: %v", text, got)
			}
		}
	}
	cards, feed := []string{"bbb/second", "222.00"}, []string{"Acme"}
	wallet, deposits := []string{"$3,333.00", "+$44.00", "$555.00"}, []string{"$66.00", "✓ eth"}
	faint(true, cards...)
	faint(true, feed...)
	faint(true, wallet...)
	faint(true, deposits...)

	m := kernel.Meta{Sent: start(), At: start()}
	for _, e := range effects {
		switch e := e.(type) {
		case wallets.Fetch:
			a.Update(eventMsg{Event: wallets.Loaded{Fetch: e, Meta: m, Wallet: api.Wallet{Balance: 3333 * api.Dollar, PendingDeposits: new(44 * api.Dollar), CardsTotalBalance: new(555 * api.Dollar)}}})
			faint(false, wallet...)
			faint(true, append(feed, deposits...)...)
		case wallets.FetchDeposits:
			a.Update(eventMsg{Event: wallets.DepositsLoaded{FetchDeposits: e, Meta: m, Items: a.store.Wallets.Deposits()}})
			faint(false, deposits...)
		case txns.Fetch:
			a.Update(eventMsg{Event: txns.Loaded{Fetch: e, Meta: m}})
			faint(false, feed...)
		case state.FetchCards:
			a.Update(eventMsg{Event: state.CardsLoaded{FetchCards: e, Meta: m, Total: 2, TotalPages: 1, Items: []api.CardItem{
				{ID: "card_1", Label: "aaa/first", Status: api.CardActive},
				{ID: "card_2", Label: "bbb/second", Status: api.CardActive, Balance: 222 * api.Dollar},
			}}})
			faint(false, cards...)
		default:
		}
	}
	if frame := content(a); strings.Contains(frame, "cached") {
		t.Errorf("still marked:\n%s", frame)
	}
}

// content is what is on the screen, as one text.
func content(a *App) string { return strings.Join(a.Frame().Lines, "\n") }
