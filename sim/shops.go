package sim

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/sim/judge"
)

// shops are where cards are used in a world: some charge in another currency.
var shops = []struct {
	name, currency string
	most           int // Of a charge, in the currency.
}{{"Meta Ads", "", 9}, {"Google Ads", "", 20}, {"Yahoo Japan", "JPY", 1500}}

// charges has merchants charge cards until an hour.
func (w *world) charges(r *rand.Rand, until time.Time) {
	ids := slices.Sorted(maps.Keys(w.run.Before.Cards))
	for n := 0; ; n++ {
		pause(time.Duration(20+r.IntN(400)) * time.Second)
		if !now().Before(until) {
			w.closesTheBooks()
			return
		}
		id, shop := ids[r.IntN(len(ids))], shops[r.IntN(len(shops))]
		if amount := 1 + r.IntN(shop.most); w.takes(fmt.Sprint("charges ", n)) {
			if w.pays("settlement", id, shop.name, shop.currency, amount) && shop.currency == "" && r.IntN(5) == 0 {
				w.pays("refund", id, shop.name, "", amount)
			}
		}
	}
}

// closesTheBooks has somebody who sees all cards print what was spent.
func (w *world) closesTheBooks() {
	if i := slices.IndexFunc(w.machines, func(m *machine) bool { return !m.part }); i >= 0 && w.takes("books") {
		w.machines[i].user("books").reports()
	}
}

// pays has a merchant charge a card, or refund what it charged. It reports whether money moved, and may move back: a
// card that takes no charge declines it.
func (w *world) pays(kind, id, merchant, currency string, amount int) bool {
	body, err := json.Marshal(map[string]any{"card_id": id, "type": kind, "merchant": merchant, "currency": currency, "amount": amount})
	if err != nil {
		w.t.Fatal(err)
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	before, _ := w.left(id)
	if !w.causes("/sandbox/transactions", string(body)) {
		w.t.Errorf("%s cannot make a %s of %s", merchant, kind, id)
	}
	left, frozen := w.left(id)
	paid := before - left
	if paid != 0 {
		w.add(func(r *judge.Run) {
			r.Charges = append(r.Charges, judge.Charge{At: now(), Card: id, Cents: paid, Left: left, Frozen: frozen, Foreign: currency != ""})
		})
	}
	return paid != 0 && !frozen // By its own threshold: nothing is refunded to it.
}

// reports prints what was spent since before the world began.
func (p *person) reports() {
	a := p.runs("", judge.Asked{}, "report", "--since", "9d", "--jsonl")
	if a.Exit != 0 || a.Killed || p.part || p.w.past {
		return
	}
	for _, l := range lines[struct {
		By    string
		Spent float64
	}](p.w.t, a) {
		if l.By == "total" {
			p.w.add(func(r *judge.Run) {
				r.Reports = append(r.Reports, judge.Spent{From: a.From, To: a.To, Cents: int64(l.Spent*100 + 0.5)})
			})
		}
	}
}

// strays has a person use the key of another account, by which a card of it is funded.
func (p *person) strays(sum int64) {
	ids := slices.Sorted(maps.Keys(p.w.theirs))
	id, k := ids[p.rand.IntN(len(ids))], p.given()
	p.with = theirKey
	defer func() { p.with = "" }()
	amount := fmt.Sprintf("%d.%02d", sum/100, sum%100)
	p.w.add(func(r *judge.Run) { r.AskedThere = append(r.AskedThere, judge.Act{Verb: "fund", Card: id, Cents: sum}) })
	p.runs("", judge.Asked{}, "cards", "fund", id, "--amount", amount, "--idempotency-key", k, "--json", "--yes", "--max-amount", amount)
	p.runs("", judge.Asked{}, "operations", "list", "--jsonl")
	p.runs("", judge.Asked{}, strings.Fields("cards list --jsonl --fields id")...)
}
