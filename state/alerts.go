package state

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
)

// AlertKind is what an alert is about.
type AlertKind uint8

// The kinds, most urgent first.
const (
	AlertKey AlertKind = iota
	AlertWallet
	AlertLow
	AlertDecline
	AlertLimit
	AlertDeposit
)

// String is the kind in a word or two.
func (k AlertKind) String() string {
	switch k {
	case AlertKey:
		return "key refused"
	case AlertWallet:
		return "wallet low"
	case AlertLow:
		return "low balance"
	case AlertDecline:
		return "declined"
	case AlertLimit:
		return "limit used"
	default:
		return "deposit pending"
	}
}

// AlertID names what an alert is about: there is one at a time.
type AlertID string

// Alert is something that a person should know of until it is over or they
// have said that they do.
type Alert struct {
	ID   AlertID
	Kind AlertKind
	// Card is whose it is; empty when it is no card's.
	Card api.CardID
	// Since is when it began, this machine's clock; of declines, the latest.
	Since time.Time
	// AtLeast says that it was so when it was first looked at: it began then or
	// before, nobody knows when.
	AtLeast bool
	// Text says in a line what is the matter.
	Text string
	// Count is how many declines it stands for.
	Count int
	// Seen says that a person knows, Snoozed until when they are not reminded.
	Seen    bool
	Snoozed time.Time
}

// SnoozeFor is how long a person is not reminded of an alert.
const SnoozeFor = time.Hour

// alertsKept bounds the alerts about cards and deposits.
const alertsKept = 500

// AckAlert says that a person knows of an alert.
type AckAlert struct{ ID AlertID }

// SnoozeAlert asks to be reminded of an alert after SnoozeFor; again: at once.
type SnoozeAlert struct{ ID AlertID }

func (AckAlert) intent()    {}
func (SnoozeAlert) intent() {}

// alertBook keeps what is the matter.
type alertBook struct {
	rows []Alert
	// weighed is the version of the cards whose balances were last compared with
	// their limits; 0 has all of them compared anew.
	weighed uint64
	// passed says that there was no room for an alert of a card.
	passed bool
	// limited is likewise for what the month took and the cards' limits, levels
	// are what came of it.
	limited uint64
	levels  limitLevels
	// wallet says that its balance was looked at before: one that is low at first
	// sight has not crossed its limit.
	wallet bool
}

// quiet tells that an alert is not to be reminded of now.
func (a *Alert) quiet(now time.Time) bool { return a.Seen || now.Before(a.Snoozed) }

// Alerts lists the alerts: those a person has to see first, each by urgency
// and the latest first.
func (s *Store) Alerts() []Alert {
	rows := slices.Clone(s.alerts.rows)
	slices.SortStableFunc(rows, func(a, b Alert) int {
		x, y := a.quiet(s.now), b.quiet(s.now)
		switch {
		case x != y && x:
			return 1
		case x != y:
			return -1
		}
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), b.Since.Compare(a.Since), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

// OpenAlerts counts those that a person has not seen and not put off.
func (s *Store) OpenAlerts() int {
	n := 0
	for i := range s.alerts.rows {
		if !s.alerts.rows[i].quiet(s.now) {
			n++
		}
	}
	return n
}

// alarm looks at the parts that changed for what a person should know.
func (s *Store) alarm(changed Topic) Topic {
	var topics Topic
	if changed&TopicCards != 0 {
		topics |= s.lowCards() | s.overLimits()
	}
	if changed&TopicWallet != 0 {
		topics |= s.lowWallet()
	}
	if changed&TopicHealth != 0 {
		topics |= s.refusedKey()
	}
	return topics
}

// raise begins an alert, or brings one that is there up to date. What is new
// is news, but for what was so when it was first looked at.
func (s *Store) raise(a Alert, known bool) Topic {
	rows := s.alerts.rows
	i := slices.IndexFunc(rows, func(have Alert) bool { return have.ID == a.ID })
	if i >= 0 {
		if rows[i].Text == a.Text {
			return 0
		}
		rows[i].Text = a.Text
		if a.Kind == AlertDecline {
			rows[i].Count, rows[i].Since = a.Count, a.Since
		}
		return TopicAlerts
	}
	if len(rows) >= alertsKept && a.Kind > AlertWallet {
		s.alerts.passed = true
		return 0 // So many say it as well.
	}
	a.AtLeast = known && a.Kind != AlertDeposit
	s.alerts.rows = append(s.alerts.rows, a)
	if !known {
		s.reportAlert(a)
	}
	return TopicAlerts
}

// settled ends an alert whose cause is over.
func (s *Store) settled(id AlertID) Topic {
	before := len(s.alerts.rows)
	s.alerts.rows = slices.DeleteFunc(s.alerts.rows, func(a Alert) bool { return a.ID == id })
	if len(s.alerts.rows) == before {
		return 0
	}
	return TopicAlerts
}

func (s *Store) raised(id AlertID) bool {
	return slices.ContainsFunc(s.alerts.rows, func(a Alert) bool { return a.ID == id })
}

func lowID(card api.CardID) AlertID { return AlertID("low " + card) }

// lowCards compares the balances of cards with their limits, and ends the
// alerts of cards that are listed no more.
func (s *Store) lowCards() Topic {
	rules := &s.cfg.Alerts
	if rules.Cards == 0 && len(rules.Low) == 0 && len(s.alerts.rows) == 0 {
		return 0
	}
	low := make(map[api.CardID]bool)
	for _, a := range s.alerts.rows {
		low[a.Card] = low[a.Card] || a.Kind == AlertLow
	}
	var topics Topic
	for id := range low {
		if _, ok := s.Card(id); !ok {
			topics |= s.settled(lowID(id))
		}
	}
	topics |= s.weigh(low, s.unweighed())
	if s.alerts.passed && len(s.alerts.rows) < alertsKept {
		s.alerts.passed = false
		topics |= s.weigh(low, s.everyCard())
	}
	return topics
}

// weigh compares the balances of the cards in some places with their limits;
// low are those that have an alert.
func (s *Store) weigh(low map[api.CardID]bool, places []int32) Topic {
	var topics Topic
	for _, i := range places {
		c := s.Cards().At(int(i))
		if c.Cached {
			continue
		}
		known := !s.cards.row(int(i)).weighed
		s.cards.own(int(i)).weighed = true
		limit := s.cfg.Alerts.limit(&c)
		if c.Status != api.CardActive {
			limit = 0 // It spends nothing.
		}
		if c.Balance >= limit && !low[c.ID] {
			continue
		}
		topics |= s.low(Alert{ID: lowID(c.ID), Kind: AlertLow, Card: c.ID}, c.Balance, limit, known)
	}
	return topics
}

// unweighed are the places of the cards that may have changed since their
// balances were compared with the limits last.
func (s *Store) unweighed() []int32 {
	changed, version, ok := s.CardChanges(s.alerts.weighed)
	if s.alerts.weighed = version; ok {
		return changed
	}
	return s.everyCard()
}

func (s *Store) everyCard() []int32 {
	all := make([]int32, s.cards.Len())
	for i := range all {
		all[i] = int32(i)
	}
	return all
}

func (s *Store) lowWallet() Topic {
	if !s.wallet.live() {
		return 0
	}
	known := !s.alerts.wallet
	s.alerts.wallet = true
	return s.low(Alert{ID: "wallet", Kind: AlertWallet}, s.wallet.Balance, s.cfg.Alerts.Wallet, known)
}

// low raises or ends the alert of a balance.
func (s *Store) low(a Alert, balance, limit api.USD, known bool) Topic {
	switch {
	case balance < limit, limit > 0 && balance < rearmed(limit) && s.raised(a.ID):
		a.Since = s.now
		a.Text = fmt.Sprintf("$%s, below $%s", balance.Grouped(), limit.Grouped())
		if balance >= limit {
			a.Text = fmt.Sprintf("$%s, clears at $%s", balance.Grouped(), rearmed(limit).Grouped())
		}
		return s.raise(a, known)
	}
	return s.settled(a.ID)
}

// refusedKey alerts to a key that is refused since it was taken.
func (s *Store) refusedKey() Topic {
	if err := s.Poll.KeyRefused(); err != nil {
		return s.raise(Alert{ID: "key", Kind: AlertKey, Since: s.now, Text: explain(err)}, false)
	}
	return s.settled("key")
}

// declined alerts to a payment that was declined just now.
func (s *Store) declined(t api.Transaction) Topic {
	if !s.cfg.Alerts.Declines {
		return 0
	}
	id := AlertID("decline " + t.CardID)
	n := 1
	for _, a := range s.alerts.rows {
		if a.ID == id {
			n += a.Count
		}
	}
	who := string(t.Merchant.Name)
	if who == "" {
		who = "an unknown merchant"
	}
	text := fmt.Sprintf("$%s at %s", t.Amount.Grouped(), who)
	if n > 1 {
		text = fmt.Sprintf("%d times, the last $%s at %s", n, t.Amount.Grouped(), who)
	}
	return s.raise(Alert{ID: id, Kind: AlertDecline, Card: t.CardID, Since: s.now, Text: text, Count: n}, false)
}

// remind looks at what time alone brings about: deposits that are pending for
// long, and reminders that are due again.
func (s *Store) remind(last, now time.Time) Topic {
	topics := s.lateDeposits()
	for _, a := range s.alerts.rows {
		if last.Before(a.Snoozed) && !now.Before(a.Snoozed) {
			topics |= TopicAlerts
			if !a.Seen {
				s.reportAlert(a)
			}
		}
	}
	return topics
}

func (s *Store) lateDeposits() Topic {
	late := s.cfg.Alerts.Deposit
	topics := s.depositsOver(late)
	if late <= 0 || s.Poll.Cached(LaneDeposits) {
		return topics
	}
	for _, d := range s.wallet.deposits {
		age := s.ServerNow().Sub(d.CreatedAt)
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
		topics |= s.raise(Alert{ID: id, Kind: AlertDeposit, Since: s.now.Add(late - age), Text: text}, age > late+time.Minute)
	}
	return topics
}

// depositsOver ends the alerts of deposits that are pending no more, or that
// nobody wants to be alerted to.
func (s *Store) depositsOver(late time.Duration) Topic {
	before := len(s.alerts.rows)
	s.alerts.rows = slices.DeleteFunc(s.alerts.rows, func(a Alert) bool {
		return a.Kind == AlertDeposit && (late <= 0 || !slices.ContainsFunc(s.wallet.deposits, func(d api.Deposit) bool {
			return depositID(d.ID) == a.ID && d.Status == api.DepositPending
		}))
	})
	if len(s.alerts.rows) == before {
		return 0
	}
	return TopicAlerts
}

func depositID(id api.DepositID) AlertID { return AlertID("deposit " + id) }

// alertTold does what a person wants with an alert.
func (s *Store) alertTold(in Intent) Topic {
	for i := range s.alerts.rows {
		a := &s.alerts.rows[i]
		switch in := in.(type) {
		case AckAlert:
			if a.ID != in.ID {
				continue
			}
			if a.Kind == AlertDecline {
				return s.settled(a.ID) // It has no end of its own.
			}
			a.Seen = !a.Seen
			return TopicAlerts
		case SnoozeAlert:
			if a.ID != in.ID {
				continue
			}
			if s.now.Before(a.Snoozed) {
				a.Snoozed = time.Time{}
			} else {
				a.Snoozed = s.now.Add(SnoozeFor)
			}
			return TopicAlerts
		default:
			return 0
		}
	}
	return 0
}
