package engine_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/state/txns"
)

// past is an engine on a sandbox with so many transactions, and the time there. It
// is for a bubble of virtual time.
func past(t *testing.T, txns int) (*engine.Engine, time.Time) {
	t.Helper()
	const key = "sk_test_search"
	world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 7, APIKeys: []string{key}, Cards: 20, Transactions: txns, Quiet: true, NoLimits: true})
	must(t, err)
	t.Cleanup(func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	c, err := client.New(client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: world.Transport()})
	must(t, err)
	now := time.Now() //nolint:forbidigo // virtual time in a bubble
	return engine.New(engine.Config{Client: c, Journal: &ledger{service: &service{}}, Now: func() time.Time { return now }}), now
}

// TestASearchLeavesNothingOutThatItIsFor reads searches of the sandbox to their
// ends, and all of its past, which they are compared with.
func TestASearchLeavesNothingOutThatItIsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const list = 3000
		eng, now := past(t, list)
		read := func(f txns.FetchOlder) (rows []api.Transaction, pages int) {
			t.Helper()
			for more := true; more; {
				f.Page++
				ev, ok := eng.Run(t.Context(), f).(txns.OlderLoaded)
				if !ok {
					t.Fatalf("%+v is not answered", f)
				}
				rows, more = append(rows, ev.Items...), ev.More
			}
			return rows, f.Page
		}
		all, most := read(txns.FetchOlder{To: now})
		if len(all) < list {
			t.Fatalf("%d of %d", len(all), list)
		}
		card := all[len(all)/2].CardID
		for _, tt := range []struct {
			f     txns.FetchOlder
			match func(r *api.Transaction) bool
		}{
			{txns.FetchOlder{Search: txns.Search{Type: api.TransactionDecline}}, func(r *api.Transaction) bool { return r.Type == api.TransactionDecline }},
			{txns.FetchOlder{Search: txns.Search{Merchant: "snap"}}, func(r *api.Transaction) bool {
				return strings.Contains(strings.ToLower(string(r.Merchant.Name)), "snap")
			}},
			{txns.FetchOlder{Search: txns.Search{Card: card}}, func(r *api.Transaction) bool { return r.CardID == card }},
			{txns.FetchOlder{Search: txns.Search{Card: card, Max: 20 * api.Dollar}}, func(r *api.Transaction) bool {
				return r.CardID == card && max(r.Amount, -r.Amount) <= 20*api.Dollar
			}},
			{txns.FetchOlder{Search: txns.Search{Type: api.TransactionRefund, Min: 10 * api.Dollar, Max: 20 * api.Dollar}}, func(r *api.Transaction) bool {
				return r.Type == api.TransactionRefund && max(r.Amount, -r.Amount) >= 10*api.Dollar && max(r.Amount, -r.Amount) <= 20*api.Dollar
			}},
			{txns.FetchOlder{Search: txns.Search{Type: api.TransactionSettlement}, From: now.Add(-72 * time.Hour)}, func(r *api.Transaction) bool {
				return r.Type == api.TransactionSettlement && now.Sub(r.CreatedAt) < 72*time.Hour
			}},
		} {
			tt.f.To = now.Add(-time.Hour)
			rows, pages := read(tt.f)
			found := make(map[api.TransactionID]bool)
			for _, r := range rows {
				found[r.ID] = true
			}
			want := 0
			for i := range all {
				if r := &all[i]; !r.CreatedAt.After(tt.f.To) && tt.match(r) {
					if want++; !found[r.ID] {
						t.Errorf("%+v leaves out %+v", tt.f.Search, *r)
					}
				}
			}
			if want == 0 || pages > most/2 {
				t.Errorf("%+v: %d rows of %d pages for %d", tt.f, len(rows), pages, want)
			}
		}
	})
}
