package state_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

func topup() rule.Rule {
	return rule.Rule{Name: "topup", When: "status=active bal<20", Action: rule.FundTo, Amount: 50 * dollar, MaxDay: 500 * dollar, Cooldown: 10 * time.Minute}
}

// ruled is a store that has read cards, with rules.
func ruled(t *testing.T, items []api.CardItem, rules ...rule.Rule) *state.Store {
	t.Helper()
	return with(t, items, func(c *settings.Config) { c.Rules, c.FindFundings = rules, true })
}

// seconds ticks once a second and returns the effects.
func seconds(s *state.Store, from, to int) (out []kernel.Effect) {
	for i := from; i <= to; i++ {
		out = append(out, tick(s, time.Duration(i)*time.Second)...)
	}
	return out
}

func theRule(t *testing.T, s *state.Store, name string) *state.RuleStatus {
	t.Helper()
	r, ok := s.Rules.Get(name)
	if !ok {
		t.Fatal("no rule", name)
	}
	return r
}

// arm has a rule act, from a second on.
func arm(t *testing.T, s *state.Store, at int) {
	t.Helper()
	lock := one[state.LockRule](t, do(t, s, state.SetRuleMode{Name: "topup", Mode: rule.Act, Typed: "topup"}))
	apply(s, state.RuleLocked{LockRule: lock, Meta: meta(time.Duration(at) * time.Second)})
	apply(s, state.HistoryLoaded{Meta: meta(time.Duration(at) * time.Second)})
}

func TestARuleDoesNothingUntilItIsArmed(t *testing.T) {
	s := ruled(t, cardsOf(5, 100, 19, 20), topup())
	none[state.SavePlan](t, seconds(s, 2, 60))
	r := theRule(t, s, "topup")
	if n, sum := r.Proposes(); r.Mode != rule.Off || r.Matching != 2 || r.Sum != 24*dollar || n != 2 || sum != 76*dollar {
		t.Errorf("%+v", r)
	}
	if s.Alerts.Open() != 0 && strings.Contains(s.Alerts.All()[0].Text, "topup") {
		t.Error("a rule that is off alerts")
	}
	do(t, s, state.SetRuleMode{Name: "topup", Mode: rule.Suggest})
	none[state.SavePlan](t, seconds(s, 61, 90))
	if a := s.Alerts.All()[0]; a.Kind != alert.Ruled && !strings.Contains(fmt.Sprint(s.Alerts.All()), "topup: fund to $50, $76.00 for 2 cards") {
		t.Error(s.Alerts.All())
	}
	p := s.PlanRule("topup")
	if amounts(p) != "45.00 31.00" || p.Rule != "topup" || p.Blocked != "" {
		t.Error(amounts(p), p.Blocked)
	}
}

// saved applies that a plan is on disk and has the cards read that its rows wait for: they hold
// what the list says.
func saved(s *state.Store, ev state.PlanSaved) []kernel.Effect {
	effects := apply(s, ev)
	for _, f := range all[state.FetchSummary](effects) {
		c, _ := s.Cards.Get(f.Card)
		effects = append(effects, apply(s, state.SummaryLoaded{FetchSummary: f, Meta: ev.Meta, Summary: api.CardSummary{ID: c.ID, Label: c.Label, Status: c.Status, Balance: c.Balance}})...)
	}
	return effects
}

// TestARuleReadsACardBeforeItMovesMoney also where the amount rests on no balance: the list may be
// behind the card.
func TestARuleReadsACardBeforeItMovesMoney(t *testing.T) {
	by := topup()
	by.When, by.Action, by.Amount = "bal<20", rule.FundBy, 5*dollar
	s := ruled(t, cardsOf(5, 100), by)
	seconds(s, 2, 10)
	arm(t, s, 11)
	save := one[state.SavePlan](t, seconds(s, 12, 20))
	read := one[state.FetchSummary](t, apply(s, state.PlanSaved{Meta: meta(20 * time.Second), ID: save.Plan.ID}))
	sent := apply(s, state.SummaryLoaded{FetchSummary: read, Meta: meta(21 * time.Second), Summary: api.CardSummary{ID: read.Card, Status: "suspended", Balance: 5 * dollar}})
	none[state.Do](t, sent)
	if b, ok := s.Bulk.Get(save.Plan.ID); !ok || b.Rows[0].Text != "unknown status “suspended”: not among many cards" {
		t.Errorf("%+v", b)
	}
}

// TestARuleLeavesACardThatNoLongerMatches when it is read: somebody else funded it meanwhile.
func TestARuleLeavesACardThatNoLongerMatches(t *testing.T) {
	for _, action := range []rule.Action{rule.FundBy, rule.FundTo} {
		r := topup()
		r.Action = action
		s := ruled(t, cardsOf(5, 100), r)
		seconds(s, 2, 10)
		arm(t, s, 11)
		save := one[state.SavePlan](t, seconds(s, 12, 20))
		read := one[state.FetchSummary](t, apply(s, state.PlanSaved{Meta: meta(20 * time.Second), ID: save.Plan.ID}))
		sent := apply(s, state.SummaryLoaded{FetchSummary: read, Meta: meta(21 * time.Second), Summary: api.CardSummary{ID: read.Card, Status: "active", Balance: 45 * dollar}})
		none[state.Do](t, sent)
		if b, ok := s.Bulk.Get(save.Plan.ID); !ok || b.Rows[0].State != state.RowSkipped || b.Rows[0].Text != "does not match the rule any more" {
			t.Errorf("%v: %+v", action, b.Rows[0])
		}
		seconds(s, 22, 30)
		if got := theRule(t, s, "topup"); got.Failures != 0 || !strings.HasPrefix(got.Paused, "waits until ") || strings.Contains(got.Paused, "failure") {
			t.Errorf("%v: after %d failures it %q", action, got.Failures, got.Paused)
		}
	}
}

func TestToActTakesTheNameAndTheLock(t *testing.T) {
	s := ruled(t, cardsOf(5), topup(), rule.Rule{Name: "say", When: "bal<1", Action: rule.Alert})
	for _, in := range []state.SetRuleMode{{Name: "topup", Mode: rule.Act}, {Name: "topup", Mode: rule.Act, Typed: "Topup"}, {Name: "x", Mode: rule.Suggest}, {Name: "say", Mode: rule.Suggest}} {
		if _, _, err := s.Dispatch(in); err == nil {
			t.Errorf("%+v is done", in)
		}
	}
	lock := one[state.LockRule](t, do(t, s, state.SetRuleMode{Name: "topup", Mode: rule.Act, Typed: "topup"}))
	none[state.SavePlan](t, seconds(s, 2, 30))
	apply(s, state.RuleLocked{LockRule: lock, Meta: meta(31 * time.Second), Err: cut()})
	if r := theRule(t, s, "topup"); r.Mode != rule.Off {
		t.Error("it acts without the lock")
	}
	do(t, s, state.SetRuleMode{Name: "topup", Mode: rule.Act, Typed: "topup"})
	apply(s, state.RuleLocked{LockRule: lock, Meta: meta(32 * time.Second)})
	if r := theRule(t, s, "topup"); r.Mode != rule.Off {
		t.Error("a late answer arms it")
	}
}

func TestARuleThatActsSendsMarkedRows(t *testing.T) {
	s := ruled(t, cardsOf(5, 100), topup())
	seconds(s, 2, 10)
	arm(t, s, 11)
	save := one[state.SavePlan](t, seconds(s, 12, 20))
	if save.Plan.Rule != "topup" || amounts(save.Plan) != "45.00" {
		t.Fatalf("%+v", save.Plan)
	}
	send := one[state.Do](t, saved(s, state.PlanSaved{Meta: meta(20 * time.Second), ID: save.Plan.ID}))
	if send.Op.Rule != "topup" || send.Op.Key != save.Plan.Rows[0].Key {
		t.Errorf("%+v", send.Op)
	}
	none[state.SavePlan](t, seconds(s, 22, 40)) // It is under way.
	if n := s.Rules.Count(rule.Act); n != 1 {
		t.Errorf("%d act", n)
	}
	rec := &state.Record{At: at(41 * time.Second), Action: "fund", Card: "card_0001", Amount: 45 * dollar, Outcome: state.OpStatusDone, Key: send.Op.Key, Rule: "topup"}
	apply(s, state.OpDone{Meta: meta(41 * time.Second), Op: send.Op.ID, Card: "card_0001", Moved: new(45 * dollar), CardBalance: new(5 * dollar), WalletBalance: new(955 * dollar), Record: rec})
	none[state.SavePlan](t, seconds(s, 42, 630)) // The cooldown.
	r := theRule(t, s, "topup")
	if r.Used.Amount != 45*dollar || r.Used.Actions != 1 || r.LastAt.IsZero() {
		t.Errorf("%+v", r.Used)
	}
	one[state.SavePlan](t, seconds(s, 641, 720))
}

// TestARuleLeavesCardsToThePlansOfOtherPrograms: it proposes nothing for those that it knows of,
// and skips one of which it learns when it is to be sent. That is no failure.
func TestARuleLeavesCardsToThePlansOfOtherPrograms(t *testing.T) {
	s := ruled(t, cardsOf(5, 6), topup())
	seconds(s, 2, 10)
	apply(s, state.OperationsAdopted{Meta: meta(10 * time.Second), Planned: map[api.CardID]bool{"card_0001": true}})
	arm(t, s, 11)
	save := one[state.SavePlan](t, seconds(s, 12, 20))
	if amounts(save.Plan) != "44.00" {
		t.Fatalf("%+v", save.Plan)
	}
	send := one[state.Do](t, saved(s, state.PlanSaved{Meta: meta(20 * time.Second), ID: save.Plan.ID}))
	apply(s, state.OpFailed{Meta: meta(21 * time.Second), Op: send.Op.ID, Err: fmt.Errorf("nothing was sent: %w", state.ErrPlanned), NotSent: true})
	none[state.SavePlan](t, seconds(s, 22, 30))
	b, _ := s.Bulk.Get(save.Plan.ID)
	if r := theRule(t, s, "topup"); r.Failures != 0 || r.Mode != rule.Act || b.Count(state.RowSkipped) != 1 {
		t.Errorf("%d failures, %s, %q", r.Failures, r.Mode, b.Rows[0].Text)
	}
}

func TestARuleThatIsTurnedOffSendsNoMore(t *testing.T) {
	for _, off := range []func(*state.Store){
		func(s *state.Store) { do(t, s, state.SetRuleMode{Name: "topup", Mode: rule.Off}) },
		func(s *state.Store) {
			r := s.Reloadable()
			r.Rules = nil
			s.Reload(r)
		},
	} {
		low := make([]api.USD, 12)
		for i := range low {
			low[i] = 5
		}
		s := ruled(t, cardsOf(low...), topup())
		seconds(s, 2, 10)
		arm(t, s, 11)
		save := one[state.SavePlan](t, seconds(s, 12, 40))
		sent := all[state.Do](saved(s, state.PlanSaved{Meta: meta(40 * time.Second), ID: save.Plan.ID}))
		if len(sent) == 0 || len(sent) >= len(save.Plan.Rows) {
			t.Fatalf("%d of %d are sent", len(sent), len(save.Plan.Rows))
		}
		off(s)
		for _, send := range sent {
			none[state.Do](t, apply(s, state.OpDone{Meta: meta(41 * time.Second), Op: send.Op.ID, Card: send.Op.Card, Moved: new(45 * dollar), CardBalance: new(50 * dollar)}))
		}
		none[state.Do](t, seconds(s, 42, 60))
		if b, _ := s.Bulk.Get(save.Plan.ID); b.Count(state.RowDone) != len(sent) || b.Phase != state.BatchOver {
			t.Errorf("%d of %d done, phase %d", b.Count(state.RowDone), len(sent), b.Phase)
		}
	}
}

func TestARuleLeavesTheUndoOfTheUser(t *testing.T) {
	s := ruled(t, cardsOf(5, 100), topup())
	seconds(s, 2, 10)
	arm(t, s, 11)
	frozen := sent(t, s, state.Freeze("card_0002"))
	apply(s, state.OpDone{Meta: meta(12 * time.Second), Op: frozen.ID, Card: "card_0002", Status: api.CardFrozen})
	save := one[state.SavePlan](t, seconds(s, 13, 20))
	send := one[state.Do](t, saved(s, state.PlanSaved{Meta: meta(20 * time.Second), ID: save.Plan.ID}))
	apply(s, state.OpDone{Meta: meta(21 * time.Second), Op: send.Op.ID, Card: "card_0001", Moved: new(45 * dollar), CardBalance: new(50 * dollar)})
	wantUndo(t, s, state.Unfreeze("card_0002"))
}

// TestWaitingForALeadIsNoFailure holds that a rule goes on acting while a lead has its requests.
func TestWaitingForALeadIsNoFailure(t *testing.T) {
	s := ruled(t, cardsOf(5), topup())
	seconds(s, 2, 10)
	arm(t, s, 11)
	now, asked := 12, 0
	for ; asked < 4 && now < 8000; now++ {
		for _, save := range all[state.SavePlan](seconds(s, now, now)) {
			send := one[state.Do](t, saved(s, state.PlanSaved{Meta: meta(time.Duration(now) * time.Second), ID: save.Plan.ID}))
			apply(s, state.OpFailed{Meta: meta(time.Duration(now) * time.Second), Op: send.Op.ID, Err: &api.Error{Status: 403, ID: api.HubApprovalRequired, Message: "apr_1 waits"}})
			asked++
		}
	}
	if r := theRule(t, s, "topup"); r.Mode != rule.Act || asked < 4 {
		t.Errorf("%s, %q after %d", r.Mode, r.Paused, asked)
	}
}

func TestThreeFailuresStopARule(t *testing.T) {
	s := ruled(t, cardsOf(5), topup())
	seconds(s, 2, 10)
	arm(t, s, 11)
	now := 12
	for range 3 {
		var save []state.SavePlan
		for ; len(save) == 0 && now < 1000; now++ {
			save = all[state.SavePlan](seconds(s, now, now))
		}
		if len(save) == 0 {
			t.Fatal("it does not try again")
		}
		send := one[state.Do](t, saved(s, state.PlanSaved{Meta: meta(time.Duration(now) * time.Second), ID: save[0].Plan.ID}))
		now += 2
		apply(s, state.OpFailed{Meta: meta(time.Duration(now) * time.Second), Op: send.Op.ID, Err: refused()})
	}
	unlock := all[state.UnlockRule](seconds(s, now, now+3))
	none[state.SavePlan](t, seconds(s, now+4, now+600))
	r := theRule(t, s, "topup")
	if r.Mode != rule.Off || !strings.HasPrefix(r.Paused, "stopped after 3 failures") || len(unlock) == 0 {
		t.Errorf("%s, %q, %v", r.Mode, r.Paused, unlock)
	}
	if !slices.ContainsFunc(s.Alerts.All(), func(a alert.Alert) bool { return strings.HasPrefix(a.Shown, "topup stopped after 3 failures: ") }) {
		t.Error(s.Alerts.All())
	}
}

func TestARuleLeavesCardsOfOthersAlone(t *testing.T) {
	s := ruled(t, cardsOf(5, 6, 7), topup())
	seconds(s, 2, 10)
	do(t, s, state.Fund("card_0001", 10*dollar))
	do(t, s, state.RunPlan{Plan: s.Plan(state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{"card_0002"}})})
	arm(t, s, 11)
	save := one[state.SavePlan](t, seconds(s, 12, 40))
	if amounts(save.Plan) != "43.00" || save.Plan.Rows[0].Card != "card_0003" {
		t.Errorf("%+v", save.Plan.Rows)
	}
}

func TestAChangedRuleIsOff(t *testing.T) {
	other := topup()
	other.Name = "other"
	s := ruled(t, cardsOf(500), topup(), other)
	seconds(s, 2, 10)
	for _, name := range []string{"topup", "other"} {
		do(t, s, state.SetRuleMode{Name: name, Mode: rule.Suggest})
	}
	r := s.Reloadable()
	changed := topup()
	changed.MaxDay *= 2
	r.Rules = []rule.Rule{other, changed}
	s.Reload(r)
	if theRule(t, s, "topup").Mode != rule.Off || theRule(t, s, "other").Mode != rule.Suggest {
		t.Error("the changed rule goes on, or the other does not")
	}
}

// TestAnInterruptedPlanOfARuleIsNotOffered: the rule proposes anew.
func TestAnInterruptedPlanOfARuleIsNotOffered(t *testing.T) {
	s := ruled(t, cardsOf(5), topup())
	seconds(s, 2, 40)
	p := s.PlanRule("topup")
	p.ID = "plan of another run"
	drop := one[state.DropPlan](t, apply(s, state.PlansFound{Meta: meta(41 * time.Second), Left: []state.LeftPlan{{Plan: p}}}))
	if _, offered := s.Bulk.Interrupted(); offered || drop.ID != p.ID {
		t.Error("it is offered")
	}
}

// TestWhatRulesDidIsTold by records and operations: the latest word counts, and what
// is unknown.
func TestWhatRulesDidIsTold(t *testing.T) {
	rec := func(key, outcome string, amount api.USD, d time.Duration) state.Record {
		return state.Record{At: at(d), Key: api.IdempotencyKey(key), Card: "c", Outcome: outcome, Amount: amount, Rule: "r", Action: "fund"}
	}
	open := func(key string) state.Op {
		return state.Op{Key: api.IdempotencyKey(key), Rule: "r", Card: "c", Amount: 8 * dollar, At: at(0), Kind: state.OpFund}
	}
	own := rec("own", state.OpStatusDone, 64*dollar, 0)
	own.Rule = ""
	got := state.DoneByRules([]state.Record{
		rec("a", state.OpStatusUnknown, dollar, 0), rec("a", state.OpStatusDone, dollar, time.Hour),
		rec("b", state.OpStatusUnknown, 2*dollar, 0), rec("b", state.OpStatusRefused, 2*dollar, time.Hour),
		rec("c", state.OpStatusDismissed, 4*dollar, 0), rec("e", state.OpStatusResolvedNotDone, 16*dollar, 0), own,
	}, []state.Op{open("d"), open("b")})
	var sum api.USD
	for _, d := range got {
		sum += d.Amount
	}
	if len(got) != 3 || sum != 13*dollar || !got[0].At.Equal(at(time.Hour)) || !got[2].Open {
		t.Errorf("%s of %+v", sum, got)
	}
}

func TestIdleCardsThatAreEmptied(t *testing.T) {
	s := with(t, cardsOf(50, 70), func(c *settings.Config) { c.Alerts.Idle = 30 * time.Minute })
	told := func(want string) {
		t.Helper()
		for _, a := range s.Alerts.All() {
			if a.Kind == alert.IdleCards && strings.Contains(a.Text, want) {
				return
			}
		}
		t.Errorf("%q is not among %v", want, s.Alerts.All())
	}
	seconds(s, 2, 5)
	told("2 cards idle ≥ 0 d hold $120.00")
	for _, e := range seconds(s, 6, 12) {
		if f, ok := e.(state.FetchCards); ok {
			apply(s, state.CardsLoaded{FetchCards: f, Meta: meta(12 * time.Second), TotalPages: 1, Total: 2, Items: cardsOf(0, 70)})
		}
	}
	seconds(s, 13, 15)
	told("1 card idle ≥ 0 d hold $70.00")
	if rows := state.PlanIdle(s).Rows; len(rows) != 1 || !strings.HasPrefix(rows[0].About, "idle ") {
		t.Errorf("the plan has %+v", rows)
	}
}

// TestCardsThatCannotBeActedOnKeepNoOtherFromARule: of many that match only some are looked at,
// and those that a rule may not touch are no reason to do nothing to the others.
func TestCardsThatCannotBeActedOnKeepNoOtherFromARule(t *testing.T) {
	for name, test := range map[string]func(*api.CardItem){
		"frozen":            func(c *api.CardItem) { c.Status = api.CardFrozen },
		"an unknown status": func(c *api.CardItem) { c.Status = "suspended" },
		"confirmed twice":   func(c *api.CardItem) { c.Label = "gg" },
	} {
		t.Run(name, func(t *testing.T) {
			var items []api.CardItem
			for i := range 250 {
				items = append(items, item(api.CardID(fmt.Sprintf("card_%04d", i)), api.CardActive, 5*dollar))
				test(&items[i])
			}
			last := item("card_9999", api.CardActive, 6*dollar)
			r := topup()
			r.When = "bal<100"
			s := with(t, append(items, last), func(c *settings.Config) {
				c.Rules, c.FindFundings, c.Guard.ConfirmLabels = []rule.Rule{r}, true, []string{"gg"}
			})
			seconds(s, 2, 10)
			arm(t, s, 11)
			save := one[state.SavePlan](t, seconds(s, 12, 40))
			if len(save.Plan.Rows) != 1 || save.Plan.Rows[0].Card != "card_9999" {
				t.Errorf("%+v", save.Plan.Rows)
			}
		})
	}
}

func TestARuleSaysWhichGuardrailHoldsItBack(t *testing.T) {
	for want, g := range map[string]guard.Guard{
		"guardrail: at most $10.00 in one operation":         {MaxOperation: 10 * dollar},
		"guardrail: $0.00 of $10.00 a day used; $10.00 left": {MaxDay: 10 * dollar},
	} {
		s := with(t, cardsOf(5), func(c *settings.Config) { c.Rules, c.FindFundings, c.Guard = []rule.Rule{topup()}, true, g })
		seconds(s, 2, 10)
		arm(t, s, 11)
		none[state.SavePlan](t, seconds(s, 12, 40))
		if r := theRule(t, s, "topup"); !strings.HasSuffix(r.Paused, want) || r.Passing {
			t.Errorf("%q, %t; want %q", r.Paused, r.Passing, want)
		}
	}
}

// TestARuleSendsNoMoreAtOnceThanTheFailuresThatStopIt: all that is under way may fail.
func TestARuleSendsNoMoreAtOnceThanTheFailuresThatStopIt(t *testing.T) {
	low := make([]api.USD, 12)
	for i := range low {
		low[i] = 5
	}
	s := ruled(t, cardsOf(low...), topup())
	seconds(s, 2, 10)
	arm(t, s, 11)
	save := one[state.SavePlan](t, seconds(s, 12, 40))
	sent := all[state.Do](saved(s, state.PlanSaved{Meta: meta(40 * time.Second), ID: save.Plan.ID}))
	if len(sent) != 3 {
		t.Fatalf("%d requests are under way", len(sent))
	}
	for _, send := range sent {
		none[state.Do](t, apply(s, state.OpFailed{Meta: meta(41 * time.Second), Op: send.Op.ID, Err: refused()}))
	}
	none[state.Do](t, seconds(s, 42, 600))
	if r := theRule(t, s, "topup"); r.Mode != rule.Off {
		t.Errorf("%s after %d failures", r.Mode, r.Failures)
	}
}
