package alert

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/ledger"
)

// Level returns how many lines a value has reached, ascending ones. One that was reached
// holds until the value is slack below it, so that a value around a line alerts once.
func Level(value, slack float64, lines []int, was int) int {
	level := 0
	for i, line := range lines {
		if value >= float64(line) || i < was && value >= float64(line)-slack {
			level = i + 1
		}
	}
	return level
}

// Rearmed is the balance from which what was low is low no more: a tenth above
// the limit, so that a balance that goes up and down around it alerts once.
func Rearmed(limit api.USD) api.USD { return limit + limit/10 }

// rateSlack is how many points a decline rate has to be below a line so that it can
// reach it again.
const rateSlack = 2

// short says whether a runway is shorter than a line, was whether it was before: then it
// has to be a quarter longer.
func short(left, line time.Duration, was bool) bool {
	return left < line || was && left < line+line/4
}

// runwayText says how long money lasts, and until when that alerts.
func runwayText(w *lang.Words, r burn.Runway, line time.Duration, how string) string {
	text := w.Tf(how, r.Text(w))
	if r.Left < line {
		return w.Tf("%s, less than %s", text, burn.Text(w, line))
	}
	return w.Tf("%s, clears at %s", text, burn.Text(w, line+line/4))
}

// rateOf returns the level of a decline rate, and what it says.
func rateOf(w *lang.Words, t ledger.Tries, lines []int, from, was int) (level int, text string) {
	percent, ok := decline.Rate(t.Declined, t.Attempts)
	if !ok || t.Attempts < from {
		return 0, ""
	}
	level = Level(percent, rateSlack, lines, was)
	if level == 0 {
		return 0, ""
	}
	text = w.Tf("%.0f %% declined in 7 days, %d of %d", percent, t.Declined, t.Attempts)
	if line := lines[level-1]; percent >= float64(line) {
		text += w.Tf(", your threshold %d %%", line)
	} else {
		text += w.Tf(", clears below %d %%", line-rateSlack)
	}
	if level < len(lines) {
		if n, ok := decline.MoreTo(t.Declined, t.Attempts, lines[level]); ok {
			text += w.Tf(", %d more to %d %%", n, lines[level])
		}
	}
	return level, text
}

const (
	// spikePast is how many of the past hours have to have charges: of fewer nothing
	// is usual.
	spikePast = 6
	// spikeKnown is how many hours have to be read.
	spikeKnown = burn.Hours - 1
)

// spikeOf reports whether this hour or the last one is a spike against the hours before
// them in which anything was spent, and what it says.
func spikeOf(w *lang.Words, t *burn.Trace, times int, from api.USD, was bool) (spike bool, text string) {
	if t.Known < spikeKnown || times <= 0 {
		return false, ""
	}
	sum, n := api.USD(0), api.USD(0)
	for _, h := range t.Hours[2:] {
		if h.Spent > 0 {
			sum += h.Spent
			n++
		}
	}
	if n < spikePast {
		return false, ""
	}
	usual, now, last := sum/n, t.Hours[0].Spent, t.Hours[1].Spent > t.Hours[0].Spent
	if last {
		now = t.Hours[1].Spent
	}
	line := max(usual*api.USD(times), from)
	if now < line && (!was || now < line-line/5) {
		return false, ""
	}
	spent, ratio, hour := w.Dollars(cents(now)), w.Number(fmt.Sprintf("%.1f", float64(now)/float64(max(usual, 1)))), w.Dollars(cents(usual))
	begun := t.Now.Truncate(time.Hour) // Hours are the clock's, so they are named by it.
	if last {
		return true, w.Tf("%s from %s to %s, %s times the usual %s/h", spent, timeOfDay(begun.Add(-time.Hour)), timeOfDay(begun), ratio, hour)
	}
	return true, w.Tf("%s since %s, %s times the usual %s/h", spent, timeOfDay(begun), ratio, hour)
}

func timeOfDay(t time.Time) string { return t.Local().Format("15:04") }

func cents(u api.USD) api.USD { return u / api.Cent * api.Cent }
