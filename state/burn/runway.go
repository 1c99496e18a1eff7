package burn

import (
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Horizon is the longest runway that is told: beyond it nothing is known of what
// is spent.
const Horizon = 30 * 24 * time.Hour

// Runway is how long a balance lasts, with its range. A time of Horizon stands for
// that long or longer.
type Runway struct {
	Left, Low, High time.Duration
	// AtMost reports whether the balance pays for something besides whose cost in USD is not known.
	AtMost bool
}

// Bounds are the least and the most that the balance lasts for who acts on it, nanoseconds.
func (r Runway) Bounds() (least, most int64) {
	if r.AtMost {
		return 0, int64(r.Left)
	}
	return int64(r.Left), int64(r.Left)
}

// Runway returns how long a balance (USD) lasts. The balance is what can be spent
// still: what is held is not.
func (b *Burn) Runway(balance api.USD) Runway {
	if balance <= 0 {
		return Runway{}
	}
	level := max(b.level, 1)
	// How many times as long or as short it may be: by the error of the level, and by chance, which is
	// larger the fewer charges the balance is for.
	times := math.Exp(width * math.Sqrt(b.deviation*b.deviation/(level*level)+b.charge*spread/max(float64(balance), 2*b.charge)+drifts(min(float64(balance)/level, Horizon.Hours()))))
	return Runway{
		Left: b.lasts(balance, b.level),
		Low:  scaled(b.lasts(balance, b.high), 1/times),
		High: scaled(b.lasts(balance, b.low), times),

		AtMost: b.AtLeast,
	}
}

// scaled multiplies a time, up to the horizon.
func scaled(d time.Duration, by float64) time.Duration {
	if d >= Horizon && by > 1 {
		return Horizon
	}
	return time.Duration(min(float64(d)*by, float64(Horizon)))
}

// vague is how many times its low end the high end of a range may be: a wider one tells nothing, unless it
// ends soon.
const vague, soon = 30, 24 * time.Hour

// Vague reports whether the range is too wide for a forecast.
func (r Runway) Vague() bool {
	return r.High > soon && r.Low < Horizon && r.High > vague*max(r.Low, time.Minute)
}

// lasts returns how long a balance lasts at a level.
func (b *Burn) lasts(balance api.USD, level float64) time.Duration {
	if level <= 0 {
		return Horizon
	}
	need := float64(balance) / level // average hours
	if need >= Horizon.Hours() {
		return Horizon
	}
	if b.shape == nil {
		return time.Duration(need * float64(time.Hour))
	}
	days := time.Duration(need / 24)
	need -= float64(days * 24)
	at := b.now
	for range 24 {
		next := at.Truncate(time.Hour).Add(time.Hour)
		comes := b.shape.at(at) * next.Sub(at).Hours()
		if comes >= need {
			break
		}
		need -= comes
		at = next
	}
	return days*24*time.Hour + at.Sub(b.now) + time.Duration(need/b.shape.at(at)*float64(time.Hour))
}
