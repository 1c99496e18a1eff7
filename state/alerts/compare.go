package alerts

import (
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
)

// limitLevels are how many thresholds a card has crossed, for those whose limits
// are known.
type limitLevels map[api.CardID]int

// limitSlack is how many points below a threshold a card has to come so that it
// can cross it again.
const limitSlack = 5

func limitID(card api.CardID) alert.ID { return alert.ID("limit " + card) }

// overLimits compares the sums of the month with the cards' limits.
func (al *Table) overLimits() kernel.Topic {
	b, percents := al, al.Cfg.Alerts.Limit
	if len(percents) == 0 && len(b.levels) == 0 {
		return 0
	}
	if b.levels == nil {
		b.levels = make(limitLevels)
	}
	var topics kernel.Topic
	changed, version, ok := al.needs.Cards.Changes(b.limited)
	if b.limited = version; !ok {
		changed = al.allPlaces()
		topics = al.forgetLevels()
	}
	for _, i := range changed {
		c := al.needs.Cards.All().At(int(i))
		topics |= al.overLimit(&c, percents)
	}
	return topics
}

// forgetLevels removes cards that are listed no more.
func (al *Table) forgetLevels() kernel.Topic {
	var topics kernel.Topic
	for id := range al.levels {
		if _, ok := al.needs.Cards.Get(id); !ok {
			delete(al.levels, id)
			topics |= al.End(limitID(id))
		}
	}
	return topics
}

// overLimit alerts to each threshold that a card crosses, once: it has to come
// some way below it before it can cross it again. As long as the month is read it
// may have been so for long.
func (al *Table) overLimit(c *cardlist.Card, percents []int) kernel.Topic {
	use, known := c.LimitUse()
	was, looked := al.levels[c.ID]
	if c.Cached || !known || !looked && c.Limit <= 0 {
		return 0
	}
	level := alert.Level(float64(use), limitSlack, percents, was)
	if c.Shown() != api.CardActive {
		level = 0 // It spends nothing.
	}
	al.levels[c.ID] = level
	id := limitID(c.ID)
	if level == 0 {
		return al.End(id)
	}
	var topics kernel.Topic
	if level > was || !looked {
		topics = al.End(id) // The next threshold is news again.
	}
	limit, month := c.Limit, c.Month
	a := al.list.Saying(alert.Alert{ID: id, Kind: alert.LimitUsed, Card: c.ID, Since: al.Time}, func(w *lang.Words) string {
		return w.Tf("%d %% of %s, %s this month", use, w.Dollars(limit), w.Dollars(month))
	})
	return topics | al.raise(a, !looked || !al.needs.Limits.MonthRead())
}

func lowID(card api.CardID) alert.ID { return alert.ID("low " + card) }

// lowCards compares the balances of cards with their limits, and ends the
// alerts of cards that are listed no more.
func (al *Table) lowCards() kernel.Topic {
	if !al.Cfg.Alerts.OfBalances() && al.list.Len() == 0 {
		return 0
	}
	low := make(map[api.CardID]bool)
	al.list.Each(func(a *alert.Alert) { low[a.Card] = low[a.Card] || a.Kind == alert.BalanceLow })
	var topics kernel.Topic
	for id := range low {
		if _, ok := al.needs.Cards.Get(id); !ok {
			topics |= al.End(lowID(id))
		}
	}
	topics |= al.compareBalances(low, al.changedPlaces())
	if al.list.HasRoom() {
		topics |= al.compareBalances(low, al.allPlaces())
	}
	return topics
}

// compareBalances compares the balances of the cards in some places with their limits;
// low are those that have an alert.
func (al *Table) compareBalances(low map[api.CardID]bool, places []int32) kernel.Topic {
	var topics kernel.Topic
	for _, i := range places {
		c := al.needs.Cards.All().At(int(i))
		if c.Cached {
			continue
		}
		if al.needs.Spend.Ledger().Holds(c.ID) {
			al.insight.Changed(c.ID)
		}
		known := !al.needs.Cards.MarkCompared(int(i))
		limit := al.Cfg.Alerts.Below(&c)
		if c.Shown() != api.CardActive {
			limit = 0 // It spends nothing.
		}
		if c.Balance >= limit && !low[c.ID] {
			continue
		}
		topics |= al.low(alert.Alert{ID: lowID(c.ID), Kind: alert.BalanceLow, Card: c.ID}, c.Balance, limit, known)
	}
	return topics
}

// changedPlaces are the places of the cards that may have changed since their
// balances were compared with the limits last.
func (al *Table) changedPlaces() []int32 {
	changed, version, ok := al.needs.Cards.Changes(al.compared)
	if al.compared = version; ok {
		return changed
	}
	return al.allPlaces()
}

func (al *Table) allPlaces() []int32 {
	all := make([]int32, al.needs.Cards.Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func (al *Table) lowWallet() kernel.Topic {
	if !al.needs.Wallet.Live() {
		return 0
	}
	known := !al.walletSeen
	al.walletSeen = true
	w, _ := al.needs.Wallet.Balance()
	return al.low(alert.Alert{ID: "wallet", Kind: alert.WalletLow}, w.Balance, al.Cfg.Alerts.Wallet, known)
}

// low raises or ends the alert of a balance.
func (al *Table) low(a alert.Alert, balance, limit api.USD, known bool) kernel.Topic {
	switch {
	case balance < limit, limit > 0 && balance < alert.Rearmed(limit) && al.list.Find(a.ID) != nil:
		a.Since = al.Time
		return al.Say(a, known, func(w *lang.Words) string {
			if balance >= limit {
				return w.Tf("%s, clears at %s", w.Dollars(balance), w.Dollars(alert.Rearmed(limit)))
			}
			return w.Tf("%s, below %s", w.Dollars(balance), w.Dollars(limit))
		})
	}
	return al.End(a.ID)
}

func (al *Table) lateDeposits() kernel.Topic {
	late := al.Cfg.Alerts.Deposit
	topics := al.depositsOver(late)
	if late <= 0 || al.needs.Lanes.Cached(poll.Deposits) {
		return topics
	}
	for _, d := range al.needs.Wallet.Deposits() {
		age := al.ServerNow().Sub(d.CreatedAt)
		if d.Status != api.DepositPending || d.CreatedAt.IsZero() || age < late {
			continue
		}
		id := depositID(d.ID)
		a := al.list.Saying(alert.Alert{ID: id, Kind: alert.DepositPending, Since: al.Time.Add(late - age)}, func(w *lang.Words) string {
			return pendingText(w, &d)
		})
		// One that is late when it is first read has been so for longer.
		topics |= al.raise(a, age > late+time.Minute)
	}
	return topics
}

func pendingText(w *lang.Words, d *api.Deposit) string {
	text := string(d.Currency)
	if d.CreditedUSD != nil {
		text += ", " + w.Dollars(*d.CreditedUSD)
	}
	return w.Tf("%s, since %s", text, w.Time(d.CreatedAt.Local(), "Jan 2 15:04"))
}

// depositsOver ends the alerts of deposits that are pending no more, or that
// the settings do not alert to.
func (al *Table) depositsOver(late time.Duration) kernel.Topic {
	return ifAlerts(al.list.EndIf(func(a *alert.Alert) bool {
		return a.Kind == alert.DepositPending && (late <= 0 || !slices.ContainsFunc(al.needs.Wallet.Deposits(), func(d api.Deposit) bool {
			return depositID(d.ID) == a.ID && d.Status == api.DepositPending
		}))
	}))
}

func depositID(id api.DepositID) alert.ID { return alert.ID("deposit " + id) }
