package burn

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
)

const (
	// doubt is by how many standard errors a shorter window has to differ before it
	// contradicts a longer one.
	doubt = 2.0
	// width is how many standard errors low and high are from the level.
	width = 2.0
	// spread is how much amounts of charges vary: the mean square over the square of
	// the mean.
	spread = 1.4
	// drift is the part of itself that a level changes by in a day, one standard deviation.
	drift = 0.05
	// peak is how many times the charges of the other hours, and of those after it,
	// make an hour a peak that is over, chance how many standard errors it is above them at
	// least, and peakCharges how many it has.
	peak        = 2.0
	chance      = 4.5
	peakCharges = 5
	// leastHours is the least time that a rate is measured over.
	leastHours = 0.25
	// unlikely is how many charges have to be missing before silence is no chance.
	unlikely = 4.0
	// leastSilence is how many average hours it lasts at least: the edges of a night are not sharp.
	// Without a shape any night is silent for longSilence.
	leastSilence = 2.0
	longSilence  = 12.0
)

// measure is a trace hour by hour: what was spent (USD millionths), by how many
// charges, and how many average hours the hour comes to.
type measure struct {
	spent, charges, exposure [Hours]float64
	hours                    int    // that were read
	week                     window // nothing while it is not known, or spending began since
}

func measureOf(t *Trace) measure {
	part := t.Now.Sub(t.Now.Truncate(time.Hour)).Hours()
	m := measure{hours: min(max(t.Known, 0), Hours-1) + 1}
	for i := range m.hours {
		h := &t.Hours[i]
		m.spent[i], m.charges[i], m.exposure[i] = float64(h.Spent), float64(h.Charges), 1
		switch i {
		case 0:
			m.exposure[i] = part
		case Hours - 1: // The day ends 24 hours ago, within this hour.
			m.spent[i] *= 1 - part
			m.charges[i] *= 1 - part
			m.exposure[i] = 1 - part
		}
		if t.Shape != nil {
			m.exposure[i] *= t.Shape.at(t.Now.Add(-time.Duration(i) * time.Hour))
		}
	}
	if w := t.Week.window; w.charges > 0 && m.hours == Hours {
		m.week = w
		m.week.add(m.at(0))
	}
	return m
}

// begin leaves out the time before the first charge when it was silent for so long
// that spending must have begun with it.
func (m *measure) begin() {
	first := -1
	var charges, exposure, silent float64
	for i := range m.hours {
		if m.charges[i] > 0 {
			first = i
		}
	}
	for i := range m.hours {
		if i > first {
			silent += m.exposure[i]
			continue
		}
		charges += m.charges[i]
		exposure += m.exposure[i]
	}
	if first >= 0 && began(silent, charges, exposure) {
		m.week = window{}
		m.exposure[first] = max(m.exposure[first]/2, leastHours) // It began somewhere within the hour.
		m.hours = first + 1
	}
}

// began reports whether spending must have begun with its first charge: it was silent before for that long.
func began(silent, charges, exposure float64) bool {
	return silent*charges/max(exposure, 0.1) >= unlikely
}

// stopped reports whether there was no charge for so long that spending must have stopped.
func (m *measure) stopped(shaped bool) bool {
	var silent float64
	var before window
	for i := range m.hours {
		if before.charges == 0 && m.charges[i] == 0 {
			silent += m.exposure[i]
			continue
		}
		before.add(m.at(i))
	}
	least := leastSilence
	if !shaped {
		least = longSilence
	}
	return silent >= least && silent*before.rate() >= unlikely
}

// flatten counts a peak that is over as any other hour: what came once is not
// expected again.
func (m *measure) flatten() {
	var all, later window
	for i := range m.hours {
		all.add(m.at(i))
	}
	for i := range m.hours {
		h := m.at(i)
		others := window{all.spent - h.spent, all.charges - h.charges, all.exposure - h.exposure}
		usual := max(others.rate(), later.rate()) * h.exposure
		if h.charges >= peakCharges && others.charges >= MinCharges && later.exposure > 0 && h.charges > max(peak*usual, usual+chance*math.Sqrt(usual)) {
			m.set(i, others)
			if side := m.beside(i); side > 0 {
				o := m.at(side)
				m.set(side, window{others.spent - o.spent, others.charges - o.charges, others.exposure - o.exposure})
			}
		}
		later.add(m.at(i))
	}
}

// set has an hour count as the hours of a window do.
func (m *measure) set(i int, as window) {
	if m.week.charges > 0 {
		m.week.add(window{as.level()*m.exposure[i] - m.spent[i], as.rate()*m.exposure[i] - m.charges[i], 0})
	}
	m.spent[i], m.charges[i] = as.level()*m.exposure[i], as.rate()*m.exposure[i]
}

// beside returns the hour beside a peak that has more, past ones only; 0 for none. A peak does not begin with the
// hour: what it has of that one is a part of it.
func (m *measure) beside(i int) int {
	later, earlier := m.at(i-1), window{}
	if i+1 < m.hours {
		earlier = m.at(i + 1)
	}
	if i > 1 && later.rate() > earlier.rate() {
		return i - 1
	}
	if i+1 < m.hours {
		return i + 1
	}
	return 0
}

func (m *measure) at(i int) window { return window{m.spent[i], m.charges[i], m.exposure[i]} }

// over returns what the present hour and some before it tell.
func (m *measure) over(hours int) (w window) {
	for i := range min(hours+1, m.hours) {
		w.add(m.at(i))
	}
	return w
}

// estimate sets the level, what the windows say of its range, and its error.
func (b *Burn) estimate(m *measure) {
	m.begin()
	m.flatten()
	all := []window{m.over(1), m.over(6), m.over(24)}
	day := all[2]
	if m.week.charges > 0 {
		all = append(all, m.week)
	}
	last := 0
	for i := 1; i < len(all); i++ {
		ok := true
		for j := range i {
			ok = ok && math.Abs(all[j].level()-all[i].level()) <= doubt*all[j].deviation(all[i])
		}
		if ok {
			last = i
		}
	}
	var sum float64
	for _, w := range all[:last+1] {
		b.level += w.exposure * w.level() // The latest hours are in each of them.
		sum += w.exposure
	}
	b.level /= sum
	b.low, b.high = b.level, b.level
	for _, w := range all {
		d := w.deviation(day)
		b.low, b.high = min(b.low, w.level()+d), max(b.high, w.level()-d)
	}
	b.low, b.high = max(b.low, 0), max(b.high, 0)
	b.deviation = all[last].deviation(day)
	b.charge = day.spent / day.charges
}

// window is what was spent in the last hours.
type window struct{ spent, charges, exposure float64 }

func (w *window) add(o window) {
	w.spent += o.spent
	w.charges += o.charges
	w.exposure += o.exposure
}

func (w window) level() float64 {
	if w.exposure <= 0 {
		return 0
	}
	return w.spent / w.exposure
}

func (w window) rate() float64 {
	if w.exposure <= 0 {
		return 0
	}
	return w.charges / w.exposure
}

// deviation is the standard error of the level of a window of this exposure if the
// true level is that of another.
func (w window) deviation(of window) float64 {
	if w.exposure <= 0 || of.charges <= 0 {
		return math.Inf(1)
	}
	charge := of.spent / of.charges
	return math.Sqrt(of.level() * charge * spread / w.exposure)
}

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

// Text is how long a balance lasts, such as 40 m, 5.2 h or 1.3 d.
func Text(w *lang.Words, d time.Duration) string {
	unit, name := unitOf(w, d)
	return w.Number(inUnit(d, unit)) + " " + name
}

// Short is how long the balance lasts: 1.3 d, or ≤1.3 d.
func (r Runway) Short(w *lang.Words) string {
	if r.AtMost {
		return "≤" + Text(w, r.Left)
	}
	return Text(w, r.Left)
}

// Text is how long the balance lasts with its range: 1.3 d (0.9–1.8). One that may be shorter for what is not known
// has none.
func (r Runway) Text(w *lang.Words) string {
	if r.AtMost {
		return r.Short(w)
	}
	unit, _ := unitOf(w, r.Left)
	low, high := inUnit(r.Low, unit), inUnit(r.High, unit)
	if low == high {
		return Text(w, r.Left)
	}
	if r.High >= muchMore*unit {
		return Text(w, r.Left) + " (" + Text(w, r.Low) + "–" + Text(w, r.High) + ")"
	}
	return Text(w, r.Left) + " (" + w.Number(low+"–"+high) + ")"
}

// muchMore is from how many of its unit on the ends of a range have units of their own.
const muchMore = 100

func unitOf(w *lang.Words, d time.Duration) (unit time.Duration, name string) {
	switch {
	case d < time.Hour:
		return time.Minute, w.Tc("unit", "m")
	case d < 24*time.Hour:
		return time.Hour, w.Tc("unit", "h")
	}
	return 24 * time.Hour, w.Tc("unit", "d")
}

// inUnit is a number with as many digits as it is worth.
func inUnit(d, unit time.Duration) string {
	switch n := float64(d) / float64(unit); {
	case d >= Horizon:
		return fmt.Sprintf("%d+", Horizon/unit)
	case unit == time.Minute || n >= 10:
		return fmt.Sprintf("%d", int(n))
	default:
		return fmt.Sprintf("%.1f", float64(int(n*10))/10)
	}
}
