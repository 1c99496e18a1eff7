package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/ledger"
)

func TestOnlyWhatChangedIsKept(t *testing.T) {
	t.Parallel()
	yesterday := start().AddDate(0, 0, -1)
	l := ledger.New()
	l.Add(start(), []api.Transaction{purchase(1, "c1", "Ads", yesterday, api.Dollar), purchase(2, "c1", "Ads", yesterday, api.Dollar)})
	l.Cover(yesterday.Truncate(24*time.Hour).AddDate(0, 0, -1), start())
	var k ledger.Kept
	days, versions := k.Changed(l, 9)
	if len(days) != 2 || len(days[0].Rows) != 0 || len(days[1].Rows) != 2 {
		t.Fatalf("%+v are to be kept", days)
	}
	k.Saved(versions...)
	if days, _ := k.Changed(l, 9); len(days) > 0 {
		t.Errorf("%d days are kept again", len(days))
	}
	l.Add(start(), []api.Transaction{purchase(2, "c1", "Ads", yesterday, 2*api.Dollar)})
	if days, _ := k.Changed(l, 9); len(days) != 1 || len(days[0].Rows) != 2 {
		t.Errorf("after a change %+v are kept", days)
	}
	for name, c := range map[string]struct {
		before []api.Transaction
		days   []ledger.Closed
		want   int
	}{
		"nothing before":   {nil, days, 0},
		"a newer reading":  {[]api.Transaction{purchase(2, "c1", "Ads", yesterday, 2*api.Dollar)}, days, 1},
		"a row of its own": {[]api.Transaction{purchase(3, "c1", "Ads", yesterday, api.Dollar)}, days, 1},
		"a damaged day":    {nil, []ledger.Closed{days[0], {Day: days[1].Day, Rows: []ledger.ClosedRow{{Card: 7}}}}, 0},
	} {
		next := ledger.New()
		next.Add(start(), c.before)
		var k ledger.Kept
		k.Restore(next, start(), c.days...)
		if days, _ := k.Changed(next, 9); len(days) != c.want {
			t.Errorf("%s: %+v are to be kept", name, days)
		}
	}
}

// TestADayThatIsNotOverIsNotRestored holds that a file of a clock that was wrong does not
// hide what is made today.
func TestADayThatIsNotOverIsNotRestored(t *testing.T) {
	t.Parallel()
	for _, day := range []int{0, 1, 300} {
		l := ledger.New()
		l.Restore(start(), ledger.Closed{Day: start().Truncate(24*time.Hour).AddDate(0, 0, day)})
		if known := l.Known(); len(known) > 0 {
			t.Errorf("in %d days: %v is known", day, known)
		}
	}
}

// TestADayIsRestoredInParts, with the sums of the whole, and is known when the last of
// them was: one that is read meanwhile is newer.
func TestADayIsRestoredInParts(t *testing.T) {
	t.Parallel()
	yesterday := start().AddDate(0, 0, -1)
	var page []api.Transaction
	for i := range 5000 {
		page = append(page, purchase(i+1, fmt.Sprint("c", i%7), "Ads", yesterday.Add(-time.Duration(i)*time.Second), api.Dollar))
		page[i].Merchant.Country = api.Text([]string{"IE", "US"}[i%7%2])
	}
	l := ledger.New()
	l.Add(start(), page)
	l.Cover(yesterday.Truncate(24*time.Hour), start())
	day, ok := l.Close(yesterday)
	parts := day.Parts()
	if !ok || len(parts) != 10 {
		t.Fatalf("%d parts", len(parts))
	}
	for _, meanwhile := range []int{0, 1} {
		next, k := ledger.New(), ledger.Kept{}
		for i, part := range parts {
			if known := next.Known(); len(known) > 0 {
				t.Fatalf("after %d parts %v is known", i, known)
			}
			if i == 2 && meanwhile > 0 {
				next.Add(start(), []api.Transaction{purchase(9000, "c1", "Ads", yesterday, api.Dollar)})
			}
			k.Restore(next, start(), part)
		}
		got, want := next.Total(ledger.Account(), ledger.Last7d), l.Total(ledger.Account(), ledger.Last7d)
		if got.Settled != want.Settled+api.USD(meanwhile)*api.Dollar || got.Settlements != want.Settlements+int32(meanwhile) || got.Open != want.Open {
			t.Errorf("restored %+v, want %+v", got.Totals, want.Totals)
		}
		for _, country := range []api.Text{"IE", "US"} {
			there, _ := next.InCountry(ledger.OfCard("c1"), country)
			if used := country == "US"; there != used {
				t.Errorf("used in %s: %t, want %t", country, there, used)
			}
		}
		if days, _ := k.Changed(next, 9); len(days) != meanwhile {
			t.Errorf("%d days are to be kept", len(days))
		}
	}
	damaged := day
	damaged.Cards = damaged.Cards[:1]
	next, k := ledger.New(), ledger.Kept{}
	k.Restore(next, start(), damaged.Parts()...)
	if next.Len() > 0 || len(next.Known()) > 0 {
		t.Errorf("%d rows of a damaged day", next.Len())
	}
}
