package config

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/query"
	cardrule "github.com/cardtop/cardtop/state/rule"
)

// ruleTable begins the names of the settings of a rule: the file has a list of them.
const ruleTable = "rules[]"

// maxRules bounds the rules of a file.
const maxRules = 50

// defaultCooldown is how long a rule that moves money leaves a card alone unless the
// file says otherwise.
const defaultCooldown = 10 * time.Minute

// writtenRule is a rule while it is read.
type writtenRule struct {
	cardrule.Rule
	at     position
	places map[string]position // by the names after ruleTable and a dot
}

// ruleSettings are the settings of a rule.
func ruleSettings() []Setting {
	return []Setting{
		{"rules[].name", "", `"topup"`, lang.N("name, typed to let the rule act; it marks what the rule did in the history"), needed(text(ruleName(), func(t *target) *string { return &t.rule.Name }))},
		{"rules[].when", "", `"status=active bal<20 label~fb"`, lang.N("filter of cards, as in the list of cards: text, bal, left, burn, decl7, idle and so on"), needed(text(when(), func(t *target) *string { return &t.rule.When }))},
		{"rules[].alert", "", "true", lang.N("raise one alert for all cards that match; one of alert, fund_to, fund_by, withdraw_to and freeze has to be there"), does(cardrule.Alert)},
		{"rules[].fund_to", "", `"50"`, lang.N("fund each card up to a balance in USD"), moves(cardrule.FundTo, minFund, maxAmount)},
		{"rules[].fund_by", "", `"25"`, lang.N("fund each card by USD"), moves(cardrule.FundBy, minFund, maxFund)},
		{"rules[].withdraw_to", "", `"0"`, lang.N("withdraw what is above a balance in USD"), moves(cardrule.WithdrawTo, 0, maxAmount)},
		{"rules[].freeze", "", "true", lang.N("freeze each card"), does(cardrule.Freeze)},
		{"rules[].max_per_day", "", `"500"`, lang.N("most USD that the rule moves in 24 hours; a rule that funds has to have it"), amount(func(t *target, usd api.USD) { t.rule.MaxDay = usd })},
		{"rules[].max_per_card", `"0"`, `"100"`, lang.N("most USD that it moves to or from one card in 24 hours; 0 is no cap"), amount(func(t *target, usd api.USD) { t.rule.MaxCard = usd })},
		{"rules[].max_actions", "0", "40", lang.N("most cards that it acts on in 24 hours, each time counted; 0 is no cap"), ruleCount(1000, func(r *cardrule.Rule) *int { return &r.MaxActions })},
		{"rules[].cooldown", `"10m"`, `"2h"`, lang.N("how long it leaves a card alone after it acted on it, at most 1d"), cooldown()},
		{"rules[].between", "", `"08:00-22:00"`, lang.N("local hours in which it acts; 22:00-06:00 is the night"), hours()},
		{"rules[].pause_on_declines", "0", "5", lang.N("leave a card alone with this many payments declined in 24 hours for another reason than its balance; 0 is never"), ruleCount(1000, func(r *cardrule.Rule) *int { return &r.Declines })},
	}
}

// maxRuleName bounds the name of a rule, in letters: it is typed.
const maxRuleName = 24

// ruleName is a plain word that is short enough to be typed.
func ruleName() rule {
	plain := named()
	check := func(s string) error {
		if err := plain.check(s); err != nil {
			return err
		}
		if len(s) > maxRuleName {
			return fmt.Errorf("must be at most %d letters: it is typed to let the rule act", maxRuleName)
		}
		return nil
	}
	return rule{check, plain.schema}
}

func when() rule {
	return rule{check: func(s string) error {
		_, err := cardrule.ParseWhen(s)
		return err
	}, schema: node{MinLength: 1}}
}

// does reads an action without an amount.
func does(a cardrule.Action) takes {
	set := func(t *target, v value) error {
		if v.kind != kindBool || v.text != "true" {
			return errors.New("must be true, or left out")
		}
		t.rule.Action = a
		return nil
	}
	return takes{set: set, schema: node{Type: "boolean"}}
}

// moves reads an action with an amount.
func moves(a cardrule.Action, low, high api.USD) takes {
	set := func(t *target, v value) error {
		usd, err := v.usd(low, high)
		if err == nil {
			t.rule.Action, t.rule.Amount = a, usd
		}
		return err
	}
	return takes{set: set, schema: dollars(low, high)}
}

func ruleCount(most int, field func(*cardrule.Rule) *int) takes {
	set := func(t *target, v value) error {
		n, err := v.integer(0, most)
		if err == nil {
			*field(&t.rule.Rule) = n
		}
		return err
	}
	return takes{set: set, schema: node{Type: "integer", Minimum: 0, Maximum: most}}
}

func cooldown() takes {
	set := func(t *target, v value) error {
		s, err := v.line()
		if err != nil {
			return err
		}
		age, ok := query.ParseAge(s)
		if !ok || age > cardrule.MaxCooldown {
			return errors.New("must be a time such as 30m or 2h, at most 1d")
		}
		t.rule.Cooldown = age
		return nil
	}
	return takes{set: set, schema: node{Type: "string", Pattern: "^([0-9]+[smhd])+$"}}
}

func hours() takes {
	set := func(t *target, v value) error {
		s, err := v.line()
		if err == nil {
			t.rule.Between, err = cardrule.ParseHours(s)
		}
		return err
	}
	return takes{set: set, schema: node{Type: "string", Pattern: "^[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]$"}}
}

// takeRule reads an entry of the list of rules.
func (t *target) takeRule(e entry) {
	if len(e.path) == 1 && e.value.kind == kindTables {
		t.rules = append(t.rules, writtenRule{Rule: cardrule.Rule{Cooldown: defaultCooldown}, at: e.at, places: make(map[string]position)})
		t.rule = &t.rules[len(t.rules)-1]
		return
	}
	if t.rule == nil || len(e.path) == 1 {
		t.report(e.at, "rules is a list of tables: write [[rules]]")
		t.unknown = append(t.unknown, "rules")
		return
	}
	setting, known := t.settings[ruleTable+"."+e.path[1]]
	switch {
	case !known || len(e.path) > 2:
		t.reportUnknown(e, ruleTable+"."+strings.Join(e.path[1:], "."), "")
	case e.value.kind == kindTable || e.value.kind == kindTables:
		t.report(e.at, "%s is a value, not a table", e.name())
		t.unknown = append(t.unknown, e.name())
	default:
		t.at = e.at
		t.rule.places[e.path[1]] = e.at
		t.set(setting, "rules."+e.path[1], e)
	}
}

// finishRules checks each rule as a whole.
func (t *target) finishRules() {
	names := make(map[string]bool)
	for i := range t.rules {
		r := &t.rules[i]
		t.checkRule(r)
		if _, tried := r.places["name"]; tried && names[r.Name] {
			t.report(r.places["name"], "rule %q is in the file already", r.Name)
		}
		names[r.Name] = r.Name != ""
		t.Rules = append(t.Rules, r.Rule)
	}
	if len(t.rules) > maxRules {
		t.report(t.rules[maxRules].at, "more than %d rules", maxRules)
	}
}

// checkRule reports what a rule lacks, and what does not go together.
func (t *target) checkRule(r *writtenRule) {
	who := "the rule"
	if r.Name != "" {
		who = fmt.Sprintf("rule %q", r.Name)
	}
	has := func(name string) bool { _, tried := r.places[name]; return tried }
	for _, name := range []string{"name", "when"} {
		if !has(name) {
			t.report(r.at, "%s has no %s", who, name)
		}
	}
	actions := []string{"alert", "fund_to", "fund_by", "withdraw_to", "freeze"}
	var said []string
	for _, name := range actions {
		if has(name) {
			said = append(said, name)
		}
	}
	if len(said) == 0 {
		t.report(r.at, "%s does nothing: add one of %s", who, strings.Join(actions, ", "))
		return
	}
	if len(said) > 1 {
		t.report(r.places[said[1]], "%s has %s: keep one", who, strings.Join(said, " and "))
		return
	}
	if r.Action.FromWallet() && r.MaxDay == 0 && !slices.ContainsFunc(t.problems, func(p *ProblemError) bool { return p.Line == r.places["max_per_day"].line }) {
		t.report(r.at, "%s moves money to cards and has no max_per_day above 0", who)
	}
	for _, name := range []string{"max_per_day", "max_per_card"} {
		if has(name) && r.Action != 0 && !r.Action.Moves() {
			t.report(r.places[name], "%s moves no money: %s is for rules that do", who, name)
		}
	}
	if !r.Action.Acts() {
		for _, name := range []string{"max_actions", "cooldown", "pause_on_declines"} {
			if has(name) {
				t.report(r.places[name], "%s only alerts: %s is for rules that act", who, name)
			}
		}
	}
}
