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

// comparison compares figures with rules. Known says that what is so now may have been so
// before the program began.
type comparison struct {
	*Insight
	rules *Rules
	now   time.Time
	known bool
}

// set raises the alert of a kind about a scope while it is so, and ends it else.
func (c *comparison) set(k Kind, s ledger.Scope, level int, text func(*lang.Words) string) (changed bool) {
	id := idOf(k, s)
	if level == 0 {
		return c.list.End(id)
	}
	if a := c.list.Find(id); a != nil && a.Level < level {
		c.list.End(id) // The next line is news again.
	}
	return c.list.Raise(c.list.Saying(Alert{ID: id, Kind: k, Since: c.now, Level: level}.of(s), text), c.known)
}

// was is the level of an alert that is there, 0 for none.
func (c *comparison) was(k Kind, s ledger.Scope) int { return c.list.Level(k, s) }

// runway compares how long money lasts with a line. Ok reports whether that is known: where it is not, too
// little is spent to run out. An alert stays while the forecast is too vague to say that it is over: spending
// that became uneven is no reason to believe that the money lasts.
func (c *comparison) runway(s ledger.Scope, r burn.Runway, ok bool, line time.Duration, how string) bool {
	if !ok && line > 0 && c.was(RunsOut, s) > 0 && r.Vague() && r.Low < line {
		return c.set(RunsOut, s, 1, func(w *lang.Words) string { return w.T("spending is too uneven to say how long it lasts") })
	}
	if !ok || !short(r.Left, line, c.was(RunsOut, s) > 0) {
		return c.set(RunsOut, s, 0, nil)
	}
	return c.set(RunsOut, s, 1, func(w *lang.Words) string { return runwayText(w, r, line, how) })
}

// card compares how long a card lasts. Where that is not known, too few charges or uneven ones, one
// that cannot pay for the next charge runs out all the same.
func (c *comparison) card(id api.CardID, line time.Duration) bool {
	scope, left, known := ledger.OfCard(id), burn.Runway{}, false
	if line > 0 {
		left, known = c.figures.CardRunway(id)
	}
	if line > 0 && !known {
		if free, charge, short := c.figures.CardShort(id); short {
			return c.set(RunsOut, scope, 1, func(w *lang.Words) string {
				return w.Tf("%s available, one more charge as in the last 24 h takes %s", w.Dollars(free), w.Dollars(charge))
			})
		}
	}
	return c.runway(scope, left, known, line, lang.N("lasts %s"))
}

// runways compares how long the wallet and campaigns last.
func (c *comparison) runways(of map[ledger.Scope]bool) (changed bool) {
	for s := range of {
		switch line := c.rules.Of(s).Lasts; {
		case s.By == ledger.ByCampaign && s.Name != "":
			r, ok := burn.Runway{}, false
			if line > 0 {
				r, ok = c.figures.CampaignRunway(s.Name)
			}
			changed = c.runway(s, r, ok, line, lang.N("lasts %s")) || changed
		case s.By == ledger.ByAccount:
			changed = c.wallet() || changed
		default:
		}
	}
	return changed
}

// wallet compares how long the wallet lasts with what is on the cards, and alone at the
// rate that it is moved to them: the shorter of both.
func (c *comparison) wallet() bool {
	if c.rules.WalletLasts <= 0 {
		return c.set(RunsOut, ledger.Account(), 0, nil)
	}
	r, ok := c.figures.WalletRunway()
	how := lang.N("lasts %s with the cards")
	if funding, known := c.figures.FundingRunway(); known && (!ok || funding.Left < r.Left) {
		r, ok, how = funding, true, lang.N("lasts %s as cards are funded")
	}
	return c.runway(ledger.Account(), r, ok, c.rules.WalletLasts, how)
}

func (c *comparison) rate(s ledger.Scope, t ledger.Tries, lines []int) bool {
	was, from := c.was(DeclineRate, s), c.rules.RateFrom
	level, _ := rateOf(nil, t, lines, from, was)
	return c.set(DeclineRate, s, level, func(w *lang.Words) string {
		_, text := rateOf(w, t, lines, from, was)
		return text
	})
}

// rates compares the decline rates of the account, campaigns and BINs.
func (c *comparison) rates(of map[ledger.Scope]bool) (changed bool) {
	c.figures.Ledger().EachTries(func(s ledger.Scope, t ledger.Tries) {
		if of[s] && (s.Name != "" || s.By == ledger.ByAccount) {
			changed = c.rate(s, t, c.rules.Of(s).Rate) || changed
		}
	})
	return changed
}

func (c *comparison) spike(s ledger.Scope, t *burn.Trace, times int) bool {
	was, from := c.was(SpendSpike, s) > 0, c.rules.SpikeFrom
	if spike, _ := spikeOf(nil, t, times, from, was); !spike {
		return c.set(SpendSpike, s, 0, nil)
	}
	trace := *t // It is reused, and the text may be asked for in another language later.
	return c.set(SpendSpike, s, 1, func(w *lang.Words) string {
		_, text := spikeOf(w, &trace, times, from, was)
		return text
	})
}

// spikes compares what campaigns spend in an hour with what they usually do.
func (c *comparison) spikes(of map[ledger.Scope]bool) (changed bool) {
	charged := make(map[string]bool)
	if c.rules.Spike > 0 || len(c.rules.Spikes) > 0 {
		l := c.figures.Ledger()
		l.Traces(ledger.ByCampaign, func(place uint32, t *burn.Trace) {
			name, _ := l.Name(ledger.ByCampaign, place)
			if s := (ledger.Scope{By: ledger.ByCampaign, Name: name}); of[s] && name != "" {
				charged[name] = true
				changed = c.spike(s, t, c.rules.Of(s).Spike) || changed
			}
		})
	}
	for s := range of {
		if s.By == ledger.ByCampaign && !charged[s.Name] {
			changed = c.set(SpendSpike, s, 0, nil) || changed
		}
	}
	return changed
}
