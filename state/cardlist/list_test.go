package cardlist_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/cardlist"
)

func TestTableMatchesASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			table  = cardlist.New()
			want   []cardlist.Card
			shares []cardlist.List
			held   [][]cardlist.Card
			last   int
		)
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				for range rapid.IntRange(1, 512).Draw(t, "cards") {
					last++
					c := cardlist.Card{ID: api.CardID(fmt.Sprintf("card_%d", last)), Last4: api.Text(fmt.Sprint(last % 7)), CreatedAt: time.UnixMicro(int64(last)).UTC()}
					table.Add(c)
					want = append(want, c)
				}
			},
			"change": func(t *rapid.T) {
				if len(want) == 0 {
					t.Skip()
				}
				i := rapid.IntRange(0, len(want)-1).Draw(t, "row")
				last++
				r := table.Change(i)
				r.Balance = api.USD(last)
				r.SetStatus(api.CardFrozen)
				want[i].Balance, want[i].Status = api.USD(last), api.CardFrozen
			},
			"share": func(*rapid.T) {
				shares, held = append(shares, table.Share()), append(held, slices.Clone(want))
			},
			"remove": func(t *rapid.T) {
				every := rapid.IntRange(1, 5).Draw(t, "every")
				i := 0
				goes := func(id api.CardID) bool { i++; return i%every == 0 || id == "card_1" }
				table.Filter(func(r *cardlist.Row) bool { return !goes(r.ID) })
				i = 0
				want = slices.DeleteFunc(want, func(c cardlist.Card) bool { return goes(c.ID) })
			},
			"": func(t *rapid.T) {
				same(t, table.List(), want)
				for i := range shares {
					same(t, &shares[i], held[i])
				}
				for i, c := range want {
					if at, ok := table.Place(c.ID); !ok || at != i {
						t.Fatalf("%s is found in %d, %v", c.ID, at, ok)
					}
				}
				if _, ok := table.Place("card_1x"); ok {
					t.Fatal("a card that there is not is found")
				}
			},
		})
	})
}

func same(t *rapid.T, list *cardlist.List, want []cardlist.Card) {
	t.Helper()
	if list.Len() != len(want) {
		t.Fatalf("%d cards of %d", list.Len(), len(want))
	}
	for i, c := range list.All() {
		if c != want[i] || list.ID(i) != c.ID || list.Last4(i) != c.Last4 || list.Status(i) != c.Status || list.Balance(i) != c.Balance {
			t.Fatalf("%d: %+v, wanted %+v", i, c, want[i])
		}
	}
}

func TestCardNameAndLimitUse(t *testing.T) {
	if got := (cardlist.Card{Label: "ads", Last4: "1234"}).Name(); got != "ads ••1234" {
		t.Error(got)
	}
	if got := cardlist.Name("", "1234"); got != "••1234" {
		t.Error(got)
	}
	for _, tt := range []struct {
		month, limit api.USD
		use          int
		known        bool
	}{{0, 0, 0, true}, {5, 0, 0, false}, {50, 200, 25, true}, {300, 200, 150, true}} {
		c := cardlist.Card{Month: tt.month, Limit: tt.limit}
		if use, known := c.LimitUse(); use != tt.use || known != tt.known {
			t.Errorf("%+v: %d, %v", tt, use, known)
		}
	}
}

func TestLastDigits(t *testing.T) {
	for digits, want := range map[api.Text]api.Text{
		"": "", "4242": "4242", "123456": "123456", "12345678": "123…", "12é45678": "12…", "…………": "…" + "…", "a…………": "a…",
	} {
		l := cardlist.Last4Of(digits)
		if got := l.Text(); got != want {
			t.Errorf("%q is kept as %q, not %q", digits, got, want)
		}
		if got := string(l.Bytes()); got != string(want) {
			t.Errorf("the bytes of %q are %q", digits, got)
		}
	}
}
