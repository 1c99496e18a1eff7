package rule_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/rule"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func matches(balances ...api.USD) []rule.Match {
	var out []rule.Match
	for i, b := range balances {
		out = append(out, rule.Match{Card: api.CardID(fmt.Sprintf("card_%02d", i)), Balance: b, Status: api.CardActive})
	}
	return out
}

func amounts(all []rule.Proposal) (out []api.USD) {
	for _, p := range all {
		out = append(out, p.Amount)
	}
	return out
}

func TestWhatLacksIsFundedMostUrgentFirst(t *testing.T) {
	for name, test := range map[string]struct {
		rule   rule.Rule
		wallet api.USD
		want   []api.USD // by balance: 2, 5, 30, 49.50
	}{
		"all":          {rule.Rule{}, 1000 * api.Dollar, []api.USD{48 * api.Dollar, 45 * api.Dollar, 20 * api.Dollar, 0}},
		"cap of a day": {rule.Rule{MaxDay: 50*api.Dollar + api.Cent}, 1000 * api.Dollar, []api.USD{48 * api.Dollar, 2*api.Dollar + api.Cent, 0, 0}},
		"cap less 1 c": {rule.Rule{MaxDay: 49*api.Dollar - api.Cent}, 1000 * api.Dollar, []api.USD{48 * api.Dollar, 0, 0, 0}},
		"of a card":    {rule.Rule{MaxCard: 40 * api.Dollar}, 1000 * api.Dollar, []api.USD{40 * api.Dollar, 40 * api.Dollar, 20 * api.Dollar, 0}},
		"actions":      {rule.Rule{MaxActions: 2}, 1000 * api.Dollar, []api.USD{48 * api.Dollar, 45 * api.Dollar, 0, 0}},
		"wallet":       {rule.Rule{}, 50*api.Dollar + api.Cent/2, []api.USD{48 * api.Dollar, 2 * api.Dollar, 0, 0}},
		"other hours":  {rule.Rule{Between: rule.Hours{From: 18 * 60, To: 6 * 60}}, 1000 * api.Dollar, []api.USD{0, 0, 0, 0}},
	} {
		r := test.rule
		r.Name, r.Action, r.Amount = "r", rule.FundTo, 50*api.Dollar
		got := amounts(r.Propose(nil, matches(30*api.Dollar, 2*api.Dollar, 49*api.Dollar+50*api.Cent, 5*api.Dollar), nil, test.wallet, noon))
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestACardIsLeftAlone(t *testing.T) {
	r := rule.Rule{Name: "r", Action: rule.FundBy, Amount: 25 * api.Dollar, Cooldown: time.Hour, Declines: 3}
	all := matches(0, 0, 0, 0, 0, 0)
	all[0].Out = "an operation is under way"
	all[1].Declines = 3
	all[2].Status = api.CardFrozen
	done := []rule.Done{
		{Rule: "r", Card: all[3].Card, At: noon.Add(-59 * time.Minute)},
		{Rule: "r", Card: all[4].Card, At: noon.Add(-time.Hour)},
		{Rule: "other", Card: all[5].Card, At: noon},
		{Rule: "r", Card: "card_06", At: noon.Add(-25 * time.Hour), Open: true, Amount: api.Dollar},
	}
	want := []bool{false, false, false, false, true, true}
	for i, p := range r.Propose(nil, append(all, all[5]), done, 1000*api.Dollar, noon) {
		if (p.Out == "") != want[i] {
			t.Errorf("card %d: %q", i, p.Out)
		}
	}
	u := r.Use(done, noon)
	if u.Actions != 3 || u.Amount != api.Dollar {
		t.Errorf("used %+v: what is open counts, however old", u)
	}
	if r.Admit(nil, &u, "card_06", api.Dollar, noon) == "" {
		t.Error("a card with an operation under way is acted on")
	}
}

func TestWithdrawalsAndFreezes(t *testing.T) {
	all := matches(30*api.Dollar, 5*api.Dollar, 70*api.Dollar)
	all[2].Status = api.CardFrozen
	w := rule.Rule{Name: "w", Action: rule.WithdrawTo, Amount: 10 * api.Dollar, MaxDay: 75 * api.Dollar}
	if got := amounts(w.Propose(nil, all, nil, 0, noon)); !slices.Equal(got, []api.USD{60 * api.Dollar, 15 * api.Dollar, 0}) {
		t.Error(got)
	}
	f := rule.Rule{Name: "f", Action: rule.Freeze, MaxActions: 1}
	out := f.Propose(nil, all, nil, 0, noon)
	if out[0].Out != "" || out[1].Out == "" || out[2].Out == "" {
		t.Error(out)
	}
}

func TestHours(t *testing.T) {
	at := func(h, m int) time.Time { return time.Date(2026, 3, 2, h, m, 0, 0, time.UTC) }
	day, err := rule.ParseHours("08:00-22:00")
	night, err2 := rule.ParseHours("22:30-06:00")
	if err != nil || err2 != nil || day.Hold(at(7, 59)) || !day.Hold(at(8, 0)) || day.Hold(at(22, 0)) || !night.Hold(at(23, 0)) || !night.Hold(at(5, 59)) || night.Hold(at(6, 0)) {
		t.Error(day, night, err, err2)
	}
	for _, bad := range []string{"", "8-22", "08:00-25:00", "08:60-09:00", "08:00-08:00", "08:00-22:00 ", "-1:00-02:00"} {
		if h, err := rule.ParseHours(bad); err == nil {
			t.Errorf("%q is read as %v", bad, h)
		}
	}
}

// TestCapsHoldInAnyOrder walks rules through a few days: whatever is refused, answered
// late or not at all, and in whatever order cards come, no day that ends at any action
// holds more than the caps, and the same is proposed whatever the order.
func TestCapsHoldInAnyOrder(t *testing.T) {
	const walks = 300
	for seed := range uint64(walks) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		usd := func(n int) api.USD { return api.USD(rnd.IntN(n)) * api.Cent }
		r := rule.Rule{
			Name: "r", Action: []rule.Action{rule.FundTo, rule.FundBy, rule.WithdrawTo, rule.Freeze}[rnd.IntN(4)], Amount: usd(9000) + api.Dollar,
			MaxDay: api.Dollar + usd(40000), MaxCard: api.Dollar + usd(15000), MaxActions: 1 + rnd.IntN(40), Cooldown: time.Duration(rnd.IntN(300)) * time.Minute,
		}
		var moved, known []rule.Done // what acted, and what is known of it
		now := noon
		for range 60 {
			now = now.Add(time.Duration(rnd.IntN(180)) * time.Minute)
			all := matches(usd(9000), usd(9000), usd(9000), usd(9000), usd(9000))
			wallet := usd(50000)
			proposed := r.Propose(nil, all, known, wallet, now)
			rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if again := r.Propose(nil, all, known, wallet, now); !slices.Equal(again, proposed) {
				t.Fatalf("seed %d: the order decides: %v, %v", seed, proposed, again)
			}
			for _, p := range proposed {
				if p.Out != "" {
					continue
				}
				if r.Action.FromWallet() {
					wallet -= p.Amount
				}
				switch d := (rule.Done{Rule: "r", Card: p.Card, Amount: p.Amount, At: now}); rnd.IntN(4) {
				case 0: // refused: it neither moves nor counts
				case 1: // acted, and its answer is lost
					moved = append(moved, d)
					d.Open = true
					known = append(known, d)
				default:
					moved, known = append(moved, d), append(known, d)
				}
			}
			if wallet < 0 {
				t.Fatalf("seed %d: the wallet holds %s", seed, wallet)
			}
			hold(t, &r, moved, now)
			for i := range known { // Late answers come.
				if known[i].Open && rnd.IntN(3) == 0 {
					known[i].Open, known[i].At = false, now
				}
			}
		}
	}
	t.Logf("caps of rules: %d of %d random walks within them", walks, walks)
}

// hold fails where the day that ends now passes a cap.
func hold(t *testing.T, r *rule.Rule, moved []rule.Done, now time.Time) {
	t.Helper()
	var sum api.USD
	n, cards := 0, make(map[api.CardID]api.USD)
	last := make(map[api.CardID]time.Time)
	for _, d := range moved {
		if at, ok := last[d.Card]; ok && d.At.Sub(at) < r.Cooldown {
			t.Fatalf("%s again after %s, cooldown %s", d.Card, d.At.Sub(at), r.Cooldown)
		}
		last[d.Card] = d.At
		if now.Sub(d.At) >= rule.Day {
			continue
		}
		n++
		sum += d.Amount
		cards[d.Card] += d.Amount
	}
	if sum > r.MaxDay || n > r.MaxActions {
		t.Fatalf("%s of %s, %d of %d", sum, r.MaxDay, n, r.MaxActions)
	}
	for id, sum := range cards {
		if sum > r.MaxCard {
			t.Fatalf("%s: %s of %s", id, sum, r.MaxCard)
		}
	}
}
