package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/label"
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

// Bounds of a template: the categories and pairs of metadata of one card, by the contract.
const (
	maxCategories = 50
	maxPairs      = api.MaxMetadata
)

// templates are the settings of the templates that cards are issued from.
func templates() []Setting {
	return []Setting{
		{"templates.*.bin", "", `"424242"`, lang.N("BIN that the forms of new cards start with"), text(filled(), func(t *target) *string { return (*string)(&t.template.Request.BIN) })},
		{"templates.*.amount", "", `"25"`, lang.N("amount in USD, likewise"), templateAmount(minFund, maxFund, func(r *api.CreateCardRequest, usd api.USD) { r.Amount = usd })},
		{"templates.*.label", "", `"fb/spring/{n:02}"`, lang.N("label; {n} is the number of a card, {n:02} has two digits"), text(labelTemplate(), func(t *target) *string { return &t.template.Request.Label })},
		{"templates.*.spending_limit", "", `"500"`, lang.N("monthly limit in USD"), templateAmount(0, maxAmount, func(r *api.CreateCardRequest, usd api.USD) { r.SpendingLimit = &usd })},
		{"templates.*.auto_freeze_at", "", `"5"`, lang.N("balance in USD below which the card freezes by itself"), templateAmount(0, maxAmount, func(r *api.CreateCardRequest, usd api.USD) { r.AutoFreezeAt = &usd })},
		{"templates.*.allowed_categories", "", `["7311", "5734"]`, lang.N("categories that the card may be used in, as MCCs or words"), lines(maxCategories, func(t *target, list []string) { t.template.Request.AllowedCategories = list })},
		{"templates.*.metadata", "", `["team=growth"]`, lang.N("metadata, as key=value"), pairs()},
	}
}

func templateAmount(low, high api.USD, put func(*api.CreateCardRequest, api.USD)) takes {
	set := func(t *target, v value) error {
		usd, err := v.usd(low, high)
		if err == nil {
			put(&t.template.Request, usd)
		}
		return err
	}
	return takes{set: set, schema: dollars(low, high)}
}

func labelTemplate() rule {
	return rule{check: func(s string) error {
		_, err := label.Fill(s, label.Parts{N: 1, New: true})
		return err
	}}
}

// pairs reads metadata as lines of key=value.
func pairs() takes {
	set := func(t *target, v value) error {
		list, err := v.lines(maxPairs)
		if err != nil {
			return err
		}
		all := make(map[string]string, len(list))
		for _, line := range list {
			key, text, ok := strings.Cut(line, "=")
			key = strings.TrimSpace(key)
			if _, twice := all[key]; twice {
				return fmt.Errorf("has the key %q twice", key)
			}
			if all[key] = strings.TrimSpace(text); !ok || key == "" {
				return errors.New(`must be lines of key=value, such as "team=growth"`)
			}
		}
		t.template.Request.Metadata = all
		return nil
	}
	return takes{set: set, schema: textOrList(maxPairs, node{Type: "string", Pattern: "^[^=]*[^= ][^=]*=", MaxLength: maxText})}
}

// enterTemplate finds or adds the template of a name, in the order of the file.
func (t *target) enterTemplate(name string) {
	i := slices.IndexFunc(t.Templates, func(c label.CardTemplate) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Templates)
		t.Templates = append(t.Templates, label.CardTemplate{Name: name})
	}
	t.template = &t.Templates[i]
}

// places are the words for what has to be under the cursor, by state.Where.
func places() []string { return []string{"cards", "transactions", "anywhere"} }

// commandFields are the names that the line of a command may hold in braces.
// They are the names in its input as well.
func commandFields(w settings.Where) []string {
	var names []string
	for _, f := range (commands.Vars{Where: w}).List() {
		names = append(names, f.Name)
	}
	return names
}

// userCommand is a user command while it is read.
type userCommand struct {
	*settings.Command
	keys *CommandKeys
}

// userCommands are the settings of user commands.
func userCommands() []Setting {
	return []Setting{
		{"commands.*.run", "", `"xdg-open https://ads.example.com/?account={label}"`, lang.N("shell line; a field in braces is one word of it, whatever it holds"), needed(text(filled(), func(t *target) *string { return &t.command.Line }))},
		{"commands.*.key", "", `["alt+o"]`, lang.N("key or list of keys for it"), lines(maxKeys, setCommandKeys)},
		{"commands.*.help", "", `"open the ad account"`, lang.N("what it does, for the help and the list of commands"), text(filled(), func(t *target) *string { return &t.command.keys.Help })},
		{"commands.*.where", `"cards"`, `"transactions"`, lang.N("what has to be under the cursor: cards, transactions or anywhere"), place()},
		{"commands.*.confirm", "false", "true", lang.N("ask first"), flag(func(t *target) *bool { return &t.command.Confirm })},
		{"commands.*.reads", "false", "true", lang.N("it changes nothing: a read-only profile and a dry run allow it"), flag(func(t *target) *bool { return &t.command.Reads })},
	}
}

func place() takes {
	var word string
	t := text(oneOf(places()...), func(*target) *string { return &word })
	read := t.set
	t.set = func(t *target, v value) error {
		err := read(t, v)
		if err == nil {
			t.command.Where = settings.Where(slices.Index(places(), word))
		}
		return err
	}
	return t
}

func setCommandKeys(t *target, keys []string) {
	k := t.command.keys
	k.Keys, k.Line, k.Column = keys, t.at.line, t.at.column
}

// enterCommand finds or adds the command of a name, in the order of the file.
func (t *target) enterCommand(name string) {
	i := slices.IndexFunc(t.Commands, func(c settings.Command) bool { return c.Name == name })
	if i < 0 {
		i = len(t.Commands)
		t.Commands = append(t.Commands, settings.Command{Name: name, Where: settings.OnCard})
		t.CommandKeys = append(t.CommandKeys, CommandKeys{})
	}
	t.command = &userCommand{&t.Commands[i], &t.CommandKeys[i]}
}

// checkCommand checks a line against the fields of its place.
func (t *target) checkCommand(c settings.Command) {
	t.lacking("command", "commands", c.Name)
	setting := "commands." + c.Name + ".run"
	line, err := shell.Compile(c.Line)
	switch {
	case err != nil:
		t.report(t.places[setting], "%s %s", setting, err)
	case len(line.Fields) > 0 && !shell.FieldsAllowed:
		t.report(t.places[setting], "%s has fields in braces, which no shell of this system takes safely: read them as JSON from standard input", setting)
	}
	known := commandFields(c.Where)
	for _, field := range line.Fields {
		if !slices.Contains(known, field) {
			t.report(t.places[setting], "%s", unknownField(setting, field, places()[c.Where], known))
			return
		}
	}
}

// unknownField returns the problem of a field and lists the known ones.
func unknownField(setting, field, place string, known []string) string {
	return fmt.Sprintf("%s has an unknown field {%s}%s; fields with where = %q: %s; {{%s}} is text", setting, field, meant(nearest(field, known)), place, strings.Join(known, ", "), field)
}
