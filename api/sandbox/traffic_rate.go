package sandbox

import (
	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// rate is how often simulated traffic acts, each from the least to the most time
// between two, and for how much.
type rate struct {
	charge, challenge, credit [2]unit.Instant
	answered                  int        // challenges, but for one of so many
	amount                    unit.Cents // of a purchase on average; 0 for what the merchant usually charges
	deposit                   unit.Cents // on average; 0 for a small one
}

// rateOf returns the rate that goes on with campaigns which spend pace in an hour, so
// that a day of traffic is not far more than a day of the history: the larger the
// account, the more charges. Without campaigns the world is busy.
func rateOf(pace unit.Cents) rate {
	if pace == 0 {
		return rate{
			charge:    [2]unit.Instant{2 * unit.Second, 7 * unit.Second},
			challenge: [2]unit.Instant{20 * unit.Second, 40 * unit.Second},
			credit:    [2]unit.Instant{5 * unit.Minute, 15 * unit.Minute},
			answered:  5,
		}
	}
	const usual, most = 40_000, 16
	size := min(max(1, unit.Instant(pace/usual)), most)
	r := rate{
		charge:    [2]unit.Instant{40 * unit.Second / size, 100 * unit.Second / size},
		challenge: [2]unit.Instant{unit.Minute, 2 * unit.Minute},
		credit:    [2]unit.Instant{20 * unit.Minute, unit.Hour},
		answered:  10,
	}
	// Nine of ten charges and challenges become purchases.
	hourly := 0.9 * (perHour(r.charge) + perHour(r.challenge))
	r.amount = unit.Cents(float64(pace) / hourly)
	r.deposit = unit.Cents(float64(pace) / perHour(r.credit))
	return r
}

// perHour returns how often something happens in an hour on average.
func perHour(span [2]unit.Instant) float64 {
	return float64(unit.Hour) / (float64(span[0]+span[1]) / 2)
}

// part returns the amount of one purchase, a percentage of the average by the hour of
// the day where the campaign is.
func (r rate) part(label string, now unit.Instant, percent int) unit.Cents {
	return unit.Cents(float64(r.amount) * sim.Wave(label, now) * float64(percent) / 100)
}
