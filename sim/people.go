package sim

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

// calm is for how long nothing has come to harm when what a program shows is looked at.
const calm = 2 * time.Minute

// live has a person use cards until an hour.
func (p *person) live(until time.Time) {
	for at := now(); ; {
		does := p.begins()
		at = at.Add(p.between(20*time.Second, 8*time.Minute)) // However long the last took.
		pause(at.Sub(now()))
		if !now().Before(until) {
			return
		}
		if !does {
			continue
		}
		if p.rand.IntN(8) == 0 {
			p.mu.Lock()
			p.killAt, p.after = 1+p.rand.IntN(6), p.rand.IntN(2) == 0
			p.mu.Unlock()
		}
		p.acts()
		p.mu.Lock()
		p.killAt = 0
		p.mu.Unlock()
	}
}

func pause(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

func (p *person) between(least, most time.Duration) time.Duration {
	return least + time.Duration(p.rand.Int64N(int64(most-least)))
}

// card is one of the account's. Those whose labels have a cap of their own are used more.
func (p *person) card() string {
	ids := slices.Sorted(maps.Keys(p.w.run.Before.Cards))
	if capped := slices.Sorted(maps.Keys(p.w.run.Capped)); len(capped) > 0 && p.rand.IntN(4) == 0 {
		ids = capped
	}
	for {
		if id := ids[p.rand.IntN(len(ids))]; !p.w.run.Others[id] {
			return id
		}
	}
}

// cents are those of an amount that nobody asked for before.
func (p *person) cents() int64 {
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	sum := 500 + int64(p.rand.IntN(2500))
	for p.w.used[sum] {
		sum++
	}
	p.w.used[sum] = true
	return sum
}

// given is a new idempotency key.
func (p *person) given() string {
	p.n++
	return fmt.Sprintf("%s-%s-%06d", p.name, p.role, p.n)
}

// acts does one of the things that people do.
func (p *person) acts() {
	id, sum := p.card(), p.cents()
	amount := strconv.FormatFloat(float64(sum)/100, 'f', 2, 64)
	most := []string{"--yes", "--max-amount", amount}
	if more := draw(p.w.seed, fmt.Sprint(p.name, " ", p.role, " more ", p.act)).IntN(20); more == 0 && !p.w.team() {
		p.strays(sum)
		return
	} else if more < 3 && !p.part {
		p.reports()
		return
	} else if more < 8 && p.rank == judge.Lead {
		p.decides()
		return
	} else if more == 19 {
		p.forbids(id, sum)
		return
	} else if more > 14 && p.rank == judge.Viewer { // Who may write nothing tries what no money moves by.
		p.toggles(id)
		return
	}
	switch p.rand.IntN(10) {
	case 0, 1, 2: // A fund, by some twice by the same line.
		k := p.given()
		args := append([]string{"cards", "fund", id, "--amount", amount, "--idempotency-key", k, "--json"}, most...)
		a := judge.Asked{Verb: "fund", Cards: []string{id}, Cents: sum, Key: k}
		first := p.runs("", a, args...)
		if first.Killed || p.rand.IntN(3) == 0 {
			pause(p.between(0, time.Minute))
			p.runs("", a, args...)
		}
	case 3: // Without a key: each line is a request of its own.
		card, one := p.names(id)
		p.runs("", judge.Asked{Verb: "fund", Cards: []string{id}, Cents: sum, Forbidden: !one}, append([]string{"cards", "fund", card, "--amount", amount}, most...)...)
	case 4:
		k := p.given()
		p.runs("", judge.Asked{Verb: "withdraw", Cards: []string{id}, Cents: sum, Key: k}, append([]string{"cards", "withdraw", id, "--amount", amount, "--idempotency-key", k, "--json"}, most...)...)
	case 5:
		p.fundsMany(id, amount, sum)
	case 6:
		p.toggles(id)
	case 7:
		p.list()
	case 8:
		p.readsWallet()
	case 9:
		p.levels(id, sum)
	}
}

// toggles freezes a card or unfreezes it.
func (p *person) toggles(id string) {
	verb := "freeze"
	if p.rand.IntN(2) == 0 {
		verb = "unfreeze"
	}
	p.runs("", judge.Asked{Verb: verb, Cards: []string{id}}, "cards", verb, id, "--yes")
}

// names returns a card's id, or its label. It reports whether that names one card.
func (p *person) names(id string) (name string, one bool) {
	label, moved := p.w.label(id)
	if moved || label == "" || p.w.run.Before.Cards[id].Status == "terminated" || p.rand.IntN(2) == 0 {
		return id, true
	}
	return label, p.w.alike(label) == 1
}

// fundsMany funds some cards at once, and again where that did not go to its end.
func (p *person) fundsMany(id, amount string, sum int64) {
	ids := []string{id}
	for range p.rand.IntN(4) {
		if other := p.card(); !slices.Contains(ids, other) {
			ids = append(ids, other)
		}
	}
	all := strconv.FormatFloat(float64(sum*int64(len(ids)))/100, 'f', 2, 64)
	k := p.given()
	args := []string{"cards", "fund", "-", "--amount", amount, "--yes", "--max-amount", all, "--idempotency-key", k, "--jsonl"}
	a := judge.Asked{Verb: "fund", Cards: ids, Cents: sum, Key: k, Many: true}
	first := p.runs(strings.Join(ids, "\n")+"\n", a, args...)
	if first.Killed || first.Exit != 0 {
		pause(p.between(0, time.Minute))
		p.runs(strings.Join(ids, "\n")+"\n", a, args...)
	}
}

// levels has two programs bring a card to a balance at once: the one that comes later has to see what the other did.
// Programs of other machines could be in between.
func (p *person) levels(id string, more int64) {
	if len(p.w.machines) > 1 || !p.w.liar.well(time.Minute) {
		return
	}
	level, _ := p.w.left(id)
	level += more
	amount := fmt.Sprintf("%d.%02d", level/100, level%100)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			p.runs(id+"\n", judge.Asked{Verb: "fund", Cards: []string{id}, Level: level}, "cards", "fund", "-", "--share", "level", "--amount", amount, "--yes", "--max-amount", "1000", "--jsonl")
		})
	}
	both.Wait()
}

// list prints the cards, or the active ones, and is judged where it says that it is whole.
func (p *person) list() {
	if p.part && p.rand.IntN(4) > 0 {
		p.listCharges()
		return
	}
	args, active := []string{"cards", "list", "--jsonl", "--fields", "id,balance"}, p.rand.IntN(2) == 0
	if active {
		args = append(args, "--status", "active")
	}
	a := p.runs("", judge.Asked{}, args...)
	if a.Exit != 0 || a.Killed {
		return
	}
	var ids []string
	for _, c := range lines[struct {
		ID      string
		Balance json.Number
	}](p.w.t, a) {
		ids = append(ids, c.ID)
		if p.w.liar.well(calm) {
			p.w.add(func(r *judge.Run) {
				r.Held = append(r.Held, judge.Held{From: a.From, To: a.To, Card: c.ID, Cents: cents(c.Balance), Place: a.Line})
			})
		}
	}
	p.w.add(func(r *judge.Run) {
		r.Listed = append(r.Listed, judge.Listed{From: a.From, To: a.To, IDs: ids, Active: active, Part: p.part})
	})
}

// listCharges prints the cards that were charged.
func (p *person) listCharges() {
	a := p.runs("", judge.Asked{}, "transactions", "list", "--jsonl", "--fields", "card_id")
	seen := make(map[string]bool)
	for _, t := range lines[struct {
		Card string `json:"card_id"`
	}](p.w.t, a) {
		seen[t.Card] = true
	}
	p.w.add(func(r *judge.Run) {
		r.Listed = append(r.Listed, judge.Listed{From: a.From, To: a.To, IDs: slices.Sorted(maps.Keys(seen)), Some: true, Part: p.part})
	})
}

// readsWallet prints the wallet.
func (p *person) readsWallet() {
	a := p.runs("", judge.Asked{}, "wallet", "--json")
	if a.Exit != 0 || a.Killed || !p.w.liar.well(calm) {
		return
	}
	for _, shown := range lines[struct{ Balance json.Number }](p.w.t, a) {
		p.w.add(func(r *judge.Run) {
			r.Seen = append(r.Seen, judge.Seen{At: a.To, Place: a.Line, Wallet: cents(shown.Balance), Screen: a.Out})
		})
	}
}

// follows has a program print what happens, and notes when it alerts that the wallet is low.
func (p *person) follows(until time.Time) {
	for now().Before(until) {
		p.begins()
		a := p.runs("", judge.Asked{}, "watch", "--json", "--for", fmt.Sprintf("%dm", 20+p.rand.IntN(100)))
		var times []time.Time
		for _, e := range lines[struct {
			At          time.Time
			Event, Type string
		}](p.w.t, a) {
			if e.Event == "alert" && e.Type == "wallet low" {
				times = append(times, e.At.Add(-p.ahead))
			}
		}
		p.w.add(func(r *judge.Run) {
			r.Alerts = append(r.Alerts, judge.Alerted{From: a.From, To: a.To, Times: times, Out: a.Out})
		})
		pause(p.between(time.Second, 5*time.Minute))
	}
}

// watches has a program without a screen act on a rule, and start again when it ends.
func (p *person) watches(until time.Time) {
	for now().Before(until) {
		p.begins()
		longest, outage := 50*time.Minute, make(chan struct{})
		if p.rand.IntN(2) == 0 { // It ends while what it asked for is under way.
			longest = 2 * time.Minute
			from := p.between(3*time.Second, 7*time.Second) // The cards are read by then.
			go func() {
				defer close(outage)
				pause(from)
				p.w.setSick(1)
				pause(3 * time.Minute)
				p.w.setSick(0)
			}()
		} else {
			close(outage)
		}
		span := min(until.Sub(now()), p.between(time.Minute, longest))
		p.runs("", judge.Asked{}, "watch", "--plain", "--act", "topup", "--max-amount", "500", "--for", fmt.Sprintf("%dm", max(1, int(span.Minutes()))))
		<-outage
		pause(p.between(time.Second, 20*time.Minute))
	}
}

// fair has a person fund a card while nothing is in the way of it.
func (p *person) fair() {
	if p.rank == judge.Viewer {
		return // They may write nothing.
	}
	books := p.w.books()
	for _, id := range slices.Sorted(maps.Keys(books.Cards)) {
		if p.part && !strings.HasPrefix(books.Cards[id].Label, scope) {
			continue
		}
		sum := p.cents()
		if p.rank == judge.Buyer && sum > judge.BuyerCap || p.w.forbids("fund", sum) {
			continue
		}
		if books.Cards[id].Status == "active" && !p.w.expired(id) && sum <= books.Wallet && p.w.maxDay == 0 {
			amount, k := strconv.FormatFloat(float64(sum)/100, 'f', 2, 64), p.given()
			a := judge.Asked{Verb: "fund", Cards: []string{id}, Cents: sum, Key: k, Fair: true}
			p.runs("", a, "cards", "fund", id, "--amount", amount, "--idempotency-key", k, "--json", "--yes", "--max-amount", amount)
			return
		}
	}
}

// forbids has a person ask for what the same line forbids: more than its most, without a yes where nobody can be asked,
// or for a card that has expired.
func (p *person) forbids(id string, cents int64) {
	amount := fmt.Sprintf("%d.%02d", cents/100, cents%100)
	p.w.mu.Lock()
	expired := p.w.expiredCard
	p.w.mu.Unlock()
	var more []string
	switch n := p.rand.IntN(3); {
	case n == 0 && expired != "" && p.w.liar.well(calm): // Its expiry can be read.
		id, more = expired, []string{"--yes", "--max-amount", amount}
	case n < 2:
		more = []string{"--yes", "--max-amount", "1"}
	default:
		more = []string{"--max-amount", amount}
	}
	args := append([]string{"cards", "fund", id, "--amount", amount, "--json"}, more...)
	p.runs("", judge.Asked{Verb: "fund", Cards: []string{id}, Cents: cents, Forbidden: true}, args...)
}

// settles has a person settle what is open on their machine, as the program tells them to.
func (p *person) settles() {
	type open struct {
		Key    string `json:"idempotency_key"`
		Action string
		Card   string `json:"card_id"`
		Amount json.Number
		At     time.Time `json:"begun_at"`
	}
	type plan struct{ ID string }
	for range 5 {
		plans := lines[plan](p.w.t, p.runs("", judge.Asked{}, "plans", "list", "--jsonl"))
		for _, l := range plans {
			p.runs("", judge.Asked{}, "plans", "resume", l.ID, "--yes", "--max-amount", "100000")
		}
		ops := lines[open](p.w.t, p.runs("", judge.Asked{}, "operations", "list", "--jsonl"))
		for _, o := range ops {
			if a := p.runs("", judge.Asked{}, "operations", "settle", o.Key); a.Exit != 0 {
				how := "--not-done"
				// A gateway may have done what it answered 429 to, a moment before the try that is open.
				since := o.At.Add(-p.ahead - time.Minute)
				switch {
				case strings.Contains(a.Errs, "it seems to be done"):
					how = "--done"
				case strings.Contains(a.Errs, "it seems not to be done"):
				case p.w.acted(judge.Act{Verb: o.Action, Card: o.Card, Cents: cents(cmp.Or(o.Amount, "0")), At: since}): // They look at the provider's pages.
					how = "--done"
				}
				p.runs("", judge.Asked{}, "operations", "settle", o.Key, how)
			}
		}
		if len(plans)+len(ops) == 0 {
			return
		}
	}
}

// reads runs a command that nothing keeps from reading.
func (p *person) reads(args ...string) judge.Asked {
	a := p.runs("", judge.Asked{}, args...)
	if a.Exit != 0 && !a.Killed {
		p.w.add(func(r *judge.Run) {
			r.Crashes = append(r.Crashes, fmt.Sprintf("%s ended with %d: %s", a.Line, a.Exit, a.Errs))
		})
	}
	return a
}

// tells adds what the program shows of the past and of what is open.
func (p *person) tells() {
	type record struct {
		Time    time.Time
		Key     string
		Action  string
		Card    string
		Outcome string
		Rule    string
		By      string
		Amount  *float64
		Asked   *float64
	}
	for _, r := range lines[record](p.w.t, p.reads("history", "--jsonl")) {
		t := judge.Told{At: r.Time.Add(-p.ahead), Key: r.Key, Action: r.Action, Card: r.Card, Outcome: r.Outcome, Rule: r.Rule, By: r.By, Machine: p.name}
		if r.Amount != nil {
			t.Cents = int64(*r.Amount*100 + 0.5)
		}
		if r.Asked != nil { // The provider does what it was asked for, whatever it answers.
			t.Cents = int64(*r.Asked*100 + 0.5)
		}
		p.w.run.History = append(p.w.run.History, t)
	}
	for _, o := range lines[struct {
		Key string `json:"idempotency_key"`
	}](p.w.t, p.reads("operations", "list", "--jsonl")) {
		p.w.run.Open = append(p.w.run.Open, o.Key)
	}
}
