package campaign_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/campaign"
)

// TestBalancesAreTheSums of what was set last in each place.
func TestBalancesAreTheSums(t *testing.T) {
	t.Parallel()
	type card struct {
		campaign string
		balance  api.USD
		active   bool
	}
	rapid.Check(t, func(t *rapid.T) {
		var b campaign.Balances
		cards := make(map[int]card)
		for range 40 {
			if rapid.IntRange(0, 20).Draw(t, "reset") == 0 {
				b.Reset()
				clear(cards)
			}
			place := rapid.IntRange(0, 9).Draw(t, "place")
			c := card{rapid.SampledFrom([]string{"", "fb", "gg"}).Draw(t, "campaign"), api.USD(rapid.IntRange(-5, 100).Draw(t, "balance")), rapid.Bool().Draw(t, "active")}
			cards[place] = c
			b.Set(place, c.campaign, c.balance, c.active)
			all, active, count := api.USD(0), make(map[string]api.USD), make(map[string]int)
			for _, c := range cards {
				all += c.balance
				if c.active {
					active[c.campaign] += c.balance
					count[c.campaign]++
				}
			}
			for _, name := range []string{"", "fb", "gg", "none"} {
				if got, n := b.Active(name); got != active[name] || n != count[name] {
					t.Fatalf("%q has %v on %d cards, want %v on %d", name, got, n, active[name], count[name])
				}
			}
			if b.All() != all {
				t.Fatalf("all have %v, want %v", b.All(), all)
			}
		}
	})
}
