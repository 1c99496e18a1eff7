package state

import (
	"cmp"
	"slices"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/alerts"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/insight"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/wallets"
)

// The rules of the configuration; see package rule.
type (
	// RuleStatus is a rule of the configuration and what it does.
	RuleStatus struct {
		rule.Status
		plan PlanID   // that is carried out
		seq  poll.Seq // of the lock that is asked for; 0 for none
	}
)

// RulesTable holds the rules, and the cards that are idle.
type RulesTable struct {
	*kernel.Core
	notices *kernel.Notices
	history *HistoryTable
	cards   *CardsTable
	poll    *kernel.Lanes
	others  *OthersTable
	wallet  *wallets.Table
	spend   *insight.Table
	alerts  *alerts.Table
	ops     *OpsTable
	bulk    *BulkTable

	list []*RuleStatus
	pass rule.Pass
	// moved is what rules moved out of the wallet in this run, or may have, USD.
	moved api.USD
	// idlers are those of the last whole comparison.
	idlers []api.CardID
	// lookedAt is the version of the cards at which idlers were looked at, anyEmptied whether one was emptied.
	lookedAt   uint64
	anyEmptied bool
}

// All lists the rules in the order of the configuration. They are the store's own.
func (ru *RulesTable) All() []*RuleStatus { return ru.list }

// Get finds a rule by its name.
func (ru *RulesTable) Get(name string) (*RuleStatus, bool) {
	for _, r := range ru.list {
		if r.Name == name {
			return r, true
		}
	}
	return nil, false
}

// Count is how many rules are in a mode.
func (ru *RulesTable) Count(m rule.Mode) int {
	n := 0
	for _, r := range ru.list {
		if r.Mode == m {
			n++
		}
	}
	return n
}

// reload takes over changed rules. One that stays as it was goes on.
func (ru *RulesTable) reload() {
	old := ru.list
	ru.list = make([]*RuleStatus, 0, len(ru.Cfg.Rules))
	for _, is := range ru.Cfg.Rules {
		i := slices.IndexFunc(old, func(r *RuleStatus) bool { return r.Rule == is })
		if i >= 0 {
			ru.list = append(ru.list, old[i])
			continue
		}
		ru.list = append(ru.list, &RuleStatus{Status: rule.NewStatus(is)})
	}
	for _, r := range old {
		if slices.Contains(ru.list, r) {
			continue
		}
		ru.alerts.End(ruleID(r.Name))
		if r.Mode != rule.Off {
			ru.notices.Say(kernel.Warn, ru.Lang.Tf("rule %s changed in the configuration: off", r.Name))
			ru.disarm(r)
		}
	}
	if !ru.compares() { // No comparison ends them.
		ru.alerts.End(idleID)
		ru.alerts.Expiries(nil)
	}
	compared := make([]*rule.Status, len(ru.list))
	for i, r := range ru.list {
		compared[i] = &r.Status
	}
	ru.pass = rule.NewPass(compared, ru.Time)
}

// disarm has a rule do nothing by itself. Of a plan that it carries out no more is sent; what is
// under way finishes.
func (ru *RulesTable) disarm(r *RuleStatus) {
	if b, ok := ru.bulk.Get(r.plan); ok {
		ru.bulk.halt(b, ru.Lang.Tf("rule %s is off", r.Name))
	}
	r.Disarm()
	r.seq = 0
	ru.Wants = append(ru.Wants, UnlockRule{Name: r.Name, Seq: ru.NextSeq()})
}

// wakes calls at with the time at which the table has something to do.
func (ru *RulesTable) wakes(at func(time.Time)) {
	if ru.compares() {
		at(ru.pass.Next())
	}
}

// compares reports whether cards are compared with anything.
func (ru *RulesTable) compares() bool {
	return len(ru.list) > 0 || ru.Cfg.Alerts.Idle > 0 || len(ru.Cfg.Alerts.Expiry) > 0
}

// compare compares some cards with the rules when it is time, and reports whether all
// are compared.
func (ru *RulesTable) compare() (over bool) {
	if ru.emptied() {
		ru.pass.Again(ru.Time)
	}
	if !ru.compares() || !ru.pass.Begin(ru.Time, ru.cards, ru.spend.Ledger().Version()) {
		return false
	}
	of := rule.Subject{Now: ru.ServerNow(), Figures: rule.FiguresOf(ru.spend), Look: ru.look()}
	return ru.pass.Compare(ru.Time, ru.cards.All(), of, ru.Cfg.Alerts.Idle, ru.Cfg.Alerts.Expiry)
}

// missed reports whether a card that was just read does not match a rule; a rule that is not known here matches.
func (ru *RulesTable) missed(name string, c *cardlist.Row) bool {
	r, ok := ru.Get(name)
	return ok && !r.Matches(&rule.Subject{Card: c.Card(), Now: ru.ServerNow(), Figures: rule.FiguresOf(ru.spend)})
}

// look returns what sets of a match why nothing may be done to the card, and what the rule
// asks of its declines. It holds until something changes.
func (ru *RulesTable) look() func(*rule.Status, *rule.Match) {
	busy := ru.bulk.cardsInPlans()
	return func(r *rule.Status, m *rule.Match) {
		_, pending := ru.ops.Pending(m.Card)
		switch {
		case pending || busy[m.Card] || r.Action.Moves() && ru.others.plannedElsewhere(m.Card):
			m.Out = ru.Lang.T("an operation is under way")
		case r.Mode == rule.Act && r.Action.Moves() && ru.ConfirmsLabel(ru.cards.label(m.Card)):
			m.Out = ru.Lang.T("the guardrails confirm its label twice")
		}
		if r.Declines > 0 {
			m.Declines = ru.spend.Refusals(m.Card)
		}
	}
}

// conclude takes over what was compared, and says what each rule would do.
func (ru *RulesTable) conclude() kernel.Topic {
	topics := kernel.TopicRules | ru.alertIdle() | ru.alertExpiries()
	done := ru.done()
	look := ru.look()
	for _, r := range ru.list {
		first := r.Looked.IsZero()
		matches := r.Conclude(ru.Time)
		if r.Action.Acts() {
			for i := range matches {
				matches[i].Out = ""
				look(&r.Status, &matches[i])
			}
			r.Used = r.Use(done, ru.Time)
			r.Proposals = r.Propose(ru.Lang, matches, done, ru.room(), ru.Time.Local())
		}
		topics |= ru.alertMatches(r, matches, first)
	}
	return topics
}

// room is what rules may take from the wallet now, USD.
func (ru *RulesTable) room() api.USD {
	w, _ := ru.wallet.Balance()
	if most := ru.Cfg.RuleTotal; most > 0 {
		return min(w.Balance, most-ru.moved)
	}
	return w.Balance
}

// done is what the rules did, as far as this program knows.
func (ru *RulesTable) done() []rule.Done {
	open := make([]Op, 0, len(ru.ops.all()))
	for _, op := range ru.ops.all() {
		open = append(open, *op)
	}
	return ru.history.doneByRules(open)
}

func ruleID(name string) alert.ID { return alert.ID("rule " + name) }

// alertMatches raises the one alert of a rule: of the cards it matches, or of what it
// suggests.
func (ru *RulesTable) alertMatches(r *RuleStatus, matches []rule.Match, first bool) kernel.Topic {
	n, sum := r.Proposes()
	a := alert.Alert{ID: ruleID(r.Name), Kind: alert.Ruled, Since: ru.Time}
	var text func(*lang.Words) string
	switch {
	case r.Stopped():
		return 0 // It stopped, and that stays.
	case !r.Action.Acts() && r.Matching == 1:
		a.Card = matches[0].Card
		text = func(w *lang.Words) string { return r.Name + ": " + w.Dollars(r.Sum) }
	case !r.Action.Acts() && r.Matching > 0:
		text = func(w *lang.Words) string {
			return w.Tf("%s: %d cards hold %s", r.Name, r.Matching, w.Dollars(r.Sum))
		}
	case r.Mode == rule.Suggest && n > 0:
		text = func(w *lang.Words) string {
			cards := w.Tn(n, "%d card", "%d cards")
			if r.Action.Moves() {
				return w.Tf("%s: %s, %s for %s", r.Name, r.Does(w), w.Dollars(sum), cards)
			}
			return w.Tf("%s: %s of %s", r.Name, r.Does(w), cards)
		}
	default:
		return ru.alerts.End(a.ID)
	}
	return ru.alerts.Say(a, first, text)
}

// idleID is the alert of idle cards.
const idleID alert.ID = "idle"

// alertIdle raises the alert of idle cards, or ends it.
func (ru *RulesTable) alertIdle() kernel.Topic {
	id := ru.pass.Idle()
	ru.idlers, ru.lookedAt, ru.anyEmptied = slices.Clone(id.Cards), 0, false
	if id.N == 0 || ru.Cfg.Alerts.Idle <= 0 {
		return ru.alerts.End(idleID)
	}
	n, expired, sum, days := id.N, id.Expired, id.Sum, int(ru.Cfg.Alerts.Idle.Hours()/24) // The pass is reused.
	return ru.alerts.Say(alert.Alert{ID: idleID, Kind: alert.IdleCards, Since: ru.Time}, true, func(w *lang.Words) string {
		if expired > 0 {
			return w.Tf("%s idle ≥ %d d or expired hold %s", w.Tn(n, "%d card", "%d cards"), days, w.Dollars(sum))
		}
		return w.Tf("%s idle ≥ %d d hold %s", w.Tn(n, "%d card", "%d cards"), days, w.Dollars(sum))
	})
}

// alertExpiries raises the alerts of cards that expire or have expired, or ends them.
func (ru *RulesTable) alertExpiries() kernel.Topic {
	e := ru.pass.Expiries()
	all := make([]alert.Expiry, 0, len(e.Days)+1)
	add := func(days int, g rule.Group) {
		all = append(all, alert.Expiry{Days: days, N: g.N, Sum: g.Sum, Card: g.Card, New: g.New})
	}
	for i, days := range e.Days {
		add(days, e.Soon[i])
	}
	add(0, e.Over)
	return ru.alerts.Expiries(all)
}

// Idle returns the cards that were not used for long or have expired, at most 1000.
func (ru *RulesTable) Idle() []api.CardID { return ru.idlers }

// emptied reports whether one of the idle cards has nothing to be withdrawn any more, or
// is not active.
func (ru *RulesTable) emptied() bool {
	_, version, _ := ru.cards.Changes(ru.lookedAt)
	if version == ru.lookedAt {
		return ru.anyEmptied
	}
	ru.lookedAt = version
	ru.anyEmptied = slices.ContainsFunc(ru.idlers, func(id api.CardID) bool {
		c, ok := ru.cards.Get(id)
		return !ok || c.Status != api.CardActive || c.Balance < api.Cent
	})
	return ru.anyEmptied
}

// planned records that a plan of a rule is carried out.
func (ru *RulesTable) planned(p *Plan) {
	if r, ok := ru.Get(p.Rule); ok {
		r.plan = p.ID
	}
}

// atOnce is how many rows of a plan may be under way at once. Those of a rule that moves money are no
// more than the failures that it has left until it stops.
func (ru *RulesTable) atOnce(p *Plan) int {
	r, ok := ru.Get(p.Rule)
	if p.Rule == "" || !ok || !r.Action.Moves() {
		return maxInFlight
	}
	return max(1, min(maxInFlight, r.FailuresLeft()))
}

// settlePlans takes over what became of the plans of rules that are over.
func (ru *RulesTable) settlePlans() kernel.Topic {
	var topics kernel.Topic
	for _, r := range ru.list {
		if r.plan == "" {
			continue
		}
		b, ok := ru.bulk.Get(r.plan)
		if ok && b.Active() {
			continue
		}
		r.plan = ""
		ru.pass.Soon(ru.Time)
		topics |= kernel.TopicRules
		if !ok {
			continue
		}
		topics |= ru.settlePlan(r, b)
	}
	return topics
}

// settlePlan counts the failures of a plan that is over. The third in a row stops the
// rule.
func (ru *RulesTable) settlePlan(r *RuleStatus, b *Batch) kernel.Topic {
	r.Last, r.LastAt = b.Outcome(ru.Lang), ru.Time
	if b.Moved != 0 {
		r.Last += ", $" + b.Moved.Grouped()
	}
	why, rests := b.Reason, b.Count(RowDone) == 0 && b.Phase == BatchOver && b.Count(RowNotSent) == len(b.at) && b.Reason != ""
	var moved api.USD
	for i := range b.Rows {
		switch row := &b.Rows[i]; {
		case row.State == RowDone && !row.Odd:
			r.Failures = 0
			moved += max(row.Moved, b.Asked(i))
		case row.State == RowSkipped:
			rests = true // The card is not as it was, or another program has a plan for it.
		case row.Waits:
			rests = true // It was not done, and nothing went wrong: a lead decides.
		case row.State == RowDone, row.State == RowRefused, row.State == RowUnsettled:
			r.Failures++
			rests = true
			if row.State != RowRefused {
				moved += max(row.Moved, b.Asked(i))
			}
			why = cmp.Or(row.Text, why)
		default:
		}
	}
	if r.Action.FromWallet() {
		ru.moved += moved
	}
	if rests {
		r.Rest(ru.Time)
	}
	if !r.Stopped() {
		return 0
	}
	ru.disarm(r)
	r.Stop(ru.Lang, why)
	ru.notices.Say(kernel.Bad, ru.Lang.Tf("rule %s %s", r.Name, r.Paused))
	ru.alerts.End(ruleID(r.Name))
	name := r.Name
	return kernel.TopicNotice | ru.alerts.Say(alert.Alert{ID: ruleID(name), Kind: alert.Ruled, Since: ru.Time}, false, func(w *lang.Words) string {
		return name + " " + rule.StoppedBy(w, why)
	})
}

// LockRule has a rule act in this program and in no other.
type LockRule struct {
	Name string
	Seq  poll.Seq
}

func (LockRule) Effect() {}

// UnlockRule lets another program act on a rule.
type UnlockRule struct {
	Name string
	Seq  poll.Seq
}

func (UnlockRule) Effect() {}
