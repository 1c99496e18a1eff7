package burn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state/burn"
)

const (
	// A trace has so many days, of which the last two are replayed.
	traceDays = 10
	replayed  = 48 * time.Hour
	ahead     = 6 * time.Hour
)

// charge is one purchase of a trace.
type charge struct {
	at     time.Duration // since the trace began, at midnight UTC
	amount api.USD
}

// kind is how the rate of a trace changes: rate returns charges per hour for a mean
// of 1. event is somewhere in the last two days.
type kind struct {
	name string
	rate func(at, event time.Duration) float64
}

func kinds() []kind {
	wave := func(at time.Duration) float64 { return 1 + 0.8*math.Sin(2*math.Pi*at.Hours()/24) }
	return []kind{
		{"steady", func(_, _ time.Duration) float64 { return 1 }},
		{"daily wave", func(at, _ time.Duration) float64 { return wave(at) }},
		{"campaign start", func(at, event time.Duration) float64 {
			if at < event {
				return 0
			}
			return 1
		}},
		{"campaign stop", func(at, event time.Duration) float64 {
			if at >= event {
				return 0
			}
			return 1
		}},
		{"spike", func(at, event time.Duration) float64 {
			if at >= event && at < event+time.Hour {
				return 8
			}
			return 1
		}},
	}
}

// trace draws charges: a Poisson process by thinning, 4 to 60 charges an hour, of $2
// to $200 on average, each a lognormal amount.
func (k kind) trace(r *rand.Rand) (charges []charge, event time.Duration) {
	mean := 4 * math.Pow(15, r.Float64())
	dollars := 2 * math.Pow(100, r.Float64())
	span := traceDays * 24 * time.Hour
	event = span - replayed + time.Duration(r.Float64()*float64(replayed))
	const top = 8
	for at := time.Duration(0); at < span+ahead; {
		at += time.Duration(r.ExpFloat64() / (mean * top) * float64(time.Hour))
		if r.Float64()*top < k.rate(at, event) {
			amount := dollars * math.Exp(0.5*r.NormFloat64()-0.125)
			charges = append(charges, charge{at, api.USD(math.Ceil(amount*100)) * api.Cent})
		}
	}
	return charges, event
}

func midnight() time.Time { return time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC) }

// seen is what is known of a trace at a time.
func seen(charges []charge, now time.Duration) *burn.Trace {
	t := &burn.Trace{Now: midnight().Add(now), Known: burn.Hours - 1}
	var week [burn.WeekHours]burn.Hour
	today := int(now / time.Hour)
	for _, c := range charges {
		if c.at > now {
			break
		}
		h := today - int(c.at/time.Hour)
		if h < burn.Hours {
			t.Hours[h].Spent += c.amount
			t.Hours[h].Charges++
		}
		if h > 0 && h <= burn.WeekHours {
			at := &week[burn.WeekHours-h]
			at.Spent += c.amount
			at.Charges++
		}
	}
	if shape, ok := burn.ShapeOf(&week, today%24); ok {
		t.Shape = &shape
	}
	return t
}

func spentIn(charges []charge, from, to time.Duration) (sum api.USD) {
	for _, c := range charges {
		if c.at > from && c.at <= to {
			sum += c.amount
		}
	}
	return sum
}

// result is one forecast: by which part it was wrong, and whether the range had the
// truth.
type result struct {
	wrong, width float64
	held, spent  bool
}

// forecasts replays a trace: a forecast every other hour or so of the last two days.
func forecasts(charges []charge, r *rand.Rand) (out []result, silent int) {
	span := traceDays * 24 * time.Hour
	for now := span - replayed; now < span; now += time.Duration((1 + 2*r.Float64()) * float64(time.Hour)) {
		b, ok := burn.Of(seen(charges, now))
		if !ok {
			silent++
			continue
		}
		mid, low, high := b.Ahead(ahead)
		truth := spentIn(charges, now, now+ahead)
		wrong := 1.0
		switch {
		case truth > 0:
			wrong = math.Abs(float64(mid-truth)) / float64(truth)
		case mid == 0:
			wrong = 0
		}
		out = append(out, result{wrong, float64(high-low) / float64(max(truth, mid, 1)), low <= truth && truth <= high, truth > 0})
	}
	return out, silent
}

// TestForecastSixHoursAhead replays traces of five kinds and compares what was
// forecast with what was spent.
func TestForecastSixHoursAhead(t *testing.T) {
	t.Parallel()
	for i, k := range kinds() {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 7))
			var all []result
			silent := 0
			for range nighttest.Times(100, 5000) {
				charges, _ := k.trace(r)
				results, none := forecasts(charges, r)
				all = append(all, results...)
				silent += none
			}
			held, width := 0, make([]float64, len(all))
			var spent []float64
			for i, r := range all {
				width[i] = r.width
				if r.spent {
					spent = append(spent, r.wrong)
				}
				if r.held {
					held++
				}
			}
			slices.Sort(width)
			slices.Sort(spent)
			slices.SortFunc(all, func(a, b result) int {
				if a.wrong < b.wrong {
					return -1
				}
				return 1
			})
			at := func(part float64) float64 { return 100 * all[int(part*float64(len(all)-1))].wrong }
			inRange := 100 * float64(held) / float64(len(all))
			t.Logf("%s: %d of %d forecasts; error p25 %.0f %%, median %.0f %% (%.0f %% where anything was spent), p75 %.0f %%, p90 %.0f %%; range holds the truth in %.0f %%, width %.0f %%; %d not forecast",
				k.name, len(all), len(all)+silent, at(0.25), at(0.5), 100*spent[len(spent)/2], at(0.75), at(0.9), inRange, 100*width[len(width)/2], silent)
			if median := max(at(0.5), 100*spent[len(spent)/2]); median > 20 {
				t.Errorf("median error %.1f %%, at most 20 %%", median)
			}
			if inRange < 80 {
				t.Errorf("the range holds the truth in %.1f %%, at least 80 %%", inRange)
			}
		})
	}
}
