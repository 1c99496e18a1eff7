package state

import (
	"fmt"

	"github.com/cardtop/cardtop/api"
)

// limitSlack is how many points below a threshold a card has to come so that it
// can cross it again.
const limitSlack = 5

// limitLevels are how many thresholds a card has crossed, for those whose limits
// are known.
type limitLevels map[api.CardID]int

func limitID(card api.CardID) AlertID { return AlertID("limit " + card) }

// overLimits compares what the month took from cards with their limits.
func (al *AlertsTable) overLimits() Topic {
	b, percents := al, al.cfg.Alerts.Limit
	if len(percents) == 0 && len(b.levels) == 0 {
		return 0
	}
	if b.levels == nil {
		b.levels = make(limitLevels)
	}
	var topics Topic
	changed, version, ok := al.cards.Changes(b.limited)
	if b.limited = version; !ok {
		changed = al.everyCard()
		topics = al.forgetLevels()
	}
	for _, i := range changed {
		c := al.cards.All().At(int(i))
		topics |= al.overLimit(&c, percents)
	}
	return topics
}

// forgetLevels lets go of cards that are listed no more.
func (al *AlertsTable) forgetLevels() Topic {
	var topics Topic
	for id := range al.levels {
		if _, ok := al.cards.Get(id); !ok {
			delete(al.levels, id)
			topics |= al.settled(limitID(id))
		}
	}
	return topics
}

// overLimit alerts to each threshold that a card crosses, once: it has to come
// some way below it before it can cross it again. As long as the month is read it
// may have been so for long.
func (al *AlertsTable) overLimit(c *Card, percents []int) Topic {
	use, known := c.LimitUse()
	was, looked := al.levels[c.ID]
	if c.Cached || !known || !looked && c.Limit <= 0 {
		return 0
	}
	level := 0
	for i, percent := range percents {
		if use >= percent || i < was && use >= percent-limitSlack {
			level = i + 1
		}
	}
	if c.Status != api.CardActive {
		level = 0 // It spends nothing.
	}
	al.levels[c.ID] = level
	id := limitID(c.ID)
	if level == 0 {
		return al.settled(id)
	}
	var topics Topic
	if level > was || !looked {
		topics = al.settled(id) // The next threshold is news again.
	}
	text := fmt.Sprintf("%d %% of $%s, $%s this month", use, c.Limit.Grouped(), c.Month.Grouped())
	return topics | al.raise(Alert{ID: id, Kind: AlertLimit, Card: c.ID, Since: al.now, Text: text}, !looked || !al.limits.MonthRead())
}
