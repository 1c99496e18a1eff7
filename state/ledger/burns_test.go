package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
)

// measure is the burn of a scope from its own trace and week.
func measure(l *ledger.Ledger, s ledger.Scope) (burn.Burn, bool) {
	t := l.Trace(s)
	if week, first, ok := l.Week(s); ok {
		t.Week = burn.WeekOf(&week)
		if shape, ok := burn.ShapeOf(&week, first); ok {
			t.Shape = &shape
		}
	}
	return burn.Of(&t)
}

// busy is a ledger of cards that spend every hour, some of it held, for ten days.
func busy(cards int, seed int) *ledger.Ledger {
	l := ledger.New()
	var page []api.Transaction
	for i := range cards {
		card := fmt.Sprint("c", i)
		l.Describe(api.CardID(card), api.BINID(fmt.Sprint("b", i%2)), fmt.Sprint("g", i%3))
		for h := range 240 / (i + 1) {
			t := purchase(1000*i+h, card, fmt.Sprint("Shop ", (h+seed)%4), start().Add(-time.Duration(h*(i+1))*time.Hour), api.USD(1+(h*seed)%7)*api.Dollar)
			if h%5 == 0 {
				t.Type, t.Amount = api.TransactionAuthorization, -t.Amount
			}
			page = append(page, t)
		}
	}
	l.Add(start(), page)
	return l
}

// TestBurnsAreThoseOfTheTraces asks for burns in any order while the ledger changes, and
// compares each with what is measured anew. What changes a shape comes with another
// hour.
func TestBurnsAreThoseOfTheTraces(t *testing.T) {
	t.Parallel()
	scopes := []ledger.Scope{ledger.Account(), {By: ledger.ByCard, Name: "unknown"}, {By: ledger.ByMerchant, Name: "Shop 1"}}
	for i := range 5 {
		scopes = append(scopes, ledger.OfCard(api.CardID(fmt.Sprint("c", i))), ledger.Scope{By: ledger.ByCampaign, Name: fmt.Sprint("g", i)}, ledger.Scope{By: ledger.ByBIN, Name: fmt.Sprint("b", i)})
	}
	some := 0
	rapid.Check(t, func(t *rapid.T) {
		l := busy(4, rapid.IntRange(1, 9).Draw(t, "seed"))
		burns, now := ledger.NewBurns(l, nil), start()
		for step := range 12 {
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				now = now.Add(time.Duration(rapid.IntRange(1, 90).Draw(t, "minutes")) * time.Minute)
				l.Advance(now)
			case 1:
				l.Cover(time.Time{}, now)
			case 2:
				l.Add(now, []api.Transaction{purchase(9000+step, rapid.SampledFrom([]string{"c1", "c2"}).Draw(t, "card"), "New", now, 50*api.Dollar)})
			case 3:
				l.Describe("c1", "b1", rapid.SampledFrom([]string{"g0", "g1", "g4"}).Draw(t, "campaign"))
				now = now.Add(time.Hour)
				l.Advance(now)
			case 4:
				burns.EachCard(func(id api.CardID, lasts func(api.USD) (burn.Runway, bool)) {
					want, ok := burns.Runway(ledger.OfCard(id), 500*api.Dollar)
					if got, told := lasts(500 * api.Dollar); told != ok || got != want {
						t.Fatalf("%s lasts %v of all, %v by itself", id, got, want)
					}
				})
			default:
			}
			s := rapid.SampledFrom(scopes).Draw(t, "scope")
			want, ok := measure(l, s)
			got, known := burns.Of(s)
			if known != ok || got.PerHour != want.PerHour || got.Low != want.Low || got.High != want.High {
				t.Fatalf("%+v burns %v (%v to %v), %t, want %v (%v to %v), %t", s, got.PerHour, got.Low, got.High, known, want.PerHour, want.Low, want.High, ok)
			}
			if !ok {
				continue
			}
			some++
			a, _, _ := got.Ahead(20 * time.Hour)
			if b, _, _ := want.Ahead(20 * time.Hour); a != b {
				t.Fatalf("%+v spends %v in 20 h, want %v: it has another shape", s, a, b)
			}
			lasts, _ := burns.Runway(s, 500*api.Dollar)
			if want := want.Runway(500*api.Dollar - l.Open(s).USD); lasts != want {
				t.Fatalf("%+v lasts %v, want %v", s, lasts, want)
			}
		}
	})
	if some == 0 {
		t.Error("nothing burns")
	}
}

// TestACardWithLessThanItSpentInADay has a figure however uneven its charges are: it lasts at most as long as at the rate
// of that day. One with more has none.
func TestACardWithLessThanItSpentInADay(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	l.Describe("c", "b", "g")
	l.Add(start(), []api.Transaction{
		purchase(1, "c", "Shop 1", start().Add(-20*time.Hour), 500*api.Dollar), purchase(2, "c", "Shop 1", start().Add(-3*time.Hour), 2*api.Dollar), purchase(3, "c", "Shop 1", start().Add(-time.Hour), 2*api.Dollar),
	})
	l.Advance(start())
	l.Cover(time.Time{}, start())
	burns := ledger.NewBurns(l, nil)
	for balance, want := range map[api.USD]burn.Runway{
		252 * api.Dollar: {Left: 12 * time.Hour, AtMost: true}, 600 * api.Dollar: {},
	} {
		if r, ok := burns.Runway(ledger.OfCard("c"), balance); ok != (want.Left > 0) || ok && r != want {
			t.Errorf("%v lasts %+v, %t, want %+v", balance, r, ok, want)
		}
	}
}

// TestWhatIsPaidInOtherCurrenciesIsAbove: a card that pays in yen besides burns at least what it pays in dollars, and
// its balance lasts no longer; so do those that it belongs to, asked one by one and all together. After a day that is over.
func TestWhatIsPaidInOtherCurrenciesIsAbove(t *testing.T) {
	t.Parallel()
	l, n := ledger.New(), 0
	spend := func(until time.Time) {
		var page []api.Transaction
		for h := range 48 {
			for i := range 2 {
				card := fmt.Sprint("c", i)
				l.Describe(api.CardID(card), "b", fmt.Sprint("g", i))
				n++
				page = append(page, purchase(n, card, "Shop 1", until.Add(-time.Duration(h)*time.Hour), 5*api.Dollar))
			}
		}
		l.Add(until, page)
		l.Advance(until)
		l.Cover(time.Time{}, until)
	}
	spend(start())
	yen := purchase(9000, "c1", "Shop 1", start().Add(-time.Hour), 0)
	yen.Currency, yen.Foreign = "JPY", -1500*api.Units(api.Dollar)
	l.Add(start(), []api.Transaction{yen})
	burns := ledger.NewBurns(l, nil)
	hold := func(when string, want bool) {
		t.Helper()
		for s, foreign := range map[ledger.Scope]bool{
			ledger.Account(): want, ledger.OfCard("c1"): want, ledger.OfCard("c0"): false,
			{By: ledger.ByCampaign, Name: "g1"}: want, {By: ledger.ByCampaign, Name: "g0"}: false,
		} {
			b, ok := burns.Of(s)
			r, _ := burns.Runway(s, 500*api.Dollar)
			if !ok || b.AtLeast != foreign || r.AtMost != foreign {
				t.Errorf("%s: %+v burns at least %t, lasts at most %t, want %t", when, s, b.AtLeast, r.AtMost, foreign)
			}
		}
		burns.EachCard(func(id api.CardID, lasts func(api.USD) (burn.Runway, bool)) {
			if r, ok := lasts(500 * api.Dollar); ok && r.AtMost != (want && id == "c1") {
				t.Errorf("%s: %s of all lasts at most: %t", when, id, r.AtMost)
			}
		})
	}
	hold("today", true)
	spend(start().Add(49 * time.Hour))
	hold("two days later", false)
}
