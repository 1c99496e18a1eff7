//go:build long

package rules_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
)

// TestCapsHoldOverKillsAndPrograms runs programs that are killed in the middle of
// writes and race each other, one acting and one whose plans are confirmed: no 24 hours
// hold a cent more than the caps.
func TestCapsHoldOverKillsAndPrograms(t *testing.T) {
	cards, hours := setting("RULES_CARDS", 6), setting("RULES_HOURS", 30)
	r := topup()
	r.MaxDay, r.MaxCard, r.Cooldown = api.USD(cards)*20*api.Dollar+33*api.Cent, 61*api.Dollar+7*api.Cent, 10*time.Minute
	b, ids := open(t, cards, "9000000")
	b.killEvery = 7
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(4, 4))
	both := []*program{start(t, b, dir, []rule.Rule{r}, 1), start(t, b, dir, []rule.Rule{r}, 2)}
	begin := b.read()
	for step := 0; b.read().Before(begin.Add(time.Duration(hours) * time.Hour)); step++ {
		b.spend(t, ids[rnd.IntN(cards)], api.USD(500+rnd.IntN(3000))*api.Cent)
		for i, p := range both {
			if p.dead {
				both[i] = start(t, b, dir, []rule.Rule{r}, uint64(step))
				continue
			}
			p.tick()
			if !p.dead && step%10 == i { // Both try; one gets the lock.
				p.arm("topup")
			}
			if plan := p.store.PlanRule("topup"); !p.dead && step%13 == 5*i && plan.Blocked == "" {
				_ = p.do(state.RunPlan{Plan: plan}) // A yes to what it suggests.
			}
		}
		b.set(b.read().Add(20 * time.Second))
	}
	for _, p := range both {
		p.end()
	}
	wrong, fullest := capsPassed(b.funds, r)
	t.Logf("two programs and %d kills in %d writes: %d of %d sums of 24 hours within the caps, the largest $%s of $%s",
		b.kills, b.writes, len(b.funds)-wrong, len(b.funds), fullest.Grouped(), r.MaxDay.Grouped())
	if wrong > 0 || b.kills == 0 || fullest < r.MaxDay-api.Dollar {
		t.Fail()
	}
}

// capsPassed counts the sums of 24 hours that end with a funding and are above the
// caps, and returns the largest.
func capsPassed(funds []fund, r rule.Rule) (wrong int, fullest api.USD) {
	first := 0
	var sum api.USD
	cards := make(map[string]api.USD)
	for _, f := range funds {
		sum += f.amount
		cards[f.card] += f.amount
		for ; f.at.Sub(funds[first].at) >= rule.Day; first++ {
			sum -= funds[first].amount
			cards[funds[first].card] -= funds[first].amount
		}
		fullest = max(fullest, sum)
		if r.MaxDay > 0 && sum > r.MaxDay || r.MaxCard > 0 && cards[f.card] > r.MaxCard {
			wrong++
		}
	}
	return wrong, fullest
}
