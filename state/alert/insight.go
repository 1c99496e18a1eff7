package alert

import (
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/ledger"
)

// Figures are what the rules are compared with.
type Figures interface {
	Ledger() *ledger.Ledger
	CardRunway(api.CardID) (burn.Runway, bool)
	// CardShort reports whether a card cannot pay for one more charge like its last ones, and with
	// what it could, USD.
	CardShort(api.CardID) (free, charge api.USD, short bool)
	CampaignRunway(string) (burn.Runway, bool)
	WalletRunway() (burn.Runway, bool)
	FundingRunway() (burn.Runway, bool)
	// Card returns a card of this run's list. Before reports whether it was asked for
	// before.
	Card(api.CardID) (c cardlist.Card, before, ok bool)
	// Campaign returns the campaign of a card; empty for none.
	Campaign(api.CardID, api.Text) string
}

// compareMost is how many cards are compared at once: what an update costs does not grow
// with their number.
const compareMost = 100

// Insight compares the sums of spending with rules: cards when they change, everything
// else once a minute, and never by figures that were not read as far back as they reach.
type Insight struct {
	figures Figures
	list    *List
	// day and week report whether the figures of 24 hours and of 7 days were compared
	// before: what was so then is no news.
	day, week bool
	minute    int64
	// next are the cards to be compared, queued the same by id.
	next   []api.CardID
	queued map[api.CardID]bool // with whether all of them are for the first time
	// changed are the campaigns and BINs to be compared.
	changed map[ledger.Scope]bool
}

// NewInsight returns what raises alerts in a list.
func NewInsight(f Figures, l *List) *Insight {
	return &Insight{figures: f, list: l, queued: make(map[api.CardID]bool), changed: make(map[ledger.Scope]bool)}
}

// Changed has a card compared: its transactions or its balance are others.
func (in *Insight) Changed(id api.CardID) {
	if in.day || in.week {
		in.queue(id, false)
	}
}

// Reset has everything compared anew, by other rules.
func (in *Insight) Reset() {
	if in.day || in.week {
		in.all(false)
	}
	in.minute = 0
}

func (in *Insight) queue(id api.CardID, first bool) {
	was, queued := in.queued[id]
	if in.queued[id] = was || first; !queued {
		in.next = append(in.next, id)
	}
}

// all has all cards, campaigns and BINs compared.
func (in *Insight) all(first bool) {
	l := in.figures.Ledger()
	l.EachCard(func(id api.CardID) { in.queue(id, first) })
	l.EachTries(func(s ledger.Scope, _ ledger.Tries) { in.changed[s] = true })
}

// Update compares what has changed, and reports whether alerts have. Now is this
// machine's clock, server the server's.
func (in *Insight) Update(rules *Rules, now, server time.Time) (changed bool) {
	if !rules.insight() {
		return in.list.EndIf(func(a *Alert) bool { return ofInsight(a.Kind) })
	}
	c := comparison{in, rules, now, false}
	if minute := server.Unix() / 60; minute != in.minute {
		in.minute = minute
		changed = in.round(c)
	}
	n := min(len(in.next), compareMost)
	for range n {
		id := in.next[0]
		in.next = in.next[1:]
		c.known = in.queued[id]
		delete(in.queued, id)
		changed = in.compareCard(c, id) || changed
	}
	if n > 0 && len(in.next) == 0 {
		in.next, in.queued = nil, make(map[api.CardID]bool) // They were of all cards once.
	}
	return changed
}

// round compares the account, the campaigns and BINs that changed, and what alerts.
func (in *Insight) round(c comparison) (changed bool) {
	l := in.figures.Ledger()
	day, week := l.Coverage(ledger.Last24h).Complete, l.Coverage(ledger.Last7d).Complete
	if first := day && !in.day || week && !in.week; first {
		in.day, in.week = in.day || day, in.week || week
		in.all(true)
		c.known = true
	}
	in.list.Each(func(a *Alert) {
		switch {
		case !ofInsight(a.Kind):
		case a.Card != "":
			in.queue(a.Card, false)
		default:
			in.changed[a.scope()] = true
		}
	})
	in.changed[ledger.Account()] = true
	if day {
		changed = c.runways(in.changed) || changed
		changed = c.spikes(in.changed) || changed
	}
	if week {
		changed = c.rates(in.changed) || changed
	}
	clear(in.changed)
	return changed
}

// compareCard compares a card, and has its campaign and its BIN compared.
func (in *Insight) compareCard(c comparison, id api.CardID) (changed bool) {
	card, before, ok := in.figures.Card(id)
	scope := ledger.OfCard(id)
	if !ok {
		return in.list.EndIf(func(a *Alert) bool { return a.Card == id && ofInsight(a.Kind) })
	}
	c.known = c.known || !before
	if name := in.figures.Campaign(id, card.Label); name != "" {
		in.changed[ledger.Scope{By: ledger.ByCampaign, Name: name}] = true
	}
	if card.BIN != "" {
		in.changed[ledger.Scope{By: ledger.ByBIN, Name: string(card.BIN)}] = true
	}
	lines, l := c.rules.OfCard(&card), in.figures.Ledger()
	if l.Coverage(ledger.Last24h).Complete {
		line := lines.Lasts
		if card.Balance < lines.Below {
			line = 0 // That it is low says it.
		}
		changed = c.card(id, line) || changed
		if lines.Spike > 0 || in.list.Find(idOf(SpendSpike, scope)) != nil {
			t := l.Trace(scope)
			changed = c.spike(scope, &t, lines.Spike) || changed
		}
	}
	if l.Coverage(ledger.Last7d).Complete {
		if card.Status == api.CardTerminated {
			lines.Rate = nil // It is over: nobody looks at how it did.
		}
		changed = c.rate(scope, l.CardTries(id), lines.Rate) || changed
	}
	return changed
}

func ofInsight(k Kind) bool { return k == RunsOut || k == DeclineRate || k == SpendSpike }

// scope is what an alert is about.
func (a *Alert) scope() ledger.Scope {
	switch {
	case a.Card != "":
		return ledger.OfCard(a.Card)
	case a.Campaign != "":
		return ledger.Scope{By: ledger.ByCampaign, Name: a.Campaign}
	case a.BIN != "":
		return ledger.Scope{By: ledger.ByBIN, Name: a.BIN}
	}
	return ledger.Account()
}
