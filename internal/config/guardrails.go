package config

import (
	"slices"

	"github.com/cardtop/cardtop/api"
)

// guardrails are the rules for all modes, and those for LIVE.
func guardrails() []Setting {
	always := func(t *target) *Rules { return &t.Guardrails.Rules }
	live := func(t *target) *Rules { return &t.Guardrails.Live }
	return slices.Concat([]Setting{
		{"guardrails.max_operation", `"0"`, `"1000"`, "most USD that one operation takes from the wallet; 0 is no cap", capOf(always, operation)},
		{"guardrails.max_hour", `"0"`, `"2000"`, "most USD taken from the wallet in an hour; 0 is no cap", capOf(always, hour)},
		{"guardrails.max_day", `"0"`, `"5000"`, "most USD taken from the wallet in a day; 0 is no cap", capOf(always, day)},
		{"guardrails.max_bulk", "50", "20", "most cards that one bulk plan changes at once, the rest is offered in parts; freezing is not held up", count(1, 1000, func(s *Settings) *int { return &s.Guardrails.MaxBulk })},
		{"guardrails.confirm_labels", "[]", `["prod/*"]`, "label patterns that ask a second time; * stands for any text", patterns(always)},
	}, labelCaps("guardrails", always), []Setting{
		{"guardrails.live.max_operation", `"0"`, `"500"`, "on LIVE in place of guardrails.max_operation; 0 leaves that one", capOf(live, operation)},
		{"guardrails.live.max_hour", `"0"`, `"1000"`, "on LIVE in place of guardrails.max_hour; 0 leaves that one", capOf(live, hour)},
		{"guardrails.live.max_day", `"0"`, `"2500"`, "on LIVE in place of guardrails.max_day; 0 leaves that one", capOf(live, day)},
		{"guardrails.live.max_bulk", "0", "10", "on LIVE in place of guardrails.max_bulk; 0 leaves that one", count(0, 1000, func(s *Settings) *int { return &s.Guardrails.Live.MaxBulk })},
		{"guardrails.live.confirm_labels", "[]", `["*"]`, "more label patterns that ask a second time, on LIVE", patterns(live)},
	}, labelCaps("guardrails.live", live))
}

// labelCaps are the caps for the cards of a pattern of labels.
func labelCaps(table string, rules func(*target) *Rules) []Setting {
	name, where := table+".labels.*.", "the name is a label in which * stands for any text"
	if table != "guardrails" {
		where = "on LIVE besides those of guardrails.labels"
	}
	return []Setting{
		{name + "max_operation", `"0"`, `"250"`, "most USD that one operation moves to a card of these labels; " + where, labelCap(rules, operation)},
		{name + "max_hour", `"0"`, `"250"`, "most USD moved to all cards of these labels in an hour", labelCap(rules, hour)},
		{name + "max_day", `"0"`, `"500"`, "most USD moved to all cards of these labels in a day", labelCap(rules, day)},
	}
}

func operation(c *Caps) *api.USD { return &c.MaxOperation }
func hour(c *Caps) *api.USD      { return &c.MaxHour }
func day(c *Caps) *api.USD       { return &c.MaxDay }

// capOf reads one of the caps of some rules.
func capOf(rules func(*target) *Rules, which func(*Caps) *api.USD) takes {
	return amount(func(t *target, usd api.USD) { *which(&rules(t).Caps) = usd })
}

// labelCap reads one of the caps of the labels that the table's name stands for.
func labelCap(rules func(*target) *Rules, which func(*Caps) *api.USD) takes {
	return amount(func(t *target, usd api.USD) {
		all := &rules(t).Labels
		at := slices.IndexFunc(*all, func(l LabelCaps) bool { return l.Labels == t.star })
		if at < 0 {
			at = len(*all)
			*all = append(*all, LabelCaps{Labels: t.star})
		}
		*which(&(*all)[at].Caps) = usd
	})
}

// patterns reads the labels that ask a second time.
func patterns(rules func(*target) *Rules) takes {
	return lines(100, func(t *target, patterns []string) { rules(t).ConfirmLabels = patterns })
}

// For gives the rules that hold in a mode.
func (g Guardrails) For(mode Mode) Rules {
	r := g.Rules
	if mode != ModeLive {
		return r
	}
	for _, c := range []struct{ rule, live *api.USD }{
		{&r.MaxOperation, &g.Live.MaxOperation}, {&r.MaxHour, &g.Live.MaxHour}, {&r.MaxDay, &g.Live.MaxDay},
	} {
		if *c.live > 0 {
			*c.rule = *c.live
		}
	}
	if g.Live.MaxBulk > 0 {
		r.MaxBulk = g.Live.MaxBulk
	}
	r.ConfirmLabels = slices.Concat(r.ConfirmLabels, g.Live.ConfirmLabels)
	r.Labels = slices.Concat(r.Labels, g.Live.Labels)
	return r
}
