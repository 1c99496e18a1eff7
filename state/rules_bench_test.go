package state_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// BenchmarkRules compares 100,000 cards, a tenth of which were used lately, with four rules
// after each page of transactions. A step is what the screen waits for: 500 cards, and with
// the last of them what the rules would do.
func BenchmarkRules(b *testing.B) {
	const cards = 100_000
	var items []api.CardItem
	for i := range cards {
		items = append(items, item(api.CardID(fmt.Sprintf("card_%06d", i)), api.CardActive, api.USD(i%300)*dollar))
		items[i].Label, items[i].CreatedAt = api.Text(fmt.Sprintf("team/campaign-%d/%d", i%500, i)), at(-60*24*time.Hour)
	}
	s := with(b, items, func(c *settings.Config) {
		c.Rules = []rule.Rule{
			topup(),
			{Name: "sweep", When: "idle>7d", Action: rule.WithdrawTo},
			{Name: "ends-soon", When: "left<1d", Action: rule.Alert},
			{Name: "declined", When: "decl7>20 label~campaign-7", Action: rule.Alert},
		}
		c.Alerts.Idle = 7 * 24 * time.Hour
	})
	made := 0
	page := func(at time.Duration, every time.Duration) {
		var rows []api.Transaction
		for i := range 100 {
			row := txn(made, -at+time.Duration(i)*every, api.TransactionSettlement, -dollar)
			row.CardID = items[made*7919%(cards/10)].ID
			rows = append(rows, row)
			made++
		}
		apply(s, insight.Loaded{Meta: meta(at), Items: rows})
	}
	for n := range 3000 {
		page(-time.Duration(n)*200*time.Second, 2*time.Second)
	}
	s.Insight.Ledger().Cover(at(-40*24*time.Hour), at(time.Second))
	now := time.Second
	var steps, passes []time.Duration
	pass := func() {
		page(now, time.Millisecond)
		was, sum := s.Rules.All()[0].Looked, time.Duration(0)
		for now += 6 * time.Second; s.Rules.All()[0].Looked.Equal(was); now += 30 * time.Millisecond {
			began := time.Now() //nolint:forbidigo // A benchmark measures real time.
			s.Tick(at(now))
			took := time.Since(began) //nolint:forbidigo // As above.
			steps, sum = append(steps, took), sum+took
		}
		passes = append(passes, sum)
	}
	for range 3 {
		pass()
	}
	steps, passes = nil, nil
	for b.Loop() {
		pass()
	}
	slices.Sort(steps)
	slices.Sort(passes)
	b.ReportMetric(float64(passes[len(passes)/2].Microseconds())/1000, "pass-ms")
	b.ReportMetric(float64(steps[len(steps)/2].Microseconds())/1000, "step-p50-ms")
	b.ReportMetric(float64(steps[len(steps)*99/100].Microseconds())/1000, "step-p99-ms")
	b.ReportMetric(float64(len(steps))/float64(len(passes)), "steps")
	b.ReportMetric(0, "ns/op")
	for _, r := range s.Rules.All() {
		if r.Matching == 0 && r.Name != "declined" {
			b.Errorf("rule %s matches nothing", r.Name)
		}
	}
}
