package alert

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/ledger"
)

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
