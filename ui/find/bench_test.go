package find

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/settings"
)

// look looks for a text in one go.
func look(ix *Index, text string) []Item {
	ix.Ask(text)
	ix.Work(func() bool { return false })
	return ix.Found()
}

// crowd is a store with many cards and transactions.
func crowd(tb testing.TB, cards, txns int) *state.Store {
	tb.Helper()
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	s := state.New(settings.Config{Screen: &settings.Screen{}, Rand: func() float64 { return 0.5 }, NewKey: func() api.IdempotencyKey { return "key" }})
	snap := state.Snapshot{At: now, CardsAt: now, WalletAt: now, FeedAt: now, SeenTo: now}
	for i := range cards {
		snap.Cards.Add(cardlist.Card{
			ID: api.CardID(fmt.Sprintf("card_%06d", i)), Label: api.Text(fmt.Sprintf("%s/spring/camp-%06d", []string{"fb", "gg", "tt"}[i%3], i)), BIN: "420000",
			Last4: api.Text(fmt.Sprintf("%04d", i%10_000)), Status: api.CardActive, Balance: api.USD(i) * api.Dollar, CreatedAt: now,
		})
	}
	names := []string{"Meta Platforms", "Google Ads", "TikTok", "Amazon Web Services"}
	for i := range txns {
		snap.Transactions = append(snap.Transactions, api.Transaction{
			ID: api.TransactionID(fmt.Sprintf("txn_%06d", i)), CardID: api.CardID(fmt.Sprintf("card_%06d", i*4%max(cards, 1))), Type: api.TransactionSettlement,
			Amount: -api.USD(i) * api.Dollar / 8, CreatedAt: now.Add(-time.Duration(i) * time.Minute), Merchant: api.Merchant{Name: api.Text(fmt.Sprintf("%s %d", names[i%4], i%40))},
		})
	}
	s.Recall(snap)
	s.Tick(now)
	return s
}
