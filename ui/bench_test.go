package ui

import (
	"fmt"
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
	"github.com/cardtop/cardtop/ui/theme"
)

// BenchmarkKey is the program's own work for one press of the arrow key, the
// frame included: what a held key costs whatever the terminal does. The cursor moves
// among the rows in sight, or takes the list along.
func BenchmarkKey(b *testing.B) {
	for _, of := range []struct {
		name        string
		cards, span int
	}{{"1000/move", 1_000, 10}, {"1000/scroll", 1_000, 500}, {"100000/move", 100_000, 10}, {"100000/scroll", 100_000, 500}} {
		b.Run(of.name, func(b *testing.B) {
			a := crowded(b, of.cards)
			now := start()
			a.cfg.Now = func() time.Time { return now }
			down, up := tea.KeyPressMsg{Code: tea.KeyDown}, tea.KeyPressMsg{Code: tea.KeyUp}
			i := 0
			for b.Loop() {
				key := down
				if i/of.span%2 == 1 {
					key = up
				}
				i++
				now = now.Add(drawRest) // Each is drawn.
				a.Update(key)
				a.View()
			}
		})
	}
}

// crowded is a program with many cards and a past.
func crowded(tb testing.TB, n int, change ...func(*Config)) *App {
	tb.Helper()
	now := start()
	store := state.New(settings.Config{Screen: &settings.Screen{}, Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key" }})
	s := state.Snapshot{At: now, CardsAt: now, WalletAt: now, FeedAt: now, SeenTo: now, Wallet: api.Wallet{Balance: 3333 * api.Dollar}}
	for i := range n {
		s.Cards.Add(cardlist.Card{
			ID: api.CardID(fmt.Sprintf("card_%06d", i)), Label: api.Text(fmt.Sprintf("fb/spring/camp-%06d", i)), BIN: "420000", Network: "visa",
			Last4: api.Text(fmt.Sprintf("%04d", i%10_000)), Status: api.CardActive, Balance: api.USD(i) * api.Dollar, CreatedAt: now.Add(-time.Duration(i) * time.Minute),
		})
	}
	for i := range 1_000 {
		s.Transactions = append(s.Transactions, newTransaction(api.TransactionID(fmt.Sprintf("txn_%06d", i)), "Meta Platforms", now.Add(-time.Duration(i)*time.Minute)))
	}
	store.Recall(s)
	cfg := Config{Store: store, Effects: alone(&vault.Vault{}), Settings: Settings{Keys: keymap.New(keymap.Defaults()), Reloadable: settings.Reloadable{Theme: theme.Dark}}, Mode: Test, Now: start}
	for _, c := range change {
		c(&cfg)
	}
	a, err := New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	a.Update(tea.WindowSizeMsg{Width: 160, Height: 45})
	changed, _ := store.Tick(now)
	a.sync(changed | kernel.TopicClock)
	return a
}
