package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/internal/nighttest"
)

// ledger is what the answers of the operations add up to.
type ledger struct {
	mu                       sync.Mutex
	wallet, cards            unit.Cents
	deposited, spent         unit.Cents
	granted, refused, failed int
}

// TestMoneyIsConserved makes 4,000 random operations, many at once, and
// compares where the money is with what the answers said.
func TestMoneyIsConserved(t *testing.T) {
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(t.TempDir(), "world.db")} {
		t.Run(name, func(t *testing.T) {
			operations := nighttest.Times(500, 3_000)
			if path != "" {
				operations = nighttest.Times(200, 1_000)
			}
			c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "20000", Path: path})
			books := &ledger{wallet: 2_000_000, deposited: 2_000_000}
			var ids []string
			for range 12 {
				ids = append(ids, c.newCard("200"))
				books.wallet -= 20000
				books.cards += 20000
			}
			var wg sync.WaitGroup
			const workers = 8
			for worker := range workers {
				wg.Go(func() {
					rng := rand.New(rand.NewPCG(uint64(worker), 99))
					for range operations / workers {
						books.operate(c, rng, ids)
					}
				})
			}
			wg.Wait()
			w := c.send("GET", "/wallet/balance", "").want(200)
			for name, want := range map[string]unit.Cents{
				"balance": books.wallet, "cards_total_balance": books.cards, "total_deposited": books.deposited, "total_spent": books.spent,
			} {
				if got := w.money(name); got != want {
					t.Errorf("%s is %s, want %s", name, got, want)
				}
			}
			if books.failed > 0 || books.granted < operations/2 || books.refused < operations/100 {
				t.Errorf("%d granted, %d refused, %d failed", books.granted, books.refused, books.failed)
			}
			c.audit()
		})
	}
}

// operate makes one random operation and books what its answer says.
func (b *ledger) operate(c *client, rng *rand.Rand, ids []string) {
	id := ids[rng.IntN(len(ids))]
	if len(ids) > 1 && rng.IntN(3) == 0 {
		id = ids[0] // One card that everybody writes to.
	}
	amount := fmt.Sprintf("%d.%02d", 1+rng.IntN(60), rng.IntN(100))
	path, body := "/cards/"+id, `{"amount":`+amount+`}`
	var r reply
	var err error
	ctx := context.Background()
	n := rng.IntN(100)
	switch {
	case n < 20:
		r, err = c.try(ctx, "POST", path+"/fund", body)
	case n < 35:
		r, err = c.try(ctx, "POST", path+"/withdraw", body)
	case n < 75:
		r, err = c.try(ctx, "POST", "/sandbox/transactions", randomTrigger(rng, id, amount))
	case n < 80:
		r, err = c.try(ctx, "POST", path+[...]string{"/freeze", "/unfreeze", "/unfreeze"}[rng.IntN(3)], "")
	case n < 85:
		r, err = c.try(ctx, "PATCH", path, `{"auto_freeze_at":`+amount+`}`)
	case n < 90:
		r, err = c.try(ctx, "POST", "/sandbox/deposits", `{"currency":"sol","amount_usd":`+amount+`,"status":"confirmed"}`)
	case n < 95:
		r, err = c.try(ctx, "POST", "/cards", `{"bin_id":"424242","amount":`+amount+`}`)
	default:
		made, tryErr := c.try(ctx, "POST", "/cards", `{"bin_id":"424242","amount":`+amount+`}`)
		if tryErr == nil && made.status == 201 {
			b.book(made, tryErr)
			path = "/cards/" + made.text("id")
			r, err = c.try(ctx, "DELETE", path, "")
		}
	}
	b.book(r, err)
}

// randomTrigger returns the body of a transaction: of one merchant, so that most of them
// meet a hold, half of them in another currency or in parts.
func randomTrigger(rng *rand.Rand, id, amount string) string {
	kind := [...]string{"settlement", "settlement", "refund", "authorization", "authorization", "reversal", "decline"}[rng.IntN(7)]
	more := ""
	switch {
	case kind == "settlement" && rng.IntN(2) == 0:
		more = `,"part":true`
	case kind == "decline" && rng.IntN(2) == 0:
		more = `,"decline_text":"Do not honor"`
	case kind == "decline":
		more = `,"decline_reason":"none"`
	case kind == "authorization" && rng.IntN(4) == 0:
		amount = "0"
	}
	switch rng.IntN(6) {
	case 0:
		more += `,"currency":"JPY"`
		amount, _, _ = strings.Cut(amount, ".")
	case 1:
		more += `,"currency":"EUR"`
	case 2:
		more += `,"currency":"MXN"`
	}
	return `{"card_id":"` + id + `","type":"` + kind + `","merchant":"Acme","amount":` + amount + more + `}`
}

// costs returns the USD of an amount that was answered in its currency.
func costs(r reply) unit.Cents {
	price := map[string]unit.Cents{"USD": 10_000, "EUR": 10_800, "JPY": 67, "MXN": 550}[r.text("currency")]
	amount, sign := r.money("amount"), unit.Cents(1)
	if amount < 0 {
		amount, sign = -amount, -1
	}
	return sign * max(1, (amount*price+5_000)/10_000)
}

func (b *ledger) book(r reply, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil || r.status >= 500 {
		b.failed++
		return
	}
	if r.status >= 400 {
		b.refused++
		return
	}
	b.granted++
	has := func(name string) bool { _, is := r.at(name).(json.Number); return is }
	switch {
	case has("funded_amount"):
		b.wallet -= r.money("funded_amount")
		b.cards += r.money("funded_amount")
	case has("withdrawn_amount"):
		b.wallet += r.money("withdrawn_amount")
		b.cards -= r.money("withdrawn_amount")
	case has("refunded_amount"):
		b.wallet += r.money("refunded_amount")
		b.cards -= r.money("refunded_amount")
	case has("credited_usd"):
		b.wallet += r.money("credited_usd")
		b.deposited += r.money("credited_usd")
	case r.text("type") == "settlement" || r.text("type") == "refund":
		b.cards += costs(r)
		b.spent -= costs(r)
	case has("spending_limit") && r.status == 201:
		b.wallet -= r.money("balance")
		b.cards += r.money("balance")
	}
}
