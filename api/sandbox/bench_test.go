package sandbox

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// The large world of the benchmarks: `go test -run '^$' -bench . ./api/sandbox`.
const (
	manyCards = 100_000
	manyTxns  = 1_000_000
)

// large makes the large world once for all benchmarks of a run.
var large = sync.OnceValues(func() (*Server, error) {
	if err := os.Mkdir(largeDir(), 0o700); err != nil {
		return nil, err
	}
	return Open(context.Background(), Config{
		Cards: manyCards, Transactions: manyTxns, Path: filepath.Join(largeDir(), "world.db"), Quiet: true, NoLimits: true,
		Wallet: "10000000", APIKeys: []string{testKey}, Now: newFakeNow().now,
	})
})

// largeDir is the folder of the large world of this process.
func largeDir() string { return filepath.Join(os.TempDir(), fmt.Sprint("sandbox-bench-", os.Getpid())) }

func removeLarge() { _ = os.RemoveAll(largeDir()) }

func BenchmarkOpenDefaultWorld(b *testing.B) {
	for name, history := range map[string]time.Duration{"recent": 0, "history": DefaultHistory} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s, err := Open(b.Context(), Config{Now: newFakeNow().now, History: history})
				must(b, err)
				must(b, s.Close())
			}
		})
	}
}

// pages are requests of every documented list, filter and sort.
func pages() []string {
	list := []string{
		"/wallet/balance", "/wallet/deposits", "/3ds", "/3ds?status=pending", "/bins", "/webhooks",
		"/cards?label=fb", "/cards?label=spring/0", "/cards?label=geo-us/1&status=frozen", "/cards?label=nothing-has-this",
	}
	for _, sort := range []string{"created_at", "balance", "last_used"} {
		for _, filter := range []string{"", "&status=active", "&status=frozen", "&bin_id=424242", "&bin_id=401288&status=terminated"} {
			for _, page := range []string{"", "&order=asc&per_page=100", "&page=30", "&page=1500"} {
				list = append(list, "/cards?sort="+sort+filter+page)
			}
		}
	}
	for _, filter := range []string{
		"", "type=settlement", "type=decline", "merchant=meta", "merchant=ads", "merchant=lumen", "merchant=nothing-has-this",
		"min_amount=0", "max_amount=-100", "min_amount=60&max_amount=61", "min_amount=7000", "min_amount=99999",
		"from=2026-03-10", "to=2026-03-12", "from=2026-03-14T15:00:00Z", "from=2026-03-12&to=2026-03-13&type=refund",
		"merchant=google&type=settlement&max_amount=-50", "type=refund&merchant=canva&min_amount=5",
	} {
		for _, page := range []string{"", "&per_page=100", "&page=100", "&page=8000"} {
			list = append(list, "/transactions?"+filter+page)
		}
	}
	return list
}

// BenchmarkPages reports the median and the slowest of every kind of page, at
// 100,000 cards and 1,000,000 transactions.
func BenchmarkPages(b *testing.B) {
	s, err := large()
	must(b, err)
	c := &client{t: b, server: s, rt: s.Transport(), key: testKey}
	for _, path := range pages() {
		b.Run(path[1:], func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				watch := time.Now() //nolint:forbidigo // A benchmark measures real time.
				get(b, c, path)
				took = append(took, time.Since(watch)) //nolint:forbidigo // As above.
			}
			first := took[0]
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(first.Microseconds())/1000, "ms-first")
		})
	}
}

// get asks without the checks of tests, which cost more than the answer.
func get(b *testing.B, c *client, path string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), "GET", "https://cards.test/v1"+path, nil)
	must(b, err)
	r.Header.Set("Authorization", "Bearer "+c.key)
	resp, err := c.rt.RoundTrip(r)
	if err != nil || resp.StatusCode != 200 {
		b.Fatalf("%s: %v %v", path, resp, err)
	}
	must(b, resp.Body.Close())
}

func BenchmarkWrites(b *testing.B) {
	s, err := large()
	must(b, err)
	c := &client{t: b, server: s, rt: s.Transport(), key: testKey}
	id := c.newCard("5")
	for i := 0; b.Loop(); i++ {
		c.send("POST", "/cards/"+id+"/fund", `{"amount":1}`, key(fmt.Sprint(b.N, i))...).want(200)
	}
}
