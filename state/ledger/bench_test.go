package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
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
