package alert

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// BenchmarkUpdate compares a card that changed, and once a minute what else did, in an
// account of many cards with ten transactions each.
func BenchmarkUpdate(b *testing.B) {
	for _, cards := range []int{1_000, 100_000} {
		a := &account{ledger: ledger.New(), now: noon(), cards: make(map[api.CardID]cardlist.Card), judged: make(map[api.CardID]bool)}
		a.ledger.Advance(a.now)
		var page []api.Transaction
		for i := range cards {
			id := api.CardID(fmt.Sprintf("card_%06d", i))
			a.cards[id] = cardlist.Card{ID: id, BIN: api.BINID(fmt.Sprint("bin_", i%20)), Status: api.CardActive, Balance: 500 * api.Dollar}
			a.ledger.Describe(id, a.cards[id].BIN, fmt.Sprint("campaign ", i%200))
			for n := range 10 {
				page = append(page, api.Transaction{
					ID: api.TransactionID(fmt.Sprint(i, "-", n)), CardID: id, Type: api.TransactionSettlement, Amount: -api.Dollar,
					CreatedAt: a.now.Add(-time.Duration(n) * 3 * 24 * time.Hour), Merchant: api.Merchant{Name: "Ads", Country: "IE"},
				})
			}
		}
		a.ledger.Add(a.now, page)
		a.ledger.Cover(a.now.AddDate(0, 0, -30), a.now)
		a.insight = NewInsight(a, &a.list)
		r := Defaults()
		for a.insight.Update(&r, a.now, a.now); len(a.insight.next) > 0; {
			a.insight.Update(&r, a.now, a.now)
		}
		b.Run(fmt.Sprintf("one of %d cards", cards), func(b *testing.B) {
			for b.Loop() {
				a.insight.Changed("card_000007")
				a.insight.Update(&r, a.now, a.now)
			}
		})
		b.Run(fmt.Sprintf("a minute of %d cards", cards), func(b *testing.B) {
			for b.Loop() {
				a.insight.Changed("card_000007")
				a.insight.minute = 0
				a.insight.Update(&r, a.now, a.now)
			}
		})
	}
}
