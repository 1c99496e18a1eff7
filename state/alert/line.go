package alert

import (
	"fmt"
	"slices"
	"strconv"
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

// Expiry is how many cards expire within some days, or have expired when Days is 0, and what they
// hold, USD. Card is one of them; New reports whether one came to them since the last time.
type Expiry struct {
	Days, N int
	Sum     api.USD
	Card    api.CardID
	New     bool
}

const expiresPrefix = "expires "

func (e *Expiry) id() ID {
	if e.Days == 0 {
		return "expired"
	}
	return ID(expiresPrefix + strconv.Itoa(e.Days))
}

// DaysOf returns within how many days the cards expire that an alert is about; false when it is
// about something else.
func DaysOf(a *Alert) (days string, ok bool) {
	if a.Kind != ExpiresSoon {
		return "", false
	}
	return string(a.ID[len(expiresPrefix):]), true
}

func (e *Expiry) say(w *lang.Words) string {
	if e.Days == 0 {
		return w.Tf("%s, %s to withdraw", w.Tn(e.N, "%d card expired", "%d cards expired"), w.Dollars(e.Sum))
	}
	return w.Tf("%s within %d d, balance %s", w.Tn(e.N, "%d card expires", "%d cards expire"), e.Days, w.Dollars(e.Sum))
}

// Expiries raises the alerts of cards that expire, one for each number of days, and ends the
// others. Each card is news once.
func (l *List) Expiries(all []Expiry, now time.Time) (changed bool) {
	changed = l.EndIf(func(a *Alert) bool {
		return (a.Kind == ExpiresSoon || a.Kind == Expired) && !slices.ContainsFunc(all, func(e Expiry) bool { return e.N > 0 && e.id() == a.ID })
	})
	for _, e := range all {
		if e.N > 0 {
			changed = l.expiry(e, now) || changed
		}
	}
	return changed
}

func (l *List) expiry(e Expiry, now time.Time) (changed bool) {
	a := Alert{ID: e.id(), Kind: ExpiresSoon, Since: now}
	if e.Days == 0 {
		a.Kind = Expired
	}
	if e.N == 1 {
		a.Card = e.Card
	}
	if have := l.Find(a.ID); have != nil && (e.New || have.Card != a.Card) {
		if !e.New {
			a.Since, a.Seen, a.Snoozed = have.Since, have.Seen, have.Snoozed
		}
		changed = l.End(a.ID)
	}
	return l.Raise(l.Saying(a, e.say), !e.New) || changed
}
