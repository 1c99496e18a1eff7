package state

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
)

// TestATableIsWhatASliceWouldBe adds, changes and lets go of cards at random,
// with shares of earlier times held beside it.
func TestATableIsWhatASliceWouldBe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			table  PackedCards
			places = newCardPlaces()
			want   []Card
			shares []PackedCards
			held   [][]Card
			last   int
		)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.IntRange(1, 2*blockRows).Draw(t, "cards") {
					last++
					c := Card{ID: api.CardID(fmt.Sprintf("card_%d", last)), Last4: api.Text(fmt.Sprint(last % 7)), CreatedAt: time.UnixMicro(int64(last)).UTC()}
					table.Add(c)
					places.add(&table)
					want = append(want, c)
				}
			},
			"change": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(want)-1).Draw(t, "row")
				last++
				table.own(i).balance, table.own(i).status = api.USD(last), wordOf(CardFrozen)
				want[i].Balance, want[i].Status = api.USD(last), CardFrozen
			},
			"share": func(*rapid.T) {
				shares, held = append(shares, table.share()), append(held, slices.Clone(want))
			},
			"let go": func(t *rapid.T) {
				every := rapid.IntRange(1, 5).Draw(t, "every")
				i := 0
				goes := func(id api.CardID) bool { i++; return i%every == 0 || id == "card_1" }
				table.keep(func(r *cardRow) bool { return !goes(r.id) })
				i = 0
				want = slices.DeleteFunc(want, func(c Card) bool { return goes(c.ID) })
				places.reset(&table)
			},
			"": func(t *rapid.T) {
				same(t, &table, want)
				for i := range shares {
					same(t, &shares[i], held[i])
				}
				for i, c := range want {
					if at, ok := places.find(&table, c.ID); !ok || at != i {
						t.Fatalf("%s is found in %d, %v", c.ID, at, ok)
					}
				}
				if _, ok := places.find(&table, "card_1x"); ok {
					t.Fatal("a card that there is not is found")
				}
			},
		})
	})
}

func same(t *rapid.T, table *PackedCards, want []Card) {
	t.Helper()
	if table.Len() != len(want) {
		t.Fatalf("%d cards of %d", table.Len(), len(want))
	}
	for i, c := range table.All() {
		if c != want[i] || table.ID(i) != c.ID || table.Last4(i) != c.Last4 {
			t.Fatalf("%d: %+v, wanted %+v", i, c, want[i])
		}
	}
}
