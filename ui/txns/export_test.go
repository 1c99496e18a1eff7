package txns

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/storage/export"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/theme"
)

// full is a feed of n transactions on a hundred cards, a second apart.
func full(tb testing.TB, n int) *Pane {
	tb.Helper()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var cards []cardlist.Card
	for i := range 100 {
		cards = append(cards, cardlist.Card{ID: api.CardID(fmt.Sprintf("card_%03d", i)), Label: api.Text(fmt.Sprintf("fb/spring/%03d", i)), Last4: "2039"})
	}
	var rows []api.Transaction
	for i := range n {
		rows = append(rows, api.Transaction{
			ID: api.TransactionID(fmt.Sprintf("txn_%06d", i)), CardID: cards[i%len(cards)].ID, Type: api.TransactionSettlement, Amount: -1250 * api.Cent, Currency: "USD",
			Merchant:  api.Merchant{Name: "Meta Platforms", Category: "advertising", MCC: "7311", Country: "US"},
			CreatedAt: now.Add(time.Duration(i-n) * time.Second),
		})
	}
	s := state.New(settings.Config{Screen: &settings.Screen{}, NewKey: func() api.IdempotencyKey { return "k" }, Rand: func() float64 { return 0.5 }, Only: []poll.Lane{poll.History}})
	s.Recall(state.Snapshot{At: now, Cards: cardlist.ListOf(cards...), CardsAt: now})
	for _, at := range []time.Time{now, now.Add(time.Second), now.Add(2 * time.Second)} {
		_, effects := s.Tick(at)
		for _, e := range effects {
			if f, ok := e.(txns.Fetch); ok {
				s.Apply(txns.Loaded{Fetch: f, Meta: kernel.Meta{Sent: at, At: at}, Items: rows})
			}
		}
	}
	th, err := theme.New(theme.Plain, 0)
	if err != nil {
		tb.Fatal(err)
	}
	p := New(&th)
	p.SetSize(80, 40)
	p.Sync(s, kernel.TopicAll)
	return p
}

// TestAnExportTellsWhichTransactionsTheyAre has what other programs need to join
// them, whatever the screen has room for, and what it shows more.
func TestAnExportTellsWhichTransactionsTheyAre(t *testing.T) {
	p := full(t, 3)
	want := []string{"id", "card_id", "label", "campaign", "last4", "type", "amount", "currency", "merchant", "mcc", "country", "time", "reason", "why", "what", "card"}
	if got := p.rows().Columns; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	p.SetSize(300, 40)
	var b strings.Builder
	if err := export.Write(&b, p.rows(), rows.CSV); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if !strings.HasPrefix(lines[0], strings.Join(want, ",")) || !strings.Contains(lines[0], ",date,") {
		t.Error(lines[0])
	}
	if want := "txn_000002,card_002,fb/spring/002,fb/spring,2039,settlement,-12.50,USD,Meta Platforms,7311,US,2026-03-01T11:59:59Z,,,settled,fb/spring/002 ••2039,"; !strings.HasPrefix(lines[1], want) {
		t.Errorf("%q, want %q", lines[1], want)
	}
}

// TestAnExportHasTheReasonsThatAreKnown of declines that were read in full.
func TestAnExportHasTheReasonsThatAreKnown(t *testing.T) {
	p := full(t, 3)
	row := *p.at(p.order[0])
	row.Type = api.TransactionDecline
	p.store.Apply(txns.OlderLoaded{Items: []api.Transaction{row}})
	detail := api.TransactionDetail{Transaction: row, DeclineReason: "insufficient_funds"}
	p.store.Apply(txns.OneLoaded{FetchOne: txns.FetchOne{Transaction: detail.ID}, Detail: detail})
	rows := p.rows()
	at := slices.Index(rows.Columns, "reason")
	if got := rows.Row(0)[at].Text + "|" + rows.Row(1)[at].Text; got != "insufficient_funds|" {
		t.Error(got)
	}
}
