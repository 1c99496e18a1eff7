package state

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/rows"
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

// String is the kind in one or two words.
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

// Alert is a condition that the user should know of until it is over or they
// have said that they do.
type Alert struct {
	ID   AlertID
	Kind AlertKind
	// Card is the card it is about; empty for none.
	Card api.CardID
	// Since is when it began, this machine's clock; of declines, the latest.
	Since time.Time
	// AtLeast reports whether it was so when it was first checked: it began then or
	// before, is unknown when.
	AtLeast bool
	// Text says in a line what is the matter.
	Text string
	// Count is how many declines it stands for, Transaction the last of them.
	Count       int
	Transaction api.TransactionID
	// Seen reports whether the user knows, Snoozed until when they are not reminded.
	Seen    bool
	Snoozed time.Time
}

// SnoozeFor is how long the user is not reminded of an alert.
const SnoozeFor = time.Hour

// alertsKept bounds the alerts about cards and deposits.
const alertsKept = 500

// AckAlert marks an alert as seen, or as unseen again.
type AckAlert struct{ ID AlertID }

func (in AckAlert) start(s *Store) (Topic, []Effect) { return s.Alerts.acknowledge(in.ID), nil }

// SnoozeAlert asks to be reminded of an alert after SnoozeFor; again: at once.
type SnoozeAlert struct{ ID AlertID }

func (in SnoozeAlert) start(s *Store) (Topic, []Effect) { return s.Alerts.snooze(in.ID), nil }

// AlertsTable holds the alerts.
type AlertsTable struct {
	*core
	cards  *CardsTable
	news   *NewsTable
	poll   *PollTable
	wallet *WalletTable
	limits *LimitsTable

	rows []Alert
	// done is up to when the user knows of a card's declines, on the server's clock:
	// a storm of retries that began before does not alert again.
	done map[api.CardID]time.Time
	// compared is the version of the cards whose balances were last compared with
	// their limits; 0 has all of them compared anew.
	compared uint64
	// passed reports whether there was no room for an alert of a card.
	passed bool
	// limited is likewise for the sums of the month and the cards' limits, levels
	// are what came of it.
	limited uint64
	levels  limitLevels
	// walletSeen reports whether the wallet's balance was compared before: one that is
	// low at first has not crossed its limit.
	walletSeen bool
}

// Rows are alerts for other programs, with their cards' names.
func (al *AlertsTable) Rows(alerts []Alert) Rows {
	list := slices.Clone(alerts)
	names := make([]string, 0, len(list))
	for i := range list {
		name := ""
		if list[i].Card != "" {
			name = al.cards.Name(list[i].Card)
		}
		names = append(names, name)
	}
	return Rows{
		What: "alerts", N: len(list), Columns: []string{"since", "alert", "card", "name", "what", "seen", "snoozed_until"},
		Row: func(i int) []Cell {
			a := &list[i]
			return []Cell{
				rows.Time(a.Since), rows.Text(a.Kind.String()), rows.Text(a.Card), rows.Text(names[i]), rows.Text(a.Text),
				rows.Text(strconv.FormatBool(a.Seen)), rows.Time(a.Snoozed),
			}
		},
	}
}

// quiet reports whether an alert is not to be reminded of now.
func (a *Alert) quiet(now time.Time) bool { return a.Seen || now.Before(a.Snoozed) }

// All lists the alerts: those the user has to see first, each by urgency
// and the latest first.
func (al *AlertsTable) All() []Alert {
	rows := slices.Clone(al.rows)
	slices.SortStableFunc(rows, func(a, b Alert) int {
		x, y := a.quiet(al.now), b.quiet(al.now)
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

// Open counts those that the user has not seen and not put off.
func (al *AlertsTable) Open() int {
	n := 0
	for i := range al.rows {
		if !al.rows[i].quiet(al.now) {
			n++
		}
	}
	return n
}

// raise begins an alert, or brings one that is there up to date. What is new
// is news, but for what was so when it was first checked.
func (al *AlertsTable) raise(a Alert, known bool) Topic {
	rows := al.rows
	i := slices.IndexFunc(rows, func(have Alert) bool { return have.ID == a.ID })
	if i >= 0 {
		if rows[i].Text == a.Text {
			return 0
		}
		rows[i].Text = a.Text
		if a.Kind == AlertDecline {
			rows[i].Count, rows[i].Since, rows[i].Transaction = a.Count, a.Since, a.Transaction
		}
		return TopicAlerts
	}
	if len(rows) >= alertsKept && a.Kind > AlertWallet {
		al.passed = true
		return 0 // So many say it as well.
	}
	a.AtLeast = known && a.Kind != AlertDeposit
	al.rows = append(al.rows, a)
	if !known {
		al.news.reportAlert(a)
	}
	return TopicAlerts
}

// end ends an alert whose cause is over.
func (al *AlertsTable) end(id AlertID) Topic {
	before := len(al.rows)
	al.rows = slices.DeleteFunc(al.rows, func(a Alert) bool { return a.ID == id })
	if len(al.rows) == before {
		return 0
	}
	return TopicAlerts
}

func (al *AlertsTable) raised(id AlertID) bool {
	return slices.ContainsFunc(al.rows, func(a Alert) bool { return a.ID == id })
}

// refusedKey alerts to a key that is refused since it was accepted.
func (al *AlertsTable) refusedKey() Topic {
	if err := al.poll.KeyRefused(); err != nil {
		return al.raise(Alert{ID: "key", Kind: AlertKey, Since: al.now, Text: errtext.Explain(err)}, false)
	}
	return al.end("key")
}

func declineID(card api.CardID) AlertID { return AlertID("decline " + card) }

// declined alerts to a payment that was declined just now, once for a storm of retries.
func (al *AlertsTable) declined(t api.Transaction, why decline.Answer, storm *decline.Storm) Topic {
	if !al.cfg.Alerts.Declines {
		return 0
	}
	id := declineID(t.CardID)
	a := al.find(id)
	if done, ok := al.done[t.CardID]; ok && a == nil && storm != nil && !storm.Tries[0].At.After(done) {
		return 0
	}
	n := 1
	if a != nil {
		n += a.Count
	}
	return al.raise(Alert{ID: id, Kind: AlertDecline, Card: t.CardID, Since: al.now, Text: declinedText(&t, n, why), Count: n, Transaction: t.ID}, false)
}

// declinedText says how often a card was declined, and of the last time what and why.
func declinedText(t *api.Transaction, n int, why decline.Answer) string {
	who := string(t.Merchant.Name)
	if who == "" {
		who = "an unknown merchant"
	}
	text := fmt.Sprintf("$%s at %s", t.Amount.Grouped(), who)
	if n > 1 {
		text = fmt.Sprintf("%d times, the last $%s at %s", n, t.Amount.Grouped(), who)
	}
	if cause := why.Line(); cause != "" {
		text += ": " + cause
	}
	return text
}

// explained says the cause of a decline in its alert.
func (al *AlertsTable) explained(e *decline.Explained) Topic {
	a := al.find(declineID(e.Row.CardID))
	if a == nil || a.Transaction != e.Row.ID {
		return 0
	}
	text := declinedText(&e.Row, a.Count, e.Answer)
	if text == a.Text {
		return 0
	}
	a.Text = text
	return TopicAlerts
}

// find returns the alert of an id; nil when there is none.
func (al *AlertsTable) find(id AlertID) *Alert {
	for i := range al.rows {
		if al.rows[i].ID == id {
			return &al.rows[i]
		}
	}
	return nil
}

// acknowledge marks an alert as seen, or as unseen again. A decline is removed:
// nothing else ends it.
func (al *AlertsTable) acknowledge(id AlertID) Topic {
	a := al.find(id)
	switch {
	case a == nil:
		return 0
	case a.Kind == AlertDecline:
		if al.done == nil || len(al.done) >= alertsKept {
			al.done = make(map[api.CardID]time.Time)
		}
		al.done[a.Card] = al.ServerNow()
		return al.end(id)
	}
	a.Seen = !a.Seen
	return TopicAlerts
}

// snooze puts an alert off for SnoozeFor, or ends that.
func (al *AlertsTable) snooze(id AlertID) Topic {
	a := al.find(id)
	if a == nil {
		return 0
	}
	if al.now.Before(a.Snoozed) {
		a.Snoozed = time.Time{}
	} else {
		a.Snoozed = al.now.Add(SnoozeFor)
	}
	return TopicAlerts
}

func (ne *NewsTable) reportAlert(a Alert) {
	ne.report(News{Kind: NewsAlert, ID: string(a.ID), Card: a.Card, Type: a.Kind.String(), Text: a.Text})
}

// limitLevels are how many thresholds a card has crossed, for those whose limits
// are known.
type limitLevels map[api.CardID]int
