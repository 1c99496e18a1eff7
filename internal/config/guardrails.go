package config

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

// guardrails are the rules for all modes, and those for LIVE.
func guardrails() []Setting {
	always := func(t *target) *guard.Guard { return &t.Guard }
	live := func(t *target) *guard.Guard { return &t.LiveGuard }
	return slices.Concat([]Setting{
		{"guardrails.max_operation", `"0"`, `"1000"`, lang.N("most USD that one operation takes from the wallet; 0 is no cap"), capOf(always, operation())},
		{"guardrails.max_hour", `"0"`, `"2000"`, lang.N("most USD taken from the wallet in an hour; 0 is no cap"), capOf(always, hour())},
		{"guardrails.max_day", `"0"`, `"5000"`, lang.N("most USD taken from the wallet in a day; 0 is no cap"), capOf(always, day())},
		{"guardrails.max_bulk", "50", "20", lang.N("most cards that one bulk plan changes at once, the rest is offered in parts; freezing is not held up"), count(1, 1000, func(s *Settings) *int { return &s.Guard.MaxBulk })},
		{"guardrails.confirm_labels", "[]", `["prod/*"]`, lang.N("label patterns that ask a second time; * stands for any text"), patterns(always)},
	}, labelCaps("guardrails", always), []Setting{
		{"guardrails.live.max_operation", `"0"`, `"500"`, lang.N("on LIVE in place of guardrails.max_operation; 0 leaves that one"), capOf(live, operation())},
		{"guardrails.live.max_hour", `"0"`, `"1000"`, lang.N("on LIVE in place of guardrails.max_hour; 0 leaves that one"), capOf(live, hour())},
		{"guardrails.live.max_day", `"0"`, `"2500"`, lang.N("on LIVE in place of guardrails.max_day; 0 leaves that one"), capOf(live, day())},
		{"guardrails.live.max_bulk", "0", "10", lang.N("on LIVE in place of guardrails.max_bulk; 0 leaves that one"), count(0, 1000, func(s *Settings) *int { return &s.LiveGuard.MaxBulk })},
		{"guardrails.live.confirm_labels", "[]", `["*"]`, lang.N("more label patterns that ask a second time, on LIVE"), patterns(live)},
	}, labelCaps("guardrails.live", live))
}

// labelCaps are the caps for the cards of a pattern of labels.
func labelCaps(table string, rules func(*target) *guard.Guard) []Setting {
	name, where := table+".labels.*.", "the name is a label in which * stands for any text"
	if table != "guardrails" {
		where = "on LIVE besides those of guardrails.labels"
	}
	return []Setting{
		{name + "max_operation", `"0"`, `"250"`, "most USD that one operation moves to a card of these labels; " + where, labelCap(rules, operation())},
		{name + "max_hour", `"0"`, `"250"`, "most USD moved to all cards of these labels in an hour", labelCap(rules, hour())},
		{name + "max_day", `"0"`, `"500"`, "most USD moved to all cards of these labels in a day", labelCap(rules, day())},
	}
}

// limit is one of the caps, of a guard and of the cards of a label.
type limit struct {
	guard func(*guard.Guard) *api.USD
	label func(*guard.LabelCap) *api.USD
}

func operation() limit {
	return limit{func(g *guard.Guard) *api.USD { return &g.MaxOperation }, func(c *guard.LabelCap) *api.USD { return &c.MaxOperation }}
}

func hour() limit {
	return limit{func(g *guard.Guard) *api.USD { return &g.MaxHour }, func(c *guard.LabelCap) *api.USD { return &c.MaxHour }}
}

func day() limit {
	return limit{func(g *guard.Guard) *api.USD { return &g.MaxDay }, func(c *guard.LabelCap) *api.USD { return &c.MaxDay }}
}

// capOf reads a cap of a guard.
func capOf(g func(*target) *guard.Guard, l limit) takes {
	return amount(func(t *target, usd api.USD) { *l.guard(g(t)) = usd })
}

// labelCap reads a cap of the labels that are the name of the table.
func labelCap(g func(*target) *guard.Guard, l limit) takes {
	return amount(func(t *target, usd api.USD) {
		all := &g(t).Labels
		at := slices.IndexFunc(*all, func(c guard.LabelCap) bool { return c.Labels == t.star })
		if at < 0 {
			at = len(*all)
			*all = append(*all, guard.LabelCap{Labels: t.star})
		}
		*l.label(&(*all)[at]) = usd
	})
}

// patterns reads the labels that ask a second time.
func patterns(rules func(*target) *guard.Guard) takes {
	return lines(100, func(t *target, patterns []string) { rules(t).ConfirmLabels = patterns })
}

// For returns the settings in force in a mode: on LIVE with its own guard.
func (s *Settings) For(mode Mode) settings.Reloadable {
	r := s.Reloadable
	if mode != ModeLive {
		return r
	}
	g, live := &r.Guard, s.LiveGuard
	g.Live = true
	g.MaxOperation, g.MaxHour, g.MaxDay = cmp.Or(live.MaxOperation, g.MaxOperation), cmp.Or(live.MaxHour, g.MaxHour), cmp.Or(live.MaxDay, g.MaxDay)
	g.MaxBulk = cmp.Or(live.MaxBulk, g.MaxBulk)
	g.ConfirmLabels = slices.Concat(g.ConfirmLabels, live.ConfirmLabels)
	g.Labels = slices.Concat(g.Labels, live.Labels)
	return r
}
