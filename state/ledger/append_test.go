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

// TestWhatComesLastIsPairedAsAllAnew reads transactions in about the order they were made,
// a few at a time and some again, and from the newest back one by one: the same are paired.
func TestWhatComesLastIsPairedAsAllAnew(t *testing.T) {
	noon := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	rnd := rand.New(rand.NewPCG(11, 12))
	paired := 0
	for range nighttest.Times(20, 80) {
		steps := []int{1, 50, 5000}[rnd.IntN(3)] // Minutes between two: few or many within reach.
		amounts, settles, cards, shops := []int{1, 6, 500}[rnd.IntN(3)], 2+rnd.IntN(9), 1+rnd.IntN(2), 1+rnd.IntN(3)
		var all []api.Transaction
		at := noon
		for i := range 30 + rnd.IntN(700) {
			at = at.Add(time.Duration(rnd.IntN(steps+1)) * time.Minute)
			row := api.Transaction{
				ID: api.TransactionID(fmt.Sprint("txn_", i)), CardID: api.CardID(fmt.Sprint("card_", rnd.IntN(cards))), CreatedAt: at,
				Type: api.TransactionAuthorization, Amount: api.USD(100+rnd.IntN(amounts)*7) * api.Dollar,
			}
			row.Merchant.Name = api.Text([]string{"META", "GOOGLE", ""}[rnd.IntN(shops)])
			if rnd.IntN(settles) == 0 {
				row.Type, row.Amount = api.TransactionSettlement, -row.Amount
			}
			all = append(all, row)
		}
		forth, back := New(), New()
		var held []api.Transaction
		for from := 0; from < len(all); {
			n := min(1+rnd.IntN(40), len(all)-from)
			page := append([]api.Transaction(nil), all[max(0, from-rnd.IntN(5)):from+n]...)
			rnd.Shuffle(len(page), func(i, j int) { page[i], page[j] = page[j], page[i] })
			if rnd.IntN(3) == 0 && len(held) < 3 { // One is listed later.
				held, page = append(held, page[0]), page[1:]
			} else {
				page, held = append(page, held...), nil
			}
			forth.Add(at, page)
			if i := rnd.IntN(from + n); rnd.IntN(4) == 0 { // It changes, or is new.
				all[i].Amount += all[i].Amount / 100
				forth.Add(at, all[i:i+1])
			}
			from += n
		}
		forth.Add(at, held)
		forth.Add(at, all) // What changed while it was held.
		for i := range all {
			back.Add(at, all[len(all)-1-i:len(all)-i])
		}
		want, got := mates(back), mates(forth)
		if !maps.Equal(want, got) {
			t.Fatalf("%d transactions: %d are paired, not %d, or others", len(all), len(got), len(want))
		}
		if a, b := forth.Total(Account(), Last30d), back.Total(Account(), Last30d); a != b {
			t.Fatalf("the sums are %+v, not %+v", a, b)
		}
		paired += len(got)
	}
	if paired == 0 {
		t.Error("nothing was ever paired")
	}
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
