package burn_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state/burn"
)

// settled returns what was settled in a world of the sandbox in 40 days, oldest first, by the time since a midnight.
func settled(t *testing.T, seed uint64, cards int) (all []charge) {
	t.Helper()
	const key = "sk_test_forecasts_of_days"
	end := midnight().Add(40*24*time.Hour + 15*time.Hour)
	s, err := sandbox.Open(t.Context(), sandbox.Config{
		Seed: seed, Cards: cards, History: 40 * 24 * time.Hour, APIKeys: []string{key}, Quiet: true, NoLimits: true, Now: func() time.Time { return end },
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // it is in memory
	for page := 1; ; page++ {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprintf("http://localhost/v1/transactions?type=settlement&per_page=100&page=%d", page), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+key)
		resp, err := s.Transport().RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Data []struct {
				Amount    float64
				CreatedAt time.Time `json:"created_at"`
			}
		}
		if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close() // It is in memory.
		for _, d := range list.Data {
			all = append(all, charge{d.CreatedAt.Sub(midnight()), api.USD(math.Round(math.Abs(d.Amount)*100)) * api.Cent})
		}
		if len(list.Data) < 100 {
			slices.SortFunc(all, func(a, b charge) int { return int(a.at - b.at) })
			return all
		}
	}
}

// TestForecastDaysAhead compares what worlds of the sandbox spend with what was forecast a day, three and seven days
// before. Worlds differ by chance more than an hour does: the bars are of the middle of them.
func TestForecastDaysAhead(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		cards int
		most  [3]float64 // The median error of a day, three and seven, %.
	}{{20, [3]float64{29, 26, 26}}, {50, [3]float64{20, 20, 20}}} {
		var all [3][]result
		for seed := range nighttest.Times(3, 24) {
			charges := settled(t, uint64(101+seed), tt.cards)
			for now := 12 * 24 * time.Hour; now < 33*24*time.Hour; now += 5 * time.Hour {
				b, ok := burn.Of(seen(charges, now))
				if !ok {
					continue
				}
				for i, days := range [3]time.Duration{1, 3, 7} {
					mid, low, high := b.Ahead(days * 24 * time.Hour)
					truth := spentIn(charges, now, now+days*24*time.Hour)
					all[i] = append(all[i], result{
						wrong: math.Abs(float64(mid-truth)) / float64(truth), mid: float64(mid), truth: float64(truth),
						held: low <= truth && truth <= high, near: true, foreseen: true,
					})
				}
			}
		}
		for i := range all {
			got := scoreOf(all[i])
			t.Logf("%d cards, forecast %d of 3: %.0f forecasts; median error %.0f %% of at most %.0f; the range holds the truth in %.0f %% of at least 80; bias %+.1f %%", tt.cards, i+1, got.n, got.median, tt.most[i], got.inRange, got.bias)
			if got.median > tt.most[i] || got.inRange < 80 {
				t.Error("out of its bars")
			}
		}
	}
}
