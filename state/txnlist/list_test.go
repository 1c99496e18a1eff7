package txnlist_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/txnlist"
)

func txn(second, id int) api.Transaction {
	return api.Transaction{ID: api.TransactionID(fmt.Sprintf("txn_%03d", id)), CreatedAt: time.Unix(int64(second), 0).UTC()}
}

func TestListMatchesASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			list txnlist.List
			want []api.Transaction
			id   int
		)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				from := rapid.IntRange(0, 1000).Draw(t, "from")
				var page []api.Transaction
				for range rapid.IntRange(0, 50).Draw(t, "rows") {
					id++
					page = append(page, txn(from+rapid.IntRange(0, 60).Draw(t, "second"), id))
				}
				slices.SortFunc(page, txnlist.Compare)
				list.Add(page)
				want = append(want, page...)
				slices.SortFunc(want, txnlist.Compare)
			},
			"drop": func(t *rapid.T) {
				n := rapid.IntRange(0, len(want)).Draw(t, "n")
				list.Drop(n)
				want = want[n:]
			},
			"": func(t *rapid.T) {
				if !slices.Equal(list.Rows(), want) {
					t.Fatalf("%d rows of %d, or in another order", len(list.Rows()), len(want))
				}
				for i, row := range want {
					if got, ok := list.Find(row); !ok || got != &list.Rows()[i] || txnlist.Position(list.Rows(), row) != i {
						t.Fatalf("%s is not found in %d, %v", row.ID, i, ok)
					}
				}
				if _, ok := list.Find(txn(2000, 0)); ok {
					t.Fatal("a row that there is not is found")
				}
			},
		})
	})
}

func TestMergeHasEachRowOnce(t *testing.T) {
	older, newer := txn(1, 1), txn(2, 2)
	settled := newer
	settled.Amount = 5
	got := txnlist.Merge(txnlist.NewestFirst([]api.Transaction{older, newer, newer}), []api.Transaction{settled, txn(0, 3)})
	if !slices.Equal(got, []api.Transaction{settled, older, txn(0, 3)}) {
		t.Errorf("%+v", got)
	}
}
