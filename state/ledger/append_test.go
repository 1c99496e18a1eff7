package ledger

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
)

// mates are the transactions that are paired, by the digests of their ids.
func mates(l *Ledger) map[uint64]uint64 {
	out := make(map[uint64]uint64)
	for id, at := range l.ids {
		if k := l.records.link(at); k.pair != 0 {
			out[id] = l.records.link(k.pair).id
		}
	}
	return out
}

// TestADayThatBeginsPairsAsAllAnew reads transactions as they are made, over three weeks, and sleeps through a day or
// two now and then: at each moment the same are paired, and the same is held, as when all is read then.
func TestADayThatBeginsPairsAsAllAnew(t *testing.T) {
	noon := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	rnd := rand.New(rand.NewPCG(21, 22))
	paired, held := 0, api.USD(0)
	for range nighttest.Times(12, 60) {
		cards, every, late := 1+rnd.IntN(6), 20+rnd.IntN(200), []int{40, 600, 4000}[rnd.IntN(3)] // In minutes.
		forth := New()
		var all, page []api.Transaction
		now, next := noon, noon
		for n := 0; now.Before(noon.AddDate(0, 0, 21)); n++ {
			now = now.Add(time.Duration(rnd.IntN(2*every)) * time.Minute)
			hold := api.Transaction{
				ID: api.TransactionID(fmt.Sprint("hold_", n)), CardID: api.CardID(fmt.Sprint("card_", rnd.IntN(cards))), CreatedAt: now,
				Type: api.TransactionAuthorization, Amount: api.USD(20+rnd.IntN(40)) * api.Dollar,
			}
			hold.Merchant.Name = api.Text([]string{"META", "GOOGLE"}[rnd.IntN(2)])
			page = append(page, hold)
			if rnd.IntN(5) > 0 {
				settled := hold
				settled.ID, settled.Type, settled.Amount = api.TransactionID(fmt.Sprint("settlement_", n)), api.TransactionSettlement, -hold.Amount
				if rnd.IntN(4) == 0 {
					settled.Amount -= settled.Amount / 10
				}
				settled.CreatedAt = now.Add(time.Duration(1+rnd.IntN(late)) * time.Minute)
				page = append(page, settled)
			}
			if now.Before(next) {
				continue
			}
			next = now.Add(time.Duration(1+rnd.IntN(3*rnd.IntN(24)+1)) * time.Hour)
			var made, later []api.Transaction
			for _, row := range page {
				if row.CreatedAt.After(now) {
					later = append(later, row)
				} else {
					made = append(made, row)
				}
			}
			all, page = append(all, made...), later
			forth.Add(now, made)
			anew := New()
			anew.Add(now, all)
			if want, got := mates(anew), mates(forth); !maps.Equal(want, got) {
				t.Fatalf("%s: %d are paired, not %d, or others", now, len(got), len(want))
			}
			if want, got := anew.Open(Account()), forth.Open(Account()); want != got {
				t.Fatalf("%s: %+v is held, not %+v", now, got, want)
			}
			paired, held = paired+len(forth.ids), held+forth.Open(Account()).USD
		}
	}
	if paired == 0 || held == 0 {
		t.Error("nothing was ever paired or held")
	}
}
