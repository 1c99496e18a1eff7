// Package burn says how fast money is spent and how long it lasts, from the hourly
// sums of a day.
//
// The level is what one hour costs on average, the hour of the day put aside. It is
// measured over 1, 6 and 24 hours and over a week. The longest window that the shorter ones do not
// contradict decides, so that a steady card gets a calm figure and one that began or
// stopped an hour ago a fresh one. Low and high are as far apart as chance, the
// windows and what changes in the days ahead are.
package burn

import (
	"math"
	"time"

	"github.com/cardtop/cardtop/api"
)

const (
	// Hours is how many hours a trace has: the present one and 24 before it.
	Hours = 25
	// MinCharges is how many charges there have to be in 24 hours.
	MinCharges = 3
	// PerHourOver is the time that PerHour is the mean of.
	PerHourOver = 6 * time.Hour
)

// Hour is what was spent in an hour. Held money is part of it, at the share that
// settles.
type Hour struct {
	Spent   api.USD
	Charges int32
}

// Trace is what burn is measured by.
type Trace struct {
	// Now is the server's clock. Hours are the present hour, as far as it has come,
	// then the hours before it, latest first.
	Now   time.Time
	Hours [Hours]Hour
	// Known is how many hours were read, the present one not counted: what is
	// older is not looked at.
	Known int
	// Shape is how spending goes up and down in a day; nil while that is not known.
	Shape *Shape
	// Week is what was spent in the week before the present hour; nothing while that is not known.
	Week Week
}

// Add adds a charge, USD. What is older than the hours of the trace is left out, and
// what is dated ahead of the clock counts as of now.
func (t *Trace) Add(at time.Time, spent api.USD) {
	if i := int(t.Now.Truncate(time.Hour).Sub(at.Truncate(time.Hour)) / time.Hour); i < Hours {
		h := &t.Hours[max(i, 0)]
		h.Spent += spent
		h.Charges++
	}
}

// KnowsSince sets from when on all charges were read.
func (t *Trace) KnowsSince(since time.Time) {
	t.Known = min(max(int(t.Now.Truncate(time.Hour).Sub(since)/time.Hour), 0), Hours-1)
}

// Burn is how fast money is spent. Amounts are USD per hour, over the next
// PerHourOver.
type Burn struct {
	PerHour, Low, High api.USD
	// AtLeast reports whether something was spent besides whose cost in USD is not known: in another currency.
	AtLeast bool

	now   time.Time
	shape *Shape
	// level, low and high are USD millionths an average hour: low and high by what the
	// windows say. deviation is the standard error of the level, charge what one
	// charge comes to.
	level, low, high, deviation, charge float64
}

// Bounds are the least and the most that it may be for who acts on it, USD an hour.
func (b *Burn) Bounds() (least, most int64) {
	if b.AtLeast {
		return int64(b.PerHour), math.MaxInt64
	}
	return int64(b.PerHour), int64(b.PerHour)
}

// Of returns the burn of a trace; false when there are fewer than MinCharges charges
// in 24 hours, nothing was spent, or spending has stopped.
func Of(t *Trace) (Burn, bool) {
	m := measureOf(t)
	if day := m.over(24); day.charges < MinCharges || day.spent <= 0 || day.exposure < leastHours || m.stopped(t.Shape != nil) {
		return Burn{}, false
	}
	b := Burn{now: t.Now, shape: t.Shape}
	b.estimate(&m)
	e := b.exposure(PerHourOver)
	low, high := b.bounds(e)
	e /= PerHourOver.Hours()
	b.PerHour, b.Low, b.High = cents(b.level*e), cents(low*e), cents(high*e)
	return b, true
}

// DayOf returns what was spent in the last 24 hours and what a charge of them came to, USD; 0 when there were fewer than
// MinCharges. A balance below a charge is used up, whether anything is spent now or not.
func DayOf(t *Trace) (spent, charge api.USD) {
	m := measureOf(t)
	day := m.over(24)
	if day.charges < MinCharges || day.spent <= 0 {
		return 0, 0
	}
	return cents(day.spent), cents(day.spent / day.charges)
}

// Ahead returns what will be spent from now on, USD, with its range.
func (b *Burn) Ahead(d time.Duration) (spent, low, high api.USD) {
	e := b.exposure(d)
	l, h := b.bounds(e)
	return cents(b.level * e), cents(l * e), cents(h * e)
}

// bounds returns between which levels so many average hours will most likely
// be: what the windows say, and on top chance, which is larger the shorter the time, and drift, which grows with it.
func (b *Burn) bounds(hours float64) (low, high float64) {
	noise := func(level float64) float64 {
		return width * math.Sqrt(b.deviation*b.deviation+level*b.charge*spread/max(hours, 0.01)+level*level*drifts(hours))
	}
	return max(0, b.low-noise(b.low)), b.high + noise(b.high)
}

// drifts is the square of the part of itself that a level changes by in so many hours: campaigns come and go.
func drifts(hours float64) float64 { return drift * drift * hours / 24 }

// exposure is how many average hours a time ahead comes to.
func (b *Burn) exposure(d time.Duration) float64 {
	if b.shape == nil {
		return d.Hours()
	}
	sum := math.Floor(d.Hours()/24) * 24
	for at, end := b.now.Add(d-d%(24*time.Hour)), b.now.Add(d); at.Before(end); {
		next := at.Truncate(time.Hour).Add(time.Hour)
		if next.After(end) {
			next = end
		}
		sum += b.shape.at(at) * next.Sub(at).Hours()
		at = next
	}
	return sum
}

func cents(usd float64) api.USD {
	return api.USD(math.Round(usd/float64(api.Cent))) * api.Cent
}

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
