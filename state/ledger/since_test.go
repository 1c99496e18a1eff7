package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

func TestATableSinceADayIsTheSumOfItsDays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := ledger.New()
		for i, campaign := range []string{"fb", "gg", "fb"} {
			l.Describe(api.CardID(fmt.Sprintf("c%d", i+1)), "424242", campaign)
		}
		var page []api.Transaction
		for n := range rapid.IntRange(0, 60).Draw(t, "count") {
			page = append(page, drawTransaction(t, n))
		}
		l.Add(start(), page)
		days := rapid.IntRange(1, ledger.Days).Draw(t, "days")
		from := start().Truncate(24*time.Hour).AddDate(0, 0, 1-days)
		for _, by := range []ledger.By{ledger.ByAccount, ledger.ByCard, ledger.ByCampaign, ledger.ByBIN, ledger.ByMerchant} {
			rows, sum := l.TableSince(by, from)
			if want := totalOf(l.Days(ledger.Account(), days)); sum != want {
				t.Errorf("in all %+v, want %+v", sum, want)
			}
			var all ledger.Totals
			for _, row := range rows {
				name, _ := l.Name(by, row.Place)
				if want := totalOf(l.Days(ledger.Scope{By: by, Name: name}, days)); row.Now != want {
					t.Errorf("%d %q: %+v, want %+v", by, name, row.Now, want)
				}
				all = plus(all, row.Now)
			}
			if all != sum {
				t.Errorf("%d: the rows come to %+v, not %+v", by, all, sum)
			}
		}
	})
}

func totalOf(days []ledger.Bucket) (sum ledger.Totals) {
	for _, d := range days {
		sum = plus(sum, d.Totals)
	}
	return sum
}

func plus(a, b ledger.Totals) ledger.Totals {
	return ledger.Totals{
		Settled: a.Settled + b.Settled, Refunded: a.Refunded + b.Refunded, Held: a.Held + b.Held,
		Authorized: a.Authorized + b.Authorized, Declined: a.Declined + b.Declined, Settlements: a.Settlements + b.Settlements, Refunds: a.Refunds + b.Refunds,
	}
}
