package burn_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cardtop/cardtop/api"
	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
	"github.com/cardtop/cardtop/state/burn"
)

func at(hour, minute int) time.Time {
	return midnight().Add(time.Duration(hour*60+minute) * time.Minute)
}

// even is a trace of the same charges every hour.
func even(now time.Time, charges int32, amount api.USD) *burn.Trace {
	t := &burn.Trace{Now: now, Known: burn.Hours - 1}
	for i := range t.Hours {
		t.Hours[i] = burn.Hour{Spent: amount, Charges: charges}
	}
	part := now.Sub(now.Truncate(time.Hour)).Hours()
	t.Hours[0] = burn.Hour{Spent: api.USD(float64(amount) * part), Charges: int32(float64(charges) * part)}
	return t
}

func TestNoNumberWithoutCharges(t *testing.T) {
	t.Parallel()
	trace := func(hour int, charges int32, spent api.USD) *burn.Trace {
		tr := &burn.Trace{Now: at(12, 30), Known: burn.Hours - 1}
		tr.Hours[hour] = burn.Hour{Spent: spent, Charges: charges}
		return tr
	}
	for name, c := range map[string]struct {
		trace *burn.Trace
		want  bool
	}{
		"nothing":                   {trace(0, 0, 0), false},
		"two charges":               {trace(3, 2, 100*api.Dollar), false},
		"three charges":             {trace(3, 3, 100*api.Dollar), true},
		"three for nothing":         {trace(3, 3, 0), false},
		"more given back":           {trace(3, 3, -api.Dollar), false},
		"half of them too long ago": {trace(24, 5, 100*api.Dollar), false},
		"none in the day since":     {trace(24, 6, 100*api.Dollar), false},
	} {
		if _, ok := burn.Of(c.trace); ok != c.want {
			t.Errorf("%s: %v", name, ok)
		}
	}
	unread := trace(3, 9, 100*api.Dollar)
	unread.Known = 2
	if _, ok := burn.Of(unread); ok {
		t.Error("an hour that was not read counts")
	}
}

func TestASteadyCard(t *testing.T) {
	t.Parallel()
	b, ok := burn.Of(even(at(12, 30), 10, 100*api.Dollar))
	if !ok || b.PerHour != 100*api.Dollar {
		t.Fatalf("%v an hour", b.PerHour)
	}
	if b.Low >= b.PerHour || b.High <= b.PerHour || b.Low < 50*api.Dollar || b.High > 160*api.Dollar {
		t.Errorf("from %v to %v", b.Low, b.High)
	}
	r := b.Runway(1200 * api.Dollar)
	if r.Left.Round(time.Second) != 12*time.Hour || r.Low >= r.Left || r.High <= r.Left {
		t.Errorf("lasts %v", r)
	}
	if none := b.Runway(0); none != (burn.Runway{}) {
		t.Errorf("nothing lasts %v", none)
	}
	if long := b.Runway(1_000_000 * api.Dollar); long.Left != burn.Horizon || long.High != burn.Horizon {
		t.Errorf("a million lasts %v", long)
	}
}

func TestACardThatStoppedHasNoBurn(t *testing.T) {
	t.Parallel()
	trace := even(at(12, 0), 20, 100*api.Dollar)
	for i := range 14 {
		trace.Hours[i] = burn.Hour{}
	}
	if b, ok := burn.Of(trace); ok {
		t.Errorf("%v an hour", b.PerHour)
	}
}

// near holds that a figure is at most a tenth away.
func near(t *testing.T, what string, got, want api.USD) {
	t.Helper()
	if max(got-want, want-got) > want/10 {
		t.Errorf("%s: %v, want about %v", what, got, want)
	}
}

func TestACampaignThatBegan(t *testing.T) {
	t.Parallel()
	trace := &burn.Trace{Now: at(12, 30), Known: burn.Hours - 1}
	for i := range 4 {
		trace.Hours[i] = burn.Hour{Spent: 40 * api.Dollar, Charges: 4}
	}
	trace.Hours[0] = burn.Hour{Spent: 20 * api.Dollar, Charges: 2}
	trace.Hours[3] = burn.Hour{Spent: 20 * api.Dollar, Charges: 2}
	b, _ := burn.Of(trace)
	near(t, "since it began", b.PerHour, 40*api.Dollar)
	trace = &burn.Trace{Now: at(12, 5)}
	trace.Hours[0] = burn.Hour{Spent: 100 * api.Dollar, Charges: 5}
	if _, ok := burn.Of(trace); ok {
		t.Error("five minutes that were read have a burn")
	}
}

func TestAPeakIsNotExpectedAgain(t *testing.T) {
	t.Parallel()
	trace := even(at(12, 30), 10, 100*api.Dollar)
	trace.Hours[12] = burn.Hour{Spent: 900 * api.Dollar, Charges: 90}
	b, _ := burn.Of(trace)
	near(t, "after a peak", b.PerHour, 100*api.Dollar)
}

func TestFiguresAreInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		trace := &burn.Trace{Now: at(rapid.IntRange(0, 50).Draw(t, "hour"), rapid.SampledFrom([]int{0, 0, 1, 30, 59}).Draw(t, "minute")), Known: rapid.IntRange(0, 30).Draw(t, "known")}
		for i := range trace.Hours {
			trace.Hours[i].Charges = rapid.OneOf(rapid.Just(int32(0)), rapid.Int32Range(0, 30)).Draw(t, "charges")
			trace.Hours[i].Spent = api.USD(trace.Hours[i].Charges) * api.USD(rapid.IntRange(1, 10000).Draw(t, "cents")) * api.Cent
		}
		if rapid.Bool().Draw(t, "shaped") {
			var s burn.Shape
			for h := range s {
				s[h] = 1 + 0.9*math.Sin(float64(h)/24*2*math.Pi)
			}
			trace.Shape = &s
		}
		b, ok := burn.Of(trace)
		if !ok {
			return
		}
		if b.Low < 0 || b.Low > b.PerHour || b.PerHour > b.High {
			t.Fatalf("%v, %v to %v", b.PerHour, b.Low, b.High)
		}
		last := burn.Runway{}
		for _, dollars := range []api.USD{1, 7, 100, 5000, 100_000, 10_000_000} {
			r := b.Runway(dollars * api.Dollar)
			if r.Low > r.Left || r.Left > r.High || r.Left < last.Left || r.High > burn.Horizon {
				t.Fatalf("%v lasts %v, less %v", dollars, r, last)
			}
			if mid, _, _ := b.Ahead(r.Left); r.Left < burn.Horizon && (mid - dollars*api.Dollar).WholeCents() && max(mid-dollars*api.Dollar, dollars*api.Dollar-mid) > api.Cent+dollars*100 {
				t.Fatalf("%v lasts %v, in which %v are spent", dollars, r.Left, mid)
			}
			last = r
		}
	})
}

// TestTheLessThereIsTheShorterItLasts, and the range with it: what is about to be empty is told.
func TestTheLessThereIsTheShorterItLasts(t *testing.T) {
	t.Parallel()
	trace := even(at(12, 0), 4, 80*api.Dollar)
	b, ok := burn.Of(trace)
	if _, charge := burn.DayOf(trace); !ok || charge != 20*api.Dollar {
		t.Fatalf("%v, a charge of %s", ok, charge)
	}
	last := burn.Runway{Left: burn.Horizon, Low: burn.Horizon, High: burn.Horizon}
	for _, dollars := range []api.USD{400, 100, 40, 30, 20, 5, 1} {
		r := b.Runway(dollars * api.Dollar)
		if r.Vague() || r.Left >= last.Left || r.Low > last.Low || r.High > last.High || r.Low > r.Left || r.High < r.Left {
			t.Errorf("$%d lasts %+v, vague %t, before %+v", dollars/api.USD(1), r, r.Vague(), last)
		}
		last = r
	}
	if r := (burn.Runway{Left: 3 * time.Hour, Low: time.Hour, High: burn.Horizon}); !r.Vague() {
		t.Error("1 h to 30 days is a forecast")
	}
}

// TestTheHourOfTheDay holds that a card that spends by day only is not expected to
// spend at night, and that its balance lasts till morning.
func TestTheHourOfTheDay(t *testing.T) {
	t.Parallel()
	var week [burn.WeekHours]burn.Hour
	const first = 21 // The week begins at nine in the evening.
	for i := range week {
		if h := (first + i) % 24; h >= 8 && h < 20 {
			week[i] = burn.Hour{Spent: 200 * api.Dollar, Charges: 20}
		}
	}
	week[3*24+5] = burn.Hour{Spent: 9000 * api.Dollar, Charges: 9} // Once at two at night, which is no habit.
	shape, ok := burn.ShapeOf(&week, first)
	week[3*24+5] = burn.Hour{}
	if !ok || shape[14] < 1.8 || shape[2] > 0.2 {
		t.Fatalf("shape %v", shape)
	}
	sum := 0.0
	for _, s := range shape {
		sum += s
	}
	if math.Abs(sum-24) > 1e-9 {
		t.Errorf("a day has %v hours", sum)
	}
	trace := &burn.Trace{Now: at(24+21, 0), Known: burn.Hours - 1, Shape: &shape}
	copyDay(trace, &week)
	b, ok := burn.Of(trace)
	if spent, _, _ := b.Ahead(6 * time.Hour); !ok || spent > 150*api.Dollar {
		t.Errorf("%v are expected at night", spent)
	}
	if spent, _, _ := b.Ahead(24 * time.Hour); spent < 2200*api.Dollar || spent > 2600*api.Dollar {
		t.Errorf("%v are expected in a day", spent)
	}
	if r := b.Runway(1000 * api.Dollar); r.Left < 14*time.Hour || r.Left > 17*time.Hour {
		t.Errorf("lasts %v, till noon is 15 h", r.Left)
	}
	if r := b.Runway(2*2400*api.Dollar + 1000*api.Dollar); r.Left < 61*time.Hour || r.Left > 66*time.Hour {
		t.Errorf("lasts %v, till noon in three days is 63 h", r.Left)
	}
	for i := range 24 {
		week[3*24+i] = burn.Hour{}
	}
	if _, ok := burn.ShapeOf(&week, first); ok {
		t.Error("a day without charges has a shape")
	}
}

// copyDay fills the last 24 hours of a trace from the end of a week.
func copyDay(t *burn.Trace, week *[burn.WeekHours]burn.Hour) {
	for i := 1; i < burn.Hours; i++ {
		t.Hours[i] = week[burn.WeekHours-i]
	}
}
