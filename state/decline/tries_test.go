package decline

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

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
