// Package alerts is what the user is alerted to now, and what was not read yet that alerts come of. What the rules say is in
// package alert.
package alerts

import (
	"slices"
	"strconv"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/burn"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/decline"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/settings"
)

// Table holds the alerts.
type Table struct {
	*kernel.Core
	needs Needs

	list    alert.List
	insight *alert.Insight
	held    alert.Held
	// compared is the version of the cards whose balances were last compared with
	// their limits; 0 has all of them compared anew.
	compared uint64
	// limited is likewise for the sums of the month and the cards' limits, levels
	// are what came of it.
	limited uint64
	levels  limitLevels
	// walletSeen reports whether the wallet's balance was compared before: one that is
	// low at first has not crossed its limit.
	walletSeen bool
	// saving reports whether lines are being written, unsaved why the last ones were
	// not.
	saving  bool
	unsaved error
}

// Needs are what alerts use of other features.
type Needs struct {
	Notices *kernel.Notices
	News    *kernel.News
	Lanes   *kernel.Lanes
	Cards   Cards
	Wallet  Wallet
	Limits  Limits
	Spend   Spend
}

type (
	// Cards are those whose balances and limits are compared.
	Cards interface {
		All() *cardlist.List
		Len() int
		Get(id api.CardID) (cardlist.Card, bool)
		Row(id api.CardID) (place int, ok bool)
		Name(id api.CardID) string
		// Changes returns the places of the cards that may have changed since a version; ok is false when all may have.
		Changes(since uint64) (places []int32, version uint64, ok bool)
		// MarkCompared and MarkJudged mark a card as compared with balances and with sums, and report whether it was before.
		MarkCompared(place int) (before bool)
		MarkJudged(id api.CardID) (before bool)
	}
	// Wallet is the wallet with its deposits.
	Wallet interface {
		Live() bool
		Balance() (api.Wallet, bool)
		Deposits() []api.Deposit
	}
	// Limits are the monthly ones, and what was spent of them.
	Limits interface {
		MonthRead() bool
		AnyUnread() bool
		CountUnread() int
	}
	// Spend is what was spent, and why it was declined.
	Spend interface {
		Ledger() *ledger.Ledger
		Campaign(id api.CardID, label api.Text) string
		CardRunway(id api.CardID) (burn.Runway, bool)
		CardShort(id api.CardID) (free, charge api.USD, short bool)
		CampaignRunway(name string) (burn.Runway, bool)
		WalletRunway() (burn.Runway, bool)
		FundingRunway() (burn.Runway, bool)
		Decline(id api.TransactionID) (decline.Answer, bool)
		Storm(id api.TransactionID) *decline.Storm
	}
)

// New returns a table without alerts.
func New(c *kernel.Core, needs Needs) *Table {
	al := &Table{Core: c, needs: needs}
	al.list.Speak(al.Lang)
	al.insight = alert.NewInsight(figures{needs.Spend, needs.Cards}, &al.list)
	return al
}

// figures are those that alerts are raised by.
type figures struct {
	Spend
	cards Cards
}

// Card implements alert.Figures. A card of an earlier run is none: its balance may be
// another by now.
func (f figures) Card(id api.CardID) (c cardlist.Card, before, ok bool) {
	c, ok = f.cards.Get(id)
	if !ok || c.Cached {
		return c, false, false
	}
	return c, f.cards.MarkJudged(id), true
}

// ifAlerts is the topic of a change of alerts.
func ifAlerts(changed bool) kernel.Topic {
	if changed {
		return kernel.TopicAlerts
	}
	return 0
}

// Rules are those in force.
func (al *Table) Rules() alert.Rules { return al.Cfg.Alerts }

// Level is that of the alert of a kind about a scope; 0 for none.
func (al *Table) Level(k alert.Kind, s ledger.Scope) int { return al.list.Level(k, s) }

// All lists the alerts: those the user has to see first, each by urgency
// and the latest first.
func (al *Table) All() []alert.Alert { return al.list.All(al.Time) }

// Open counts those that the user has not seen and not put off.
func (al *Table) Open() int { return al.list.Open(al.Time) }

// Lacks is what was not read yet that alerts may come of.
type Lacks struct {
	// Past reports whether transactions are missing, and Since from when on all were read; zero
	// when none were.
	Past  bool
	Since time.Time
	// Month reports whether what cards spent this month is missing, Limits of how many of those
	// that spent the limit is.
	Month  bool
	Limits int
}

// Lacks returns what was not read yet that the rules compare. It counts the cards that spent this month.
func (al *Table) Lacks() Lacks {
	out := al.lacks()
	if len(al.Cfg.Alerts.Limit) > 0 {
		out.Limits = al.needs.Limits.CountUnread()
	}
	return out
}

func (al *Table) lacks() Lacks {
	rules, l := &al.Cfg.Alerts, al.needs.Spend.Ledger()
	out := Lacks{Since: l.Coverage(ledger.Last30d).Since}
	from := rules.Reach(l, al.ServerNow())
	out.Past = !from.IsZero() && (out.Since.IsZero() || out.Since.After(from))
	out.Month = len(rules.Limit) > 0 && !al.needs.Limits.MonthRead()
	return out
}

// AtLeast reports whether anything was not read yet that alerts come of: their count is at least.
func (al *Table) AtLeast() bool {
	l := al.lacks()
	return l.Past || l.Month || len(al.Cfg.Alerts.Limit) > 0 && al.needs.Limits.AnyUnread()
}

// Held counts the alerts that are held in quiet hours; quiet reports whether it is one of
// them.
func (al *Table) Held() (n int, quiet bool) {
	return al.held.Len(), al.Cfg.Alerts.Quiet.In(al.Time.Local())
}

// Rows are alerts for other programs, with their cards' names.
func (al *Table) Rows(alerts []alert.Alert) rows.Rows {
	list := slices.Clone(alerts)
	names := make([]string, 0, len(list))
	for i := range list {
		name := ""
		if list[i].Card != "" {
			name = al.needs.Cards.Name(list[i].Card)
		}
		names = append(names, name)
	}
	return rows.Rows{
		What: "alerts", N: len(list),
		Columns: []string{"since", "alert", "card", "name", "what", "seen", "snoozed_until", "campaign", "bin"},
		Row: func(i int) []rows.Cell {
			a := &list[i]
			return []rows.Cell{
				rows.Time(a.Since), rows.Text(a.Kind.String()), rows.Text(a.Card), rows.Text(names[i]), rows.Text(a.Text),
				rows.Text(strconv.FormatBool(a.Seen)), rows.Time(a.Snoozed), rows.Text(a.Campaign), rows.Text(a.BIN),
			}
		},
	}
}

// raise begins an alert, or brings one that is there up to date.
func (al *Table) raise(a alert.Alert, known bool) kernel.Topic {
	return ifAlerts(al.list.Raise(a, known))
}

// Say is raise of an alert with its text.
func (al *Table) Say(a alert.Alert, known bool, text func(*lang.Words) string) kernel.Topic {
	return al.raise(al.list.Saying(a, text), known)
}

// Expiries raises the alerts of cards that expire, and ends the others.
func (al *Table) Expiries(all []alert.Expiry) kernel.Topic {
	return ifAlerts(al.list.Expiries(all, al.Time))
}

// End ends an alert whose cause is over.
func (al *Table) End(id alert.ID) kernel.Topic { return ifAlerts(al.list.End(id)) }

// refusedKey alerts to a key that is refused since it was accepted.
func (al *Table) refusedKey() kernel.Topic {
	if err := al.needs.Lanes.KeyRefused(); err != nil {
		return al.Say(alert.Alert{ID: "key", Kind: alert.KeyRefused, Since: al.Time}, false, func(w *lang.Words) string {
			return errtext.Explain(w, err)
		})
	}
	return al.End("key")
}

// Used alerts to a transaction that was made just now: to a country that is new, and to a
// decline. Why is as far as it is known.
func (al *Table) Used(t api.Transaction) kernel.Topic {
	u := alert.Use{Transaction: t, Now: al.Time}
	if i, ok := al.needs.Cards.Row(t.CardID); ok {
		u.Campaign = al.needs.Spend.Campaign(t.CardID, al.needs.Cards.All().Row(i).Label)
	}
	changed := al.Cfg.Alerts.Countries && al.list.Country(al.needs.Spend.Ledger(), u)
	if t.Type == api.TransactionDecline {
		why, _ := al.needs.Spend.Decline(t.ID)
		changed = al.list.Decline(&al.Cfg.Alerts, u, why, al.needs.Spend.Storm(t.ID)) || changed
	}
	return ifAlerts(changed)
}

// Explained says the cause of a decline in its alert.
func (al *Table) Explained(e *decline.Explained) kernel.Topic {
	return ifAlerts(al.list.Explained(&e.Row, e.Answer, al.needs.Spend.Storm(e.Row.ID)))
}

// Changed has the cards of transactions compared.
func (al *Table) Changed(page []api.Transaction) {
	for i := range page {
		al.insight.Changed(page[i].CardID)
	}
}

// report makes news of the alerts that have begun, but holds them in quiet hours and
// reports them as one when these are over.
func (al *Table) report() {
	quiet, at := al.Cfg.Alerts.Quiet, al.Time.Local()
	for _, a := range al.list.News() {
		if quiet.Holds(a.Kind, at) {
			al.held.Add(a.ID)
			continue
		}
		al.reportAlert(a)
	}
	if al.held.Len() == 0 || quiet.In(at) {
		return
	}
	if text, shown := al.held.Release(&al.list, al.Time); text != "" {
		al.needs.News.Report(news.News{Kind: news.Alert, ID: news.QuietID, Type: lang.N("alerts of quiet hours"), Text: text, Shown: shown})
	}
}

func (al *Table) reportAlert(a alert.Alert) {
	al.needs.News.Report(news.News{Kind: news.Alert, ID: string(a.ID), Card: a.Card, Campaign: a.Campaign, BIN: a.BIN, Type: a.Kind.String(), Text: a.Text})
}

// Update checks the parts that changed for what to alert the user to.
func (al *Table) Update(changed kernel.Topic) kernel.Topic {
	var topics kernel.Topic
	if changed&kernel.TopicCards != 0 {
		topics |= al.lowCards() | al.overLimits()
	}
	if changed&kernel.TopicWallet != 0 {
		topics |= al.lowWallet()
	}
	if changed&kernel.TopicHealth != 0 {
		topics |= al.refusedKey()
	}
	topics |= ifAlerts(al.insight.Update(&al.Cfg.Alerts, al.Time, al.ServerNow()))
	al.report()
	return topics
}

// Recheck compares everything with the rules of a changed configuration.
func (al *Table) Recheck() {
	al.list.Speak(al.Lang)
	al.compared, al.limited = 0, 0
	al.insight.Reset()
	al.Update(kernel.TopicAll)
	al.lateDeposits()
}

// Remind checks what only the time changes: deposits that are pending for
// long, and reminders that are due again.
func (al *Table) Remind(last, now time.Time) kernel.Topic {
	return al.lateDeposits() | ifAlerts(al.list.Remind(last, now))
}

// Saving reports whether alert lines are being written, and why the last ones were not.
func (al *Table) Saving() (saving bool, err error) { return al.saving, al.unsaved }

// Acknowledge marks an alert as seen, or as unseen again.
type Acknowledge struct{ ID alert.ID }

func (in Acknowledge) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	return ifAlerts(al.list.Acknowledge(in.ID, al.ServerNow())), nil
}

// Snooze asks to be reminded of an alert after alert.SnoozeFor; again: at once.
type Snooze struct{ ID alert.ID }

func (in Snooze) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	return ifAlerts(al.list.Snooze(in.ID, al.Time)), nil
}

// Set writes alert lines into the configuration file, which is read again then.
type Set struct{ Settings []settings.Setting }

func (in Set) Check(al *Table) kernel.Verdict {
	if al.saving {
		return kernel.Verdict{Reason: al.Lang.T("the lines before are being saved")}
	}
	return kernel.Verdict{}
}

func (in Set) Start(al *Table) (kernel.Topic, []kernel.Effect) {
	al.saving, al.unsaved = true, nil
	return kernel.TopicAlerts, []kernel.Effect{Save(in)}
}

// Save writes settings into the configuration file.
type Save struct{ Settings []settings.Setting }

func (Save) Effect() {}

// Saved is the result of Save; Err is why they were not written.
type Saved struct {
	kernel.Meta
	Err error
}

func (ev Saved) Apply(al *Table) (kernel.Topic, []kernel.Effect) {
	al.saving, al.unsaved = false, ev.Err
	if ev.Err == nil {
		al.needs.Notices.Say(kernel.Good, al.Lang.T("alert lines saved"))
	}
	return kernel.TopicAlerts | kernel.TopicNotice, nil
}
