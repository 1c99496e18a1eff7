package decline

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

// In whatever order the pages come, the log has the storms that all declines together
// have.
func TestTheLogHasTheStormsOfAllPages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []api.Transaction
		var tries []Try
		for i := range rapid.IntRange(0, 40).Draw(t, "declines") {
			d := api.Transaction{
				ID: api.TransactionID(fmt.Sprintf("txn_%02d", i)), Type: api.TransactionDecline,
				CardID:    rapid.SampledFrom([]api.CardID{"card_1", "card_2"}).Draw(t, "card"),
				Merchant:  api.Merchant{Name: rapid.SampledFrom([]api.Text{"Google", "GOOGLE", "Meta"}).Draw(t, "merchant")},
				CreatedAt: time.Unix(1_800_000_000, 0).UTC().Add(time.Duration(rapid.IntRange(0, 120).Draw(t, "minute")) * time.Minute),
			}
			all = append(all, d)
			tries = append(tries, Try{ID: d.ID, Card: d.CardID, Merchant: d.Merchant.Name, At: d.CreatedAt})
		}
		var l Log
		for page := range slices.Chunk(rapid.Permutation(all).Draw(t, "order"), 7) {
			l.Add(page)
			l.Add(page) // A page may be read twice.
		}
		want := make(map[api.TransactionID][]api.TransactionID)
		for _, s := range Storms(tries) {
			for _, t := range s.Tries {
				want[t.ID] = ids(s.Tries)
			}
		}
		for _, d := range all {
			var got []api.TransactionID
			if s := l.Storm(d.ID); s != nil {
				got = ids(s.Tries)
				if s.Card != d.CardID {
					t.Fatalf("%s of %s is in a storm of %s", d.ID, d.CardID, s.Card)
				}
			}
			if !slices.Equal(got, want[d.ID]) {
				t.Fatalf("%s is in a storm of %v, want %v", d.ID, got, want[d.ID])
			}
		}
	})
}

func ids(tries []Try) (out []api.TransactionID) {
	for _, t := range tries {
		out = append(out, t.ID)
	}
	return out
}

// Of many declines the newest are kept, with the storms that they still are.
func TestTheOlderHalfIsForgotten(t *testing.T) {
	start := time.Unix(1_800_000_000, 0).UTC()
	var page []api.Transaction
	for i := range triesKept + 1 {
		page = append(page, api.Transaction{
			ID: api.TransactionID(fmt.Sprintf("txn_%05d", i)), Type: api.TransactionDecline, CardID: api.CardID(fmt.Sprintf("card_%d", i/4)),
			Merchant: api.Merchant{Name: "Meta"}, CreatedAt: start.Add(time.Duration(i) * time.Second),
		})
	}
	var l Log
	l.Add(page)
	if got := len(l.tries.rows); got != triesKept/2 {
		t.Errorf("%d are kept, want %d", got, triesKept/2)
	}
	if s := l.Storm(page[0].ID); s != nil {
		t.Errorf("the oldest is in a storm of %d", len(s.Tries))
	}
	if s := l.Storm(page[triesKept-1].ID); s == nil || len(s.Tries) != 4 {
		t.Errorf("the newest are in the storm %v, want one of 4", s)
	}
}
