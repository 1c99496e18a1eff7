package spending_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
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
	l := a.Store.Insight.Ledger()
	for _, c := range a.Cards {
		l.Describe(c.ID, c.BIN, a.Store.Insight.Campaign(c.ID, c.Label))
	}
	for i := 0; i < transactions; i += 100 {
		rows := page(a, r, fmt.Sprintf("%08d", i), 100)
		for at := range rows {
			rows[at].CreatedAt = panetest.At(-time.Duration(i+at) * 2592 * time.Millisecond)
		}
		l.Add(panetest.At(0), rows)
	}
	l.Cover(time.Time{}, panetest.At(0))
	return a
}

// BenchmarkTable measures what a second of the screen costs: the sums and rows are
// read and drawn, while nothing changes and after a page was read. floor is how many
// passes over a million transactions that takes, which the load of the machine
// changes little: a pass takes about 0.5 ms.
func BenchmarkTable(b *testing.B) {
	a := big(b)
	for _, way := range []struct {
		name  string
		turns int
	}{{"campaigns", 0}, {"BINs", 1}, {"merchants", 2}, {"cards", 3}} {
		for ranges, name := range []string{"24h", "7d", "14d", "30d"} {
			for _, sort := range []string{"spent", "name", "held", "left"} {
				p := spending.New(panetest.Theme(b), keymap.New(keymap.Defaults()))
				p.SetSize(160, 27)
				p.Sync(a.Store, kernel.TopicAll)
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
				b.Run(way.name+"/"+name+"/by "+sort, func(b *testing.B) { measure(b, a, p, false) })
				b.Run(way.name+"/"+name+"/by "+sort+"/read", func(b *testing.B) { measure(b, a, p, true) })
			}
		}
	}
}

// measure reports the median time of a read and drawn table, in milliseconds and in
// passes of the floor.
func measure(b *testing.B, a *panetest.Account, p *spending.Pane, reads bool) {
	b.Helper()
	var all, floors []time.Duration
	l, r := a.Store.Insight.Ledger(), rand.New(rand.NewPCG(3, uint64(b.N)))
	rows := make([]struct{ at, amount int64 }, 1_000_000)
	for b.Loop() {
		if reads {
			// One of a hundred pages, so that the account stays as large as it is said to be.
			n := r.Uint64N(100)
			l.Add(panetest.At(0), page(a, rand.New(rand.NewPCG(4, n)), fmt.Sprint("new", n), 100))
		}
		began := time.Now() //nolint:forbidigo // A benchmark measures real time.
		sum := int64(0)
		for i := range rows {
			sum += rows[i].amount
		}
		floors = append(floors, time.Since(began)+time.Duration(sum)) //nolint:forbidigo // As above.
		began = time.Now()                                            //nolint:forbidigo // As above.
		p.Sync(a.Store, kernel.TopicAll)
		p.View(true)
		all = append(all, time.Since(began)) //nolint:forbidigo // As above.
	}
	slices.Sort(all)
	slices.Sort(floors)
	median, floor := all[len(all)/2], floors[len(floors)/2]
	b.ReportMetric(float64(median.Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(median)/float64(floor), "floor")
	b.ReportMetric(0, "ns/op")
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

// page is some transactions of now, holds and settlements, whose ids begin so.
func page(a *panetest.Account, r *rand.Rand, id string, n int) []api.Transaction {
	rows := make([]api.Transaction, n)
	for at := range rows {
		card := a.Cards[r.IntN(len(a.Cards))].ID
		rows[at] = panetest.Settled(api.TransactionID(fmt.Sprintf("txn_%s_%d", id, at)), card, api.Text(fmt.Sprint("Shop ", r.IntN(3000))), -api.USD(r.IntN(30_000))*api.Cent, 0)
		if r.IntN(2) == 0 {
			rows[at].Type = api.TransactionAuthorization
		}
	}
	return rows
}
