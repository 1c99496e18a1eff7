package poll

import (
	"maps"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api/budget"
)

// lanePriority is the order in which lanes get their requests when there are
// not enough for all: the first are the last to wait longer.
var lanePriority = [...]Lane{Codes, Feed, Hot, Sweep, Wallet, Deposits}

// Throttled to the most, a lane rests this many times longer than planned: it
// never stops.
const (
	maxCodesThrottle = 10
	maxThrottle      = 20
)

// Lanes of balances, which alert, rest twice as long as planned at most while each can have
// that of a twentieth of the pace, and never longer than a minute.
const (
	alertPart     = 0.05
	alertThrottle = 2
	alertRest     = time.Minute
)

// alerts reports whether a lane reads balances. Transactions, which alert too, are read
// every minute however short requests are.
func (l Lane) alerts() bool { return l == Hot || l == Wallet }

// kept is how much of the pace a lane gets before all others.
func (t *Table) kept(lane Lane) float64 {
	if !lane.alerts() {
		return 0
	}
	return min(t.hourly(lane)/alertThrottle, alertPart*float64(t.budget.Pace))
}

// mostThrottle is the most that a lane is throttled.
func (t *Table) mostThrottle(lane Lane) float64 {
	switch {
	case lane == Codes:
		return maxCodesThrottle
	case lane.alerts():
		return max(alertThrottle, float64(alertRest)/float64(t.planned(lane, t.unarmed())))
	}
	return maxThrottle
}

// HourlyRequests is what the service answers in an hour.
const HourlyRequests = budget.PerHour

// armedHour is how much of the hour is used up when a checkout was armed for
// most of it.
const armedHour = HourlyRequests * 85 / 100

// reserved is the part of the pace that a checkout armed for most of the hour
// leaves to other reads.
const reserved = 0.2

// Budget is how requests are spent; the zero value says nothing.
type Budget struct {
	// Minute and Hour are what was used of 1,000 and 10,000.
	Minute, Hour int
	// Lanes is the hour by lane. It is shared and not changed.
	Lanes map[string]int
	// Elsewhere is the part of the hour that other programs on this machine and
	// earlier runs used, Programs how many others are running.
	Elsewhere, Programs int
	// Pace is how many requests an hour may go on in the background.
	Pace int
}

// Budget is how the requests of the last hour were spent.
func (t *Table) Budget() Budget { return t.budget }

// SetBudget allocates the requests anew. What was planned when they were
// shorter moves up.
func (t *Table) SetBudget(b Budget) {
	t.budget = b
	before := t.throttle
	t.allocate()
	for i := range t.throttle {
		if t.throttle[i] < before[i] {
			t.moveUp(t.now)
			return
		}
	}
}

// Throttle is what a lane's interval is multiplied by: 1 when requests are not
// short.
func (t *Table) Throttle(id Lane) float64 { return t.throttle[id] }

// LaneUse is what one lane, or one other purpose, costs.
type LaneUse struct {
	Name string
	// Every is how often it is asked for now, Planned when requests are not
	// short; zero for what is not polled.
	Every, Planned time.Duration
	// Used is the requests of the last hour, other programs' included.
	Used int
}

// Uses lists the lanes in the order in which they get their requests, and
// after them what else requests were used for.
func (t *Table) Uses() []LaneUse {
	var out []LaneUse
	known := make(map[string]bool)
	for _, lane := range lanePriority {
		name := lane.String()
		known[name] = true
		out = append(out, LaneUse{Name: name, Every: t.Interval(lane), Planned: t.planned(lane, t.unarmed()), Used: t.budget.Lanes[name]})
	}
	for _, name := range slices.Sorted(maps.Keys(t.budget.Lanes)) {
		if !known[name] {
			out = append(out, LaneUse{Name: name, Used: t.budget.Lanes[name]})
		}
	}
	return out
}

// allocate divides the pace that the budget allows: a lane that does not get
// what it needs rests longer.
func (t *Table) allocate() {
	for i := range t.throttle {
		t.throttle[i] = 1
	}
	if t.budget.Pace == 0 && t.budget.Hour == 0 {
		return // Nothing is known.
	}
	left := float64(t.budget.Pace)
	for _, lane := range lanePriority {
		if !t.armed { // What lasts for minutes yields to nothing.
			left -= t.kept(lane)
		}
	}
	for _, lane := range lanePriority {
		left += t.kept(lane)
		need := t.hourly(lane)
		asked := need
		if lane == Codes && t.armed {
			// The other lanes need not yield to what lasts for minutes. Armed for
			// most of the hour it would use the hour up, though: then they do.
			asked = float64(time.Hour) / float64(armedEvery)
			if t.budget.Hour >= armedHour {
				need = asked
				left *= 1 - reserved
			}
		}
		if asked > left {
			t.throttle[lane] = min(t.mostThrottle(lane), asked/max(left, 1))
		}
		left = max(0, left-min(need, asked/t.throttle[lane]))
	}
}

// unarmed is the grade of attention without an armed checkout.
func (t *Table) unarmed() Attention {
	if t.attention == Background {
		return Background
	}
	return min(t.attention, Unfocused)
}

// hourly is how many requests a lane makes in an hour when nothing is short.
func (t *Table) hourly(lane Lane) float64 {
	d := t.planned(lane, t.unarmed())
	pages := 1
	if lane == Sweep {
		pages = max(1, t.pages)
	}
	return float64(pages) * float64(time.Hour) / float64(d)
}

// quotaMinutes is how long a request counts, and in how many parts: it may count up to
// one of them longer.
const quotaMinutes = 60

// Quota counts the requests of the last hour of what may send only so many. The
// zero value has sent none.
type Quota struct {
	minutes [quotaMinutes + 1]struct {
		start time.Time
		sent  int
	}
}

// Take counts a request when fewer than most were sent in the last hour. If not, it
// returns when that is so.
func (q *Quota) Take(now time.Time, most int) (free time.Time, ok bool) {
	if most <= 0 {
		return now.Add(quotaMinutes * time.Minute), false
	}
	now = now.Round(0)
	sum := 0
	for i := range q.minutes {
		m := &q.minutes[i]
		over := m.start.Add((quotaMinutes + 1) * time.Minute)
		switch {
		case m.sent == 0:
		case !now.Before(over) || now.Before(m.start):
			m.sent = 0
		default:
			sum += m.sent
			if free.IsZero() || over.Before(free) {
				free = over
			}
		}
	}
	if sum >= most {
		return free, false
	}
	start := now.Truncate(time.Minute)
	m := &q.minutes[int(start.Unix()/60)%len(q.minutes)]
	if !m.start.Equal(start) {
		m.start, m.sent = start, 0
	}
	m.sent++
	return time.Time{}, true
}
