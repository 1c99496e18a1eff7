package burn

import (
	"slices"
	"time"
)

// WeekHours is how many hours a shape is measured over: seven days.
const WeekHours = 7 * 24

// Week is what was spent in the week before the present hour, or since spending began in it.
type Week struct{ window }

// WeekOf sums up the hours of seven days, oldest first.
func WeekOf(week *[WeekHours]Hour) (w Week) {
	for _, h := range week {
		if w.charges > 0 || h.Charges > 0 {
			w.exposure++
		}
		w.spent += float64(h.Spent)
		w.charges += float64(h.Charges)
	}
	if !began(WeekHours-w.exposure, w.charges, w.exposure) {
		w.exposure = WeekHours
	}
	return w
}

// Shape is how spending goes up and down in a day: for each hour (UTC) how many
// average hours it comes to.
type Shape [24]float64

const (
	// steady is with how many charges in a mean hour of the day half of what they
	// show is believed; the other half is a mean hour.
	steady = 1.0
	// least is the least that an hour comes to: nothing is sure to be quiet.
	least = 0.05
)

// ShapeOf returns the shape of seven days, whose first hour is an hour of the day,
// UTC; false when a day has no charges. For each hour of the day the days with the
// most and the least are left out: what came once is no habit.
func ShapeOf(week *[WeekHours]Hour, first int) (Shape, bool) {
	var s Shape
	var charges, total float64
	for h := range 24 {
		var days [7]float64
		for d := range days {
			at := &week[d*24+h]
			days[d] = float64(at.Spent)
			charges += float64(at.Charges)
		}
		slices.Sort(days[:])
		for _, spent := range days[1:6] {
			s[(first+h)%24] += spent
		}
		total += s[(first+h)%24]
	}
	for d := range 7 {
		if !slices.ContainsFunc(week[d*24:(d+1)*24], func(h Hour) bool { return h.Charges > 0 }) {
			return Shape{}, false
		}
	}
	if total <= 0 {
		return Shape{}, false
	}
	return s.smooth(charges/24, total/24), true
}

// smooth evens out chance: each hour is seen with its neighbours, and the fewer
// charges there are the more it counts as a mean one. charges and mean (USD millionths)
// are of a mean hour.
func (s *Shape) smooth(charges, mean float64) (out Shape) {
	trust := charges / (charges + steady)
	var sum float64
	for h := range out {
		before, after := (h+23)%24, (h+1)%24
		out[h] = max(least, trust*(s[before]+2*s[h]+s[after])/4/mean+1-trust)
		sum += out[h]
	}
	for h := range out {
		out[h] *= 24 / sum
	}
	return out
}

func (s *Shape) at(t time.Time) float64 { return s[t.UTC().Hour()] }
