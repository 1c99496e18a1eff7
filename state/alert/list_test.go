package alert

import (
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

func TestAnotherLanguageIsSpokenAtOnce(t *testing.T) {
	var l List
	say := func(w *lang.Words) string { return w.Tf("%d %% declined", 30) + " " + w.T("campaign") }
	l.Raise(l.Saying(Alert{ID: "1", Kind: Declined}, say), false)
	l.Raise(l.Saying(Alert{ID: "1", Kind: Declined, Count: 2}, func(w *lang.Words) string { return w.T("campaign") }), false)
	for _, name := range []string{"ru", "uk", "en"} {
		w := lang.Of(name)
		l.Speak(w)
		if a := l.Find("1"); a.Shown != w.T("campaign") || a.Text != "campaign" {
			t.Errorf("%s: shown is %q, text %q", name, a.Shown, a.Text)
		}
	}
	if lang.Of("ru").T("campaign") == "campaign" {
		t.Error("that text is not translated")
	}
}

// TestTheWorstIsFirstThenTheLatest lists alerts in every order that they may come in, and one more of each: no row changes
// places with another then. What was so at first is older than the rest, whenever it was read.
func TestTheWorstIsFirstThenTheLatest(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	want := []Alert{
		{ID: "runs out account", Kind: RunsOut, Since: ago(time.Hour)},
		{ID: "wallet", Kind: WalletLow, Since: ago(2 * time.Hour)},
		{ID: "declined 1", Kind: Declined, Card: "1", Since: ago(time.Minute)},
		{ID: "low 2", Kind: BalanceLow, Card: "2", Since: ago(2 * time.Minute)},
		{ID: "limit 3", Kind: LimitUsed, Card: "3", Since: ago(3 * time.Minute)},
		{ID: "runs out campaign", Kind: RunsOut, Campaign: "fb", Since: ago(time.Second), AtLeast: true},
		{ID: "low 1", Kind: BalanceLow, Card: "1", Since: ago(2 * time.Second), AtLeast: true},
		{ID: "low 3", Kind: BalanceLow, Card: "3", Since: ago(time.Second), AtLeast: true},
		{ID: "deposit", Kind: DepositPending, Since: ago(4 * time.Minute)},
		{ID: "spike", Kind: SpendSpike, Card: "1", Since: ago(5 * time.Minute)},
		{ID: "country", Kind: NewCountry, Card: "1", Since: ago(time.Second)},
		{ID: "idle", Kind: IdleCards, Since: ago(time.Second), AtLeast: true},
		{ID: "low seen", Kind: BalanceLow, Card: "4", Since: ago(time.Second), Seen: true},
	}
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, {7, 2, 11, 0, 6, 4, 12, 9, 1, 5, 10, 8, 3}} {
		var l List
		for _, i := range order {
			l.rows = append(l.rows, want[i])
			at := -1
			for _, a := range l.All(now) {
				next := slices.IndexFunc(want, func(w Alert) bool { return w.ID == a.ID })
				if next <= at {
					t.Fatalf("%s is below %s", a.ID, want[at].ID)
				}
				at = next
			}
		}
	}
}
