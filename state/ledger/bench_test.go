package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
)

// The account of the bars: so many cards and campaigns, so many transactions in
// 30 days.
const (
	manyCards        = 100_000
	manyCampaigns    = 1_000
	manyTransactions = 1_000_000
)

// account makes transactions, newest first, as the pages of a list come.
type account struct {
	rand  *rand.Rand
	names []api.CardID
	shops []api.Text
	made  int
}

func newAccount() *account {
	a := &account{rand: rand.New(rand.NewPCG(1, 2))}
	for i := range manyCards {
		a.names = append(a.names, api.CardID(fmt.Sprintf("card_%016x", i)))
	}
	for i := range 3_000 {
		a.shops = append(a.shops, api.Text(fmt.Sprintf("MERCHANT %d", i)))
	}
	return a
}

// page returns n transactions, each a few seconds before the last: 45 % holds, 40 %
// settlements, 2 % refunds, 13 % declines.
func (a *account) page(n int, newest time.Time) []api.Transaction {
	out := make([]api.Transaction, n)
	for i := range out {
		t := &out[i]
		a.made++
		t.ID = api.TransactionID(fmt.Sprintf("txn_%020x", uint64(a.made)*0x9e3779b97f4a7c15))
		t.CardID = a.names[a.rand.IntN(manyCards)]
		t.Merchant.Name = a.shops[min(a.rand.IntN(len(a.shops)), a.rand.IntN(len(a.shops)))]
		t.Amount = api.USD(1+a.rand.IntN(30_000)) * api.Cent
		t.CreatedAt = newest.Add(-time.Duration(i) * 2592 * time.Millisecond)
		switch p := a.rand.IntN(100); {
		case p < 45:
			t.Type = api.TransactionAuthorization
		case p < 85:
			t.Type, t.Amount = api.TransactionSettlement, -t.Amount
		case p < 87:
			t.Type = api.TransactionRefund
		default:
			t.Type = api.TransactionDecline
		}
	}
	return out
}

// fill adds all of 30 days, in pages of 100 from now back, and calls page after
// each.
func (a *account) fill(l *ledger.Ledger, page func(time.Duration)) {
	for i, id := range a.names {
		l.Describe(id, api.BINID(fmt.Sprint("bin_", i%20)), fmt.Sprint("team/campaign-", i%manyCampaigns))
	}
	newest := start()
	for range manyTransactions / 100 {
		rows := a.page(100, newest)
		newest = rows[99].CreatedAt
		began := time.Now() //nolint:forbidigo // A benchmark measures real time.
		l.Add(start(), rows)
		page(time.Since(began)) //nolint:forbidigo // As above.
	}
	l.Cover(time.Time{}, start())
}

// heap returns what is reachable, MiB.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// BenchmarkMemory measures what the ledger of the bars takes beside the ids and
// the names, which the lists of cards and transactions hold.
func BenchmarkMemory(b *testing.B) {
	for b.Loop() {
		a := newAccount()
		before := heap()
		l := ledger.New()
		a.fill(l, func(time.Duration) {})
		b.ReportMetric(heap()-before, "MiB")
		b.ReportMetric(float64(l.Len()), "transactions")
		runtime.KeepAlive(a)
	}
}

func report(b *testing.B, all []time.Duration) {
	b.Helper()
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(all[len(all)-1].Microseconds()), "max-µs")
}

// BenchmarkPage measures the pages of the whole 30 days, then one more on top of
// them.
func BenchmarkPage(b *testing.B) {
	a := newAccount()
	l := ledger.New()
	var all []time.Duration
	a.fill(l, func(d time.Duration) { all = append(all, d) })
	b.Run("backfill", func(b *testing.B) {
		for b.Loop() {
			report(b, all)
		}
	})
	b.Run("live", func(b *testing.B) {
		now := start()
		all = all[:0]
		for b.Loop() {
			now = now.Add(2592 * time.Millisecond)
			rows := a.page(100, now)
			began := time.Now() //nolint:forbidigo // A benchmark measures real time.
			l.Add(now, rows)
			all = append(all, time.Since(began)) //nolint:forbidigo // As above.
		}
		report(b, all)
	})
}

// BenchmarkMidnight measures the hour in which a day ends: one is dropped, and
// three move to other ranges.
func BenchmarkMidnight(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		l := ledger.New()
		newAccount().fill(l, func(time.Duration) {})
		l.Advance(start().Truncate(24 * time.Hour).Add(23 * time.Hour))
		b.StartTimer()
		l.Advance(start().Truncate(24 * time.Hour).Add(24 * time.Hour))
	}
}

// BenchmarkTable measures each table and chart of the screen.
func BenchmarkTable(b *testing.B) {
	a := newAccount()
	l := ledger.New()
	a.fill(l, func(time.Duration) {})
	spent := ledger.Order{Key: func(r *ledger.Row) (float64, bool) { return float64(r.Now.Spent()), true }, Desc: true, Most: 200}
	for name, by := range map[string]ledger.By{"campaigns": ledger.ByCampaign, "bins": ledger.ByBIN, "merchants": ledger.ByMerchant, "cards": ledger.ByCard} {
		b.Run(name, func(b *testing.B) {
			for span, r := range map[string]ledger.Range{"24h": ledger.Last24h, "7d": ledger.Last7d, "30d": ledger.Last30d} {
				b.Run(span, func(b *testing.B) {
					of := 0
					for b.Loop() {
						_, _, of = l.Top(by, r, spent)
					}
					b.ReportMetric(float64(of), "rows")
				})
			}
		})
	}
	for name, s := range map[string]ledger.Scope{
		"account": ledger.Account(), "card": ledger.OfCard(a.names[7]),
		"campaign": {By: ledger.ByCampaign, Name: "team/campaign-7"}, "bin": {By: ledger.ByBIN, Name: "bin_7"}, "merchant": {By: ledger.ByMerchant, Name: "MERCHANT 7"},
	} {
		b.Run("days/"+name, func(b *testing.B) {
			for b.Loop() {
				l.Days(s, 30)
			}
		})
		b.Run("hours/"+name, func(b *testing.B) {
			for b.Loop() {
				l.Hours(s, 24)
			}
		})
	}
	for name, by := range map[string]ledger.By{"cards": ledger.ByCard, "campaigns": ledger.ByCampaign} {
		b.Run("traces/"+name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				n = 0
				l.Traces(by, func(uint32, *burn.Trace) { n++ })
			}
			b.ReportMetric(float64(n), "rows")
		})
	}
	b.Run("week/account", func(b *testing.B) {
		for b.Loop() {
			l.Week(ledger.Account())
		}
	})
	b.Run("causes", func(b *testing.B) {
		for b.Loop() {
			l.Declines(ledger.Account(), ledger.Last30d)
		}
	})
}

// BenchmarkClose measures a day that is kept, and all days that are restored.
func BenchmarkClose(b *testing.B) {
	l := ledger.New()
	newAccount().fill(l, func(time.Duration) {})
	var days []ledger.Closed
	b.Run("close", func(b *testing.B) {
		for b.Loop() {
			l.Close(start().AddDate(0, 0, -3))
		}
	})
	for _, v := range l.ClosedDays() {
		d, _ := l.Close(v.Day)
		days = append(days, d)
	}
	b.Run("restore", func(b *testing.B) {
		var all []time.Duration
		for b.Loop() {
			l, k := ledger.New(), ledger.Kept{}
			for _, day := range slices.Backward(days) {
				for _, part := range day.Parts() {
					began := time.Now() //nolint:forbidigo // A benchmark measures real time.
					k.Restore(l, start(), part)
					all = append(all, time.Since(began)) //nolint:forbidigo // As above.
				}
			}
		}
		report(b, all)
	})
}

// BenchmarkBurns measures what a list asks for: the rows on the screen while nothing
// changes, the same after each page that is read, and all cards at once.
func BenchmarkBurns(b *testing.B) {
	a := newAccount()
	l := ledger.New()
	a.fill(l, func(time.Duration) {})
	burns := ledger.NewBurns(l, nil)
	ask := func(n int) {
		for _, id := range a.names[:n] {
			burns.Runway(ledger.OfCard(id), 100*api.Dollar)
		}
	}
	campaigns := func() {
		for i := range manyCampaigns {
			burns.Runway(ledger.Scope{By: ledger.ByCampaign, Name: fmt.Sprint("team/campaign-", i)}, 100*api.Dollar)
		}
	}
	now := start()
	page := func() {
		now = now.Add(2592 * time.Millisecond)
		l.Add(now, a.page(100, now))
	}
	b.Run("50 rows", func(b *testing.B) {
		for b.Loop() {
			ask(50)
		}
	})
	for name, what := range map[string]func(){
		"50 rows": func() { ask(50) }, "100000 rows": func() { ask(manyCards) }, "1000 campaigns": campaigns,
	} {
		b.Run("page and "+name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				page()
				b.StartTimer()
				what()
			}
		})
	}
	b.Run("hour and 1000 campaigns", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			now = now.Add(time.Hour)
			l.Cover(time.Time{}, now)
			l.Advance(now)
			b.StartTimer()
			campaigns()
		}
	})
}
