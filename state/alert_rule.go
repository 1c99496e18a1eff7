package state

import (
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// limitSlack is how many points below a threshold a card has to come so that it
// can cross it again.
const limitSlack = 5

func limitID(card api.CardID) AlertID { return AlertID("limit " + card) }

// update checks the parts that changed for what to alert the user to.
func (al *AlertsTable) update(changed Topic) Topic {
	var topics Topic
	if changed&TopicCards != 0 {
		topics |= al.lowCards() | al.overLimits()
	}
	if changed&TopicWallet != 0 {
		topics |= al.lowWallet()
	}
	if changed&TopicHealth != 0 {
		topics |= al.refusedKey()
	}
	return topics
}

// recheck compares everything with the rules of a changed configuration.
func (al *AlertsTable) recheck() {
	al.compared, al.limited = 0, 0
	al.update(TopicAll)
	al.lateDeposits()
}

// remind checks what only the time changes: deposits that are pending for
// long, and reminders that are due again.
func (al *AlertsTable) remind(last, now time.Time) Topic {
	topics := al.lateDeposits()
	for _, a := range al.rows {
		if last.Before(a.Snoozed) && !now.Before(a.Snoozed) {
			topics |= TopicAlerts
			if !a.Seen {
				al.news.reportAlert(a)
			}
		}
	}
	return topics
}

// overLimits compares the sums of the month with the cards' limits.
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
		changed = al.allPlaces()
		topics = al.forgetLevels()
	}
	for _, i := range changed {
		c := al.cards.All().At(int(i))
		topics |= al.overLimit(&c, percents)
	}
	return topics
}

// forgetLevels removes cards that are listed no more.
func (al *AlertsTable) forgetLevels() Topic {
	var topics Topic
	for id := range al.levels {
		if _, ok := al.cards.Get(id); !ok {
			delete(al.levels, id)
			topics |= al.end(limitID(id))
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
		return al.end(id)
	}
	var topics Topic
	if level > was || !looked {
		topics = al.end(id) // The next threshold is news again.
	}
	text := fmt.Sprintf("%d %% of $%s, $%s this month", use, c.Limit.Grouped(), c.Month.Grouped())
	return topics | al.raise(Alert{ID: id, Kind: AlertLimit, Card: c.ID, Since: al.now, Text: text}, !looked || !al.limits.MonthRead())
}

// Rules are those in force.
func (al *AlertsTable) Rules() AlertRules { return al.cfg.Alerts }

// rearmed is the balance from which what was low is low no more: a tenth above
// the limit, so that a balance that goes up and down around it alerts once.
func rearmed(limit api.USD) api.USD { return limit + limit/10 }

func lowID(card api.CardID) AlertID { return AlertID("low " + card) }

// lowCards compares the balances of cards with their limits, and ends the
// alerts of cards that are listed no more.
func (al *AlertsTable) lowCards() Topic {
	rules := &al.cfg.Alerts
	if rules.Cards == 0 && len(rules.Low) == 0 && len(al.rows) == 0 {
		return 0
	}
	low := make(map[api.CardID]bool)
	for _, a := range al.rows {
		low[a.Card] = low[a.Card] || a.Kind == AlertLow
	}
	var topics Topic
	for id := range low {
		if _, ok := al.cards.Get(id); !ok {
			topics |= al.end(lowID(id))
		}
	}
	topics |= al.compareBalances(low, al.changedPlaces())
	if al.passed && len(al.rows) < alertsKept {
		al.passed = false
		topics |= al.compareBalances(low, al.allPlaces())
	}
	return topics
}

// compareBalances compares the balances of the cards in some places with their limits;
// low are those that have an alert.
func (al *AlertsTable) compareBalances(low map[api.CardID]bool, places []int32) Topic {
	var topics Topic
	for _, i := range places {
		c := al.cards.All().At(int(i))
		if c.Cached {
			continue
		}
		known := !al.cards.markCompared(int(i))
		limit := al.cfg.Alerts.limit(&c)
		if c.Status != api.CardActive {
			limit = 0 // It spends nothing.
		}
		if c.Balance >= limit && !low[c.ID] {
			continue
		}
		topics |= al.low(Alert{ID: lowID(c.ID), Kind: AlertLow, Card: c.ID}, c.Balance, limit, known)
	}
	return topics
}

// changedPlaces are the places of the cards that may have changed since their
// balances were compared with the limits last.
func (al *AlertsTable) changedPlaces() []int32 {
	changed, version, ok := al.cards.Changes(al.compared)
	if al.compared = version; ok {
		return changed
	}
	return al.allPlaces()
}

func (al *AlertsTable) allPlaces() []int32 {
	all := make([]int32, al.cards.Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func (al *AlertsTable) lowWallet() Topic {
	if !al.wallet.live() {
		return 0
	}
	known := !al.walletSeen
	al.walletSeen = true
	w, _ := al.wallet.Balance()
	return al.low(Alert{ID: "wallet", Kind: AlertWallet}, w.Balance, al.cfg.Alerts.Wallet, known)
}

// low raises or ends the alert of a balance.
func (al *AlertsTable) low(a Alert, balance, limit api.USD, known bool) Topic {
	switch {
	case balance < limit, limit > 0 && balance < rearmed(limit) && al.raised(a.ID):
		a.Since = al.now
		a.Text = fmt.Sprintf("$%s, below $%s", balance.Grouped(), limit.Grouped())
		if balance >= limit {
			a.Text = fmt.Sprintf("$%s, clears at $%s", balance.Grouped(), rearmed(limit).Grouped())
		}
		return al.raise(a, known)
	}
	return al.end(a.ID)
}

func (al *AlertsTable) lateDeposits() Topic {
	late := al.cfg.Alerts.Deposit
	topics := al.depositsOver(late)
	if late <= 0 || al.poll.Cached(LaneDeposits) {
		return topics
	}
	for _, d := range al.wallet.Deposits() {
		age := al.ServerNow().Sub(d.CreatedAt)
		if d.Status != api.DepositPending || d.CreatedAt.IsZero() || age < late {
			continue
		}
		id := depositID(d.ID)
		text := string(d.Currency)
		if d.CreditedUSD != nil {
			text += ", $" + d.CreditedUSD.Grouped()
		}
		text += ", since " + d.CreatedAt.UTC().Format("Jan 2 15:04 UTC")
		// One that is late when it is first read has been so for longer.
		topics |= al.raise(Alert{ID: id, Kind: AlertDeposit, Since: al.now.Add(late - age), Text: text}, age > late+time.Minute)
	}
	return topics
}

// depositsOver ends the alerts of deposits that are pending no more, or that
// the settings do not alert to.
func (al *AlertsTable) depositsOver(late time.Duration) Topic {
	before := len(al.rows)
	al.rows = slices.DeleteFunc(al.rows, func(a Alert) bool {
		return a.Kind == AlertDeposit && (late <= 0 || !slices.ContainsFunc(al.wallet.Deposits(), func(d api.Deposit) bool {
			return depositID(d.ID) == a.ID && d.Status == api.DepositPending
		}))
	})
	if len(al.rows) == before {
		return 0
	}
	return TopicAlerts
}

func depositID(id api.DepositID) AlertID { return AlertID("deposit " + id) }
