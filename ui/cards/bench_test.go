//go:build unix

package cards

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// spent is the processor time of this process: unlike the clock it says the
// same on a busy machine.
func spent() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func perOp(b *testing.B, from time.Duration) {
	b.Helper()
	b.ReportMetric(float64((spent()-from).Microseconds())/float64(b.N)/1000, "cpu-ms/op")
}

func BenchmarkStart100k(b *testing.B) {
	w := newWorld(b, 100_000)
	from := spent()
	for b.Loop() {
		w.pane.index = index{by: w.pane.index.by}
		w.pane.Sync(w.store, kernel.TopicAll)
	}
	perOp(b, from)
}

func BenchmarkSort100k(b *testing.B) {
	w := newWorld(b, 100_000)
	w.pane.Sync(w.store, kernel.TopicAll)
	from := spent()
	for b.Loop() {
		next := w.pane.columns[(w.pane.shown(w.pane.index.by.Name)+1)%len(w.pane.columns)]
		w.pane.order(next.Name, next.desc)
	}
	perOp(b, from)
}

// BenchmarkFilterKey100k types a filter and takes it out again: twice seven
// keys.
func BenchmarkFilterKey100k(b *testing.B) {
	for _, text := range []string{"fb/camp", "/camp.*1/", "bal<123", "x\n\n\n\n\n\n"} {
		b.Run(strings.TrimSpace(text), func(b *testing.B) {
			w := newWorld(b, 100_000)
			w.pane.Sync(w.store, kernel.TopicAll)
			w.pane.Act(keymap.OpenFilter)
			keys, from := 0, spent()
			for b.Loop() {
				key := func(k, text string) {
					w.pane.Type(k, text)
					for w.pane.Working() {
						w.pane.Work(func() bool { return true })
					}
					w.pane.View(true)
					keys++
				}
				text := strings.TrimSpace(text)
				for _, r := range text {
					key(string(r), string(r))
				}
				for range text {
					key("backspace", "")
				}
			}
			b.ReportMetric(float64((spent()-from).Microseconds())/float64(keys)/1000, "cpu-ms/key")
		})
	}
}

// BenchmarkPiece100k asks an expression of as many cards as are asked before keys
// are looked at again.
func BenchmarkPiece100k(b *testing.B) {
	w := newWorld(b, 100_000)
	w.pane.Sync(w.store, kernel.TopicAll)
	for b.Loop() {
		if !w.pane.Working() {
			w.pane.index.test()
			w.pane.index.query, _ = w.pane.language.Parse("/(a|b|c)*.*[0-9]{2,5}.*x/")
			w.pane.index.test()
		}
		w.pane.Work(func() bool { return true })
	}
}

func BenchmarkMergePage100k(b *testing.B) {
	w := newWorld(b, 100_000)
	w.pane.Sync(w.store, kernel.TopicAll)
	n := 0
	for b.Loop() {
		b.StopTimer()
		var items []api.CardItem
		for i := range 100 {
			item := itemOf(w.store.Cards.All().At((n*977 + i*131) % 100_000))
			item.Balance += api.Dollar
			item.Label += "x"
			items = append(items, item)
		}
		n++
		topics := w.read(items)
		b.StartTimer()
		w.pane.Sync(w.store, topics)
	}
}

// spentWorld is 100,000 cards with 1,000,000 transactions of 30 days, most of them
// on 3,000 cards.
func spentWorld(b *testing.B) *world {
	b.Helper()
	w := newWorld(b, 100_000)
	w.pane.Sync(w.store, kernel.TopicAll)
	w.read(nil)
	const busy, all = 3000, 1_000_000
	var page []api.Transaction
	for i := range all {
		card := i % busy
		if i%5 == 0 {
			card = i / 5 % 100_000
		}
		page = append(page, api.Transaction{
			ID: api.TransactionID(fmt.Sprintf("txn_%d", i)), CardID: w.store.Cards.All().ID(card), Type: api.TransactionSettlement, Amount: -api.Dollar,
			Merchant: api.Merchant{Name: "Ads"}, CreatedAt: w.now.Add(-time.Duration(i) * 30 * 24 * time.Hour / all),
		})
	}
	w.store.Insight.Ledger().Add(w.now, page)
	w.store.Insight.Ledger().Cover(w.now.AddDate(0, 0, -30), w.now)
	return w
}

// BenchmarkFigures100k reads figures anew, as once a second while the ledger changes,
// where all cards are sorted by them.
func BenchmarkFigures100k(b *testing.B) {
	w := spentWorld(b)
	for _, by := range []string{"left", "declines"} {
		b.Run(by, func(b *testing.B) {
			w.pane.order(by, false)
			from := spent()
			for b.Loop() {
				w.pane.index.figures.at = time.Time{}
				if !w.pane.index.refigure() {
					b.Fatal("nothing was read")
				}
			}
			perOp(b, from)
		})
	}
}

// BenchmarkFigureRows100k draws the rows in sight with all figures, read anew.
func BenchmarkFigureRows100k(b *testing.B) {
	w := spentWorld(b)
	w.pane.applyView(settings.View{Columns: []settings.ShownColumn{{Name: "label"}, {Name: "24h"}, {Name: "left"}, {Name: "declines"}, {Name: "burn"}}})
	from := spent()
	for b.Loop() {
		w.pane.index.figures.at = time.Time{}
		w.pane.index.refigure()
		w.pane.touch()
		w.pane.View(true)
	}
	perOp(b, from)
}
