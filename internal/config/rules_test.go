package config_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/rule"
)

const twoRules = `
[[rules]]
name = "topup"
when = "status=active bal<20 label~fb"
fund_to = "50"
max_per_day = "500"
max_per_card = "100.50"
max_actions = 40
cooldown = "1h30m"
between = "22:00-06:00"
pause_on_declines = 5

[[rules]]
name = "stop"
when = 'decl7>30 idle>2d'
freeze = true
`

// TestRulesAreRead with every setting, and in the order of the file.
func TestRulesAreRead(t *testing.T) {
	t.Parallel()
	got, err := config.Parse("config.toml", []byte(twoRules))
	must(t, err)
	want := []rule.Rule{
		{
			Name: "topup", When: "status=active bal<20 label~fb", Action: rule.FundTo, Amount: 50 * api.Dollar, MaxDay: 500 * api.Dollar,
			MaxCard: 100*api.Dollar + 50*api.Cent, MaxActions: 40, Cooldown: 90 * time.Minute, Between: rule.Hours{From: 22 * 60, To: 6 * 60}, Declines: 5,
		},
		{Name: "stop", When: "decl7>30 idle>2d", Action: rule.Freeze, Cooldown: 10 * time.Minute},
	}
	if !reflect.DeepEqual(got.Rules, want) {
		t.Errorf("%+v\nwant %+v", got.Rules, want)
	}
	s := readSchema(t)
	if faults := s.faults(t, twoRules); len(faults) > 0 {
		t.Error(faults)
	}
	read := 0
	for _, setting := range config.Reference() {
		name, ok := strings.CutPrefix(setting.Name, "rules[].")
		if !ok {
			continue
		}
		read++
		text := "[[rules]]\n" + name + " = " + setting.Example
		for other, line := range map[string]string{"name": "name = 'r'", "when": "when = 'bal<1'", "fund_to": "fund_to = '5'", "max_per_day": "max_per_day = 9"} {
			action := setting.Example == "true" || strings.HasPrefix(name, "fund") || strings.HasPrefix(name, "withdraw")
			if other != name && (other != "fund_to" || !action) && (other != "max_per_day" || setting.Example != "true") {
				text += "\n" + line
			}
		}
		if _, err := config.Parse("f", []byte(text)); err != nil {
			t.Error(err)
		}
		if faults := s.faults(t, text); len(faults) > 0 {
			t.Errorf("%s: %v", text, faults)
		}
	}
	if read < 10 {
		t.Errorf("%d settings", read)
	}
}

// TestWrongRulesAreRefused with their line and a sentence.
func TestWrongRulesAreRefused(t *testing.T) {
	t.Parallel()
	whole := "[[rules]]\nname = 'a'\nwhen = 'bal<20'\n"
	for _, test := range []struct{ text, want string }{
		{"[rules]\nname = 'a'", `1:2: rules is a list of tables: write [[rules]]`},
		{"[rules.a]\nwhen = 'bal<1'", `1:2: rules is a list of tables: write [[rules]]`},
		{"rules = [{name = 'a'}]", `1:1: rules is a list of tables: write [[rules]]`},
		{"[[rules]]\nalert = true", "1:3: the rule has no name\nf:1:3: the rule has no when"},
		{"[[rules]]\nname = 'a b'\nalert = true\nwhen='x'", `2:8: rules.name must be 1 to 64 letters`},
		{whole, `1:3: rule "a" does nothing: add one of alert, fund_to, fund_by, withdraw_to, freeze`},
		{whole + "alert = true\nfreeze = true", `5:1: rule "a" has alert and freeze: keep one`},
		{whole + "fund_to = '50'", `1:3: rule "a" moves money to cards and has no max_per_day above 0`},
		{whole + "fund_to = '50'\nmax_per_day = 0", `rule "a" moves money to cards and has no max_per_day above 0`},
		{whole + "freeze = false", `4:10: rules.freeze must be true, or left out`},
		{whole + "freeze = true\nmax_per_day = 5", `5:1: rule "a" moves no money: max_per_day is for rules that do`},
		{whole + "alert = true\ncooldown = '1h'", `5:1: rule "a" only alerts: cooldown is for rules that act`},
		{whole + "alert = true\nwen = 'x'", `5:1: unknown setting "rules.wen" (did you mean "rules[].when"?)`},
		{whole + "alert = {x = 1}", `4:1: rules.alert is a value, not a table`},
		{whole + "freeze = true\n" + whole + "freeze = true", `6:1: rule "a" is in the file already`},
		{whole + "fund_by = '0.99'\nmax_per_day = 5", `4:11: rules.fund_by must be 1.00 to 5,000.00 USD, not 0.99`},
		{whole + "freeze = true\ncooldown = '2d'", `5:12: rules.cooldown must be a time such as 30m or 2h, at most 1d`},
		{whole + "freeze = true\nbetween = '8-22'", `5:11: rules.between must be hours such as 08:00-22:00`},
		{"[[rules]]\nname = 'a'\nwhen = 'bal<x'\nfreeze = true", `3:8: rules.when x is no amount`},
		{"[[rules]]\nname = 'a'\nwhen = 'bal<'\nfreeze = true", `3:8: rules.when is not complete: `},
		{"[[rules]]\nname = 'a'\nwhen = ''\nfreeze = true", `3:8: rules.when is empty: status=active is every active card`},
		{strings.Repeat("[[rules]]\nname='a'\nwhen='x'\nalert=true\n", 51), `201:3: more than 50 rules`},
	} {
		_, err := config.Parse("f", []byte(test.text))
		var problems config.ProblemErrors
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s:\n%v\nwant %s", test.text, err, test.want)
		}
	}
}
