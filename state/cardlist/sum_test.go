package cardlist_test

import (
	"fmt"
	"hash/maphash"
	"testing"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
)

func TestASumIsThatOfAllRows(t *testing.T) {
	seed := maphash.MakeSeed()
	number := func(r *cardlist.Row) uint64 { return maphash.String(seed, fmt.Sprint(r.ID, r.Balance)) }
	rapid.Check(t, func(t *rapid.T) {
		table, last := cardlist.New(), 0
		var kept cardlist.Sum
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.IntRange(1, 600).Draw(t, "cards") {
					last++
					table.Add(cardlist.Card{ID: api.CardID(fmt.Sprint("card_", last))})
				}
			},
			"change": func(t *rapid.T) {
				if n := table.List().Len(); n > 0 {
					last++
					table.Change(rapid.IntRange(0, n-1).Draw(t, "row")).Balance = api.USD(last)
				}
			},
			"share": func(*rapid.T) { table.Share() },
			"remove": func(t *rapid.T) {
				every := rapid.IntRange(1, 5).Draw(t, "every")
				i := 0
				table.Filter(func(*cardlist.Row) bool { i++; return i%every != 0 })
			},
			"": func(t *rapid.T) {
				var anew cardlist.Sum
				if got, want := kept.Of(table.List(), number), anew.Of(table.List(), number); got != want || got == 0 && table.List().Len() > 0 {
					t.Fatalf("%d with what was kept, %d anew", got, want)
				}
			},
		})
	})
}
