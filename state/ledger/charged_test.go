package ledger_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
)

func hold(id int, card, merchant string, at time.Time, amount api.USD) api.Transaction {
	t := purchase(id, card, merchant, at, amount)
	t.Type, t.Amount = api.TransactionAuthorization, amount
	return t
}

func TestWhatIsReadOfATimeThatIsNotReadWholeBurnsNothing(t *testing.T) {
	t.Parallel()
	ago := func(h int) time.Time { return start().Add(-time.Duration(h) * time.Hour) }
	l := ledger.New()
	l.Describe("c1", "b1", "one")
	l.Add(start(), []api.Transaction{purchase(1, "c1", "Ads", ago(20), 9*api.Dollar), purchase(2, "c1", "Ads", ago(7), 18*api.Dollar), purchase(3, "c1", "Ads", ago(0), 5*api.Dollar)})
	l.Cover(ago(48), ago(12))
	got := l.Trace(ledger.OfCard("c1"))
	want := burn.Trace{Now: ago(12), Known: burn.Hours - 1}
	want.Hours[8] = burn.Hour{Spent: 9 * api.Dollar, Charges: 1}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestPurchasesBurnWhenTheyWereMade holds that nothing counts twice: not as a hold and
// as its settlement.
func TestPurchasesBurnWhenTheyWereMade(t *testing.T) {
	t.Parallel()
	ago := func(h int) time.Time { return start().Add(-time.Duration(h) * time.Hour) }
	refund := purchase(9, "c1", "Ads", ago(1), -50*api.Dollar)
	refund.Type = api.TransactionRefund
	l := ledger.New()
	l.Describe("c1", "b1", "one")
	l.Add(start(), []api.Transaction{
		hold(1, "c1", "Ads", ago(5), 20*api.Dollar), purchase(2, "c1", "Ads", ago(2), 18*api.Dollar),
		hold(3, "c1", "Ads", ago(3), 7*api.Dollar),
		purchase(4, "c1", "Cloud", ago(0), 5*api.Dollar),
		hold(5, "c1", "Cloud", ago(30), 9*api.Dollar), purchase(6, "c1", "Cloud", ago(1), 9*api.Dollar),
		refund,
	})
	l.Cover(ago(10).Add(-time.Minute), start())
	got := l.Trace(ledger.OfCard("c1"))
	want := burn.Trace{Now: start(), Known: 9}
	want.Hours[5] = burn.Hour{Spent: 18 * api.Dollar, Charges: 1}
	want.Hours[3] = burn.Hour{Spent: 7 * api.Dollar, Charges: 1}
	want.Hours[0] = burn.Hour{Spent: 5 * api.Dollar, Charges: 1}
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, by := range []ledger.By{ledger.ByCard, ledger.ByCampaign, ledger.ByBIN} {
		n := 0
		l.Traces(by, func(_ uint32, t2 *burn.Trace) {
			if n++; *t2 != want {
				t.Errorf("by %v %+v, want %+v", by, *t2, want)
			}
		})
		if n != 1 {
			t.Errorf("by %v there are %d traces", by, n)
		}
	}
	l.Traces(ledger.ByMerchant, func(place uint32, got *burn.Trace) {
		name, _ := l.Name(ledger.ByMerchant, place)
		if want := l.Trace(ledger.Scope{By: ledger.ByMerchant, Name: name}); *got != want {
			t.Errorf("%s: %+v, want %+v", name, *got, want)
		}
	})
	if _, _, ok := l.Week(ledger.Account()); ok {
		t.Error("ten hours are a week")
	}
	l.Cover(time.Time{}, start())
	week, first, ok := l.Week(ledger.Account())
	if !ok || first != 12 || week[burn.WeekHours-5].Spent != 18*api.Dollar || week[burn.WeekHours-30].Spent != 9*api.Dollar || week[burn.WeekHours-1] != (burn.Hour{}) {
		t.Errorf("week from %d h: %v, %v", first, ok, week[burn.WeekHours-48:])
	}
}

// TestOpenHoldsBurnAtTheirShare holds that a hold counts as a whole until the
// merchant is known to settle less.
func TestOpenHoldsBurnAtTheirShare(t *testing.T) {
	t.Parallel()
	l := ledger.New()
	page := []api.Transaction{hold(100, "c1", "Ads", start(), 30*api.Dollar)}
	for i := range 8 {
		at := start().AddDate(0, 0, -6).Add(time.Duration(i) * time.Minute)
		page = append(page, hold(2*i, "c2", "Ads", at, 10*api.Dollar))
		if i < 4 {
			page = append(page, purchase(2*i+1, "c2", "Ads", at.Add(time.Hour), 10*api.Dollar))
		}
	}
	l.Add(start(), page)
	if got := l.Trace(ledger.OfCard("c1")).Hours[0].Spent; got != 30*api.Dollar {
		t.Errorf("%v burn before the share is known", got)
	}
	l.Cover(time.Time{}, start())
	if got := l.Trace(ledger.OfCard("c1")).Hours[0].Spent; got != 15*api.Dollar {
		t.Errorf("%v burn, want half", got)
	}
	if got := l.Trace(ledger.OfCard("c2")); got.Hours != ([burn.Hours]burn.Hour{}) || got.Known != burn.Hours-1 {
		t.Errorf("what is old burns: %+v", got)
	}
}
