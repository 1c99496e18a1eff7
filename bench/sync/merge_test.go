//go:build long

package sync_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/state/txns"
)

const pageRows = 100

// BenchmarkMerge merges pages of 100 rows into stores of every size, and compares the
// largest with the smallest. A store's time advances with each page, so that its size
// stays the same.
func BenchmarkMerge(b *testing.B) {
	for _, kind := range []struct {
		name string
		page func(k *book) kernel.Event
	}{
		{"new transactions", (*book).newRows},
		{"transactions listed up to 15 minutes late", (*book).lateRows},
		{"known transactions", (*book).knownRows},
	} {
		compare(b, kind.name, []int{1_000, 10_000, 100_000, 1_000_000}, func(size int) *book { return newBook(b, 100_000, size) }, kind.page)
	}
	compare(b, "holds and what settles them, of 800 cards", []int{20_000, 1_000_000}, func(size int) *book { return newBook(b, 800, size) }, (*book).settledRows)
	for _, kind := range []struct {
		name string
		page func(k *book) kernel.Event
	}{
		{"cards used last", (*book).hotCards},
		{"cards of a sweep", (*book).sweepPage},
	} {
		compare(b, kind.name, []int{1_000, 10_000, 100_000}, func(size int) *book { return newBook(b, size, 100_000) }, kind.page)
	}
}

// compare merges pages of one kind into stores of several sizes.
func compare(b *testing.B, name string, sizes []int, open func(size int) *book, page func(*book) kernel.Event) {
	b.Helper()
	var all []merged
	table := figures{{"held", "µs a page, p50", "mean", "p99", "most", "allocations"}}
	for _, size := range sizes {
		var m merged
		b.Run(fmt.Sprint(name, "/", size), func(b *testing.B) {
			m = merge(b, func() *book { return open(size) }, page)
			b.ReportMetric(float64(m.median.Nanoseconds())/1000, "µs-median")
			b.ReportMetric(m.allocs, "allocs/page")
		})
		if len(m.took) == 0 {
			return // Another benchmark was asked for.
		}
		all = append(all, m)
		table.row(grouped(size), micro(m.median), micro(m.mean), micro(percentile(m.took, 99)), micro(percentile(m.took, 100)), fmt.Sprintf("%.1f", m.allocs))
	}
	first, last := all[0], all[len(all)-1]
	ratio := func(large, small float64) string {
		if small == 0 {
			return ""
		}
		return fmt.Sprintf("× %.2f", large/small)
	}
	table.row(
		"largest to smallest", ratio(float64(last.median), float64(first.median)), ratio(float64(last.mean), float64(first.mean)),
		ratio(float64(percentile(last.took, 99)), float64(percentile(first.took, 99))), "", ratio(last.allocs, first.allocs),
	)
	table.print(b.Output(), "A page of 100 merged: "+name)
}

func micro(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Nanoseconds())/1000) }

// merged is the cost of merging pages.
type merged struct {
	took         []time.Duration
	median, mean time.Duration
	allocs       float64 // a page
}

// merge measures b.N pages, without creating them.
func merge(b *testing.B, open func() *book, page func(*book) kernel.Event) merged {
	b.Helper()
	var (
		k             = open()
		m             = merged{took: make([]time.Duration, 0, b.N)}
		before, after runtime.MemStats
		allocs        uint64
		sum           time.Duration
	)
	runtime.GC()
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		if k.grown() {
			k = open()
		}
		ev := page(k)
		runtime.ReadMemStats(&before)
		b.StartTimer()
		began := time.Now() //nolint:forbidigo // a benchmark measures real time
		_, k.next = k.store.Apply(ev)
		took := time.Since(began) //nolint:forbidigo // as above
		b.StopTimer()
		runtime.ReadMemStats(&after)
		b.StartTimer()
		m.took, sum = append(m.took, took), sum+took
		allocs += after.Mallocs - before.Mallocs
	}
	m.median, m.mean, m.allocs = percentile(m.took, 50), sum/time.Duration(b.N), float64(allocs)/float64(b.N)
	return m
}

// book is a store of some size that pages are merged into.
type book struct {
	b     *testing.B
	store *state.Store
	rng   *rand.Rand
	now   time.Time
	every time.Duration // between two transactions
	cards int
	first int             // how many transactions there were
	last  int             // number of the newest transaction
	next  []kernel.Effect // what followed from the last page
}

// newBook returns a store with cards and a day's transactions.
func newBook(b *testing.B, cards, transactions int) *book {
	b.Helper()
	k := &book{
		b: b, rng: newRand(1), now: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), every: 24 * time.Hour / time.Duration(transactions), cards: cards,
		store: state.New(settings.Config{
			NewKey: api.NewIdempotencyKey, Rand: newRand(1).Float64, Only: []poll.Lane{poll.Feed, poll.Hot, poll.Sweep},
		}),
	}
	_, k.next = k.store.Tick(k.now)
	sweep, feed := effect[state.FetchCards](k, isSweep), effect[txns.Fetch](k, nil)
	k.store.Apply(state.CardsLoaded{FetchCards: sweep, Meta: k.meta(), Items: k.cardRows(0, cards), TotalPages: 1, Total: cards})
	k.store.Apply(txns.Loaded{Fetch: feed, Meta: k.meta(), Items: k.rows(transactions)})
	k.first = k.last
	return k
}

// grown reports whether the store has much more than at first: it removes what is older
// than a day only above 100,000.
func (k *book) grown() bool { return k.first < 100_000 && k.last > k.first*2 }

func (k *book) meta() kernel.Meta { return kernel.Meta{Sent: k.now, At: k.now} }

// effect returns the effect of a type that is due next, or followed from the last page.
func effect[E kernel.Effect](k *book, is func(E) bool) E {
	for range 10_000 {
		for _, e := range k.next {
			if e, ok := e.(E); ok && (is == nil || is(e)) {
				return e
			}
		}
		k.now = k.now.Add(time.Second)
		_, k.next = k.store.Tick(k.now)
	}
	k.b.Fatal("nothing is due")
	panic("unreachable")
}

func isSweep(e state.FetchCards) bool { return !e.Hot }
func isHot(e state.FetchCards) bool   { return e.Hot }

// rows are the next transactions, up to now.
func (k *book) rows(n int) []api.Transaction {
	rows := make([]api.Transaction, n)
	for i := range rows {
		k.last++
		rows[i] = k.row(k.last, k.now.Add(-time.Duration(n-1-i)*k.every))
	}
	return rows
}

func (k *book) row(number int, at time.Time) api.Transaction {
	return api.Transaction{
		ID: api.TransactionID(fmt.Sprintf("txn_%012d", number)), CardID: cardID(k.rng.IntN(k.cards)), Type: api.TransactionSettlement,
		Amount: -25 * api.Dollar, Currency: "USD", Merchant: api.Merchant{Name: "Meta Platforms", Category: "advertising", MCC: "7311", Country: "US"},
		CreatedAt: at,
	}
}

func cardID(i int) api.CardID { return api.CardID(fmt.Sprintf("crd_%012d", i)) }

// cardRows returns some cards, each with another balance than before.
func (k *book) cardRows(from, n int) []api.CardItem {
	items := make([]api.CardItem, n)
	for i := range items {
		items[i] = api.CardItem{
			ID: cardID(from + i), BIN: "424242", Network: "visa", Last4: "0042", Status: api.CardActive, Label: "fb/spring/01",
			Balance: api.USD(k.rng.Int64N(int64(100 * api.Dollar))), CreatedAt: k.now,
		}
	}
	return items
}

// pass advances the time by a page and returns the poll that is due then.
func (k *book) pass() txns.Fetch {
	k.now = k.now.Add(pageRows * k.every)
	_, k.next = k.store.Tick(k.now)
	return effect[txns.Fetch](k, nil)
}

func (k *book) newRows() kernel.Event {
	return txns.Loaded{Fetch: k.pass(), Meta: k.meta(), Items: k.rows(pageRows)}
}

// settledRows are holds, and as many settlements that take their places, newest first.
func (k *book) settledRows() kernel.Event {
	poll, items := k.pass(), k.rows(pageRows)
	holds := items[:pageRows/2]
	for i := range holds {
		settled := &items[len(holds)+i]
		settled.CardID, settled.Amount = holds[i].CardID, -api.USD(1+k.rng.IntN(10_000))*api.Cent
		holds[i].Type, holds[i].Amount = api.TransactionAuthorization, -settled.Amount
	}
	slices.Reverse(items)
	return txns.Loaded{Fetch: poll, Meta: k.meta(), Items: items}
}

func (k *book) lateRows() kernel.Event {
	poll := k.pass()
	items := make([]api.Transaction, pageRows)
	for i := range items {
		k.last++
		items[i] = k.row(k.last, k.now.Add(-between(k.rng, 0, 15*time.Minute)))
	}
	return txns.Loaded{Fetch: poll, Meta: k.meta(), Items: items}
}

func (k *book) knownRows() kernel.Event {
	poll, held := effect[txns.Fetch](k, nil), k.store.Txns.All()
	return txns.Loaded{Fetch: poll, Meta: k.meta(), Items: append([]api.Transaction(nil), held[len(held)-pageRows:]...)}
}

func (k *book) hotCards() kernel.Event {
	poll := effect(k, isHot)
	return state.CardsLoaded{FetchCards: poll, Meta: k.meta(), Items: k.cardRows(k.rng.IntN(k.cards-pageRows), pageRows), TotalPages: k.cards / pageRows, Total: k.cards}
}

func (k *book) sweepPage() kernel.Event {
	poll := effect(k, isSweep)
	return state.CardsLoaded{
		FetchCards: poll, Meta: k.meta(), Items: k.cardRows((poll.Page-1)*pageRows, pageRows), TotalPages: k.cards / pageRows, Total: k.cards,
	}
}
