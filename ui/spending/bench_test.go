package spending_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/spending"
)

// big is an account of 100,000 cards in 1,000 campaigns with 1,000,000
// transactions in 30 days.
func big(b *testing.B) *panetest.Account {
	b.Helper()
	const cards, transactions = 100_000, 1_000_000
	a := panetest.New(b)
	for i := range cards {
		c := panetest.Card(api.CardID(fmt.Sprintf("card_%08d", i)), api.Text(fmt.Sprintf("fb/campaign-%d/%d", i%1000, i)), api.USD(i%500)*api.Dollar)
		c.BIN = api.BINID(fmt.Sprint("bin_", i%20))
		a.Cards = append(a.Cards, c)
	}
	a.Wait(2 * time.Second)
	r := rand.New(rand.NewPCG(1, 2))
	l := a.Store.Spend.Ledger()
	for _, c := range a.Cards {
		l.Describe(c.ID, c.BIN, a.Store.Spend.Campaign(c.ID, c.Label))
	}
	for i := 0; i < transactions; i += 100 {
		page := make([]api.Transaction, 100)
		for at := range page {
			id := api.TransactionID(fmt.Sprintf("txn_%08d", i+at))
			page[at] = panetest.Settled(id, a.Cards[r.IntN(cards)].ID, api.Text(fmt.Sprint("Shop ", r.IntN(3000))), -api.USD(r.IntN(30_000))*api.Cent, -time.Duration(i+at)*2592*time.Millisecond)
			if r.IntN(2) == 0 {
				page[at].Type = api.TransactionAuthorization
			}
		}
		l.Add(panetest.At(0), page)
	}
	l.Cover(time.Time{}, panetest.At(0))
	return a
}

// BenchmarkTable measures what a second of the screen costs: the sums and rows are
// read and drawn.
func BenchmarkTable(b *testing.B) {
	a := big(b)
	for _, way := range []struct {
		name  string
		turns int
	}{{"campaigns", 0}, {"BINs", 1}, {"merchants", 2}, {"cards", 3}} {
		for ranges, name := range []string{"24h", "7d", "30d"} {
			for _, sort := range []string{"spent", "name", "held", "left"} {
				p := spending.New(panetest.Theme(b))
				p.SetSize(160, 27)
				p.Sync(a.Store, state.TopicAll)
				for range way.turns {
					p.Act(keymap.GroupBy)
				}
				for range ranges {
					p.Act(keymap.LongerRange)
				}
				turns, has := sortsTo(way.name, sort)
				if !has {
					continue
				}
				for range turns {
					p.Act(keymap.Sort)
				}
				b.Run(way.name+"/"+name+"/by "+sort, func(b *testing.B) {
					for b.Loop() {
						p.Sync(a.Store, state.TopicAll)
						p.View(true)
					}
				})
			}
		}
	}
}

// sortsTo is how often the key of the sort is pressed to sort by a column.
func sortsTo(rows, column string) (turns int, has bool) {
	ring := map[string][]string{
		"campaigns": {"spent", "change", "attempts", "declined", "cards", "held", "left", "name"},
		"BINs":      {"spent", "change", "attempts", "declined", "cards", "held", "name"},
		"merchants": {"spent", "change", "attempts", "declined", "name"},
		"cards":     {"spent", "change", "attempts", "declined", "held", "left", "name"},
	}[rows]
	for i, name := range ring {
		if name == column {
			return i, true
		}
	}
	return 0, false
}
