package config_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state/guard"
)

// TestRulesOfAMode joins the rules of LIVE with those of all modes.
func TestRulesOfAMode(t *testing.T) {
	t.Parallel()
	s, err := config.Parse("config.toml", []byte(`
[guardrails]
max_hour = 100
max_day = 1000
confirm_labels = ["a"]
labels.fb.max_day = 50
[guardrails.live]
max_day = 200
max_bulk = 5
confirm_labels = ["b"]
labels.gg.max_operation = 10
`))
	must(t, err)
	fb, gg := guard.LabelCap{Labels: "fb", MaxDay: 50 * api.Dollar}, guard.LabelCap{Labels: "gg", MaxOperation: 10 * api.Dollar}
	all := guard.Guard{
		MaxHour: 100 * api.Dollar, MaxDay: 1000 * api.Dollar, MaxBulk: 50, TypeTwice: 500 * api.Dollar,
		ConfirmLabels: []string{"a"}, Labels: []guard.LabelCap{fb},
	}
	live := all
	live.Live, live.MaxDay, live.MaxBulk = true, 200*api.Dollar, 5
	live.ConfirmLabels, live.Labels = []string{"a", "b"}, []guard.LabelCap{fb, gg}
	for mode, want := range map[config.Mode]guard.Guard{config.ModeTest: all, config.ModeSandbox: all, config.ModeLive: live} {
		if got := s.For(mode).Guard; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", mode, got, want)
		}
	}
	if !reflect.DeepEqual(s.Guard, all) {
		t.Errorf("the rules of all modes have become others: %+v", s.Guard)
	}
}

// TestALabelOfAGuardrailMayBeAnyText reads what a profile may not be called.
func TestALabelOfAGuardrailMayBeAnyText(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"*", "fb/*", "a.b", "ä ö"} {
		text := fmt.Sprintf("[guardrails.labels.%q]\nmax_day = 5\n", label)
		s, err := config.Parse("config.toml", []byte(text))
		if err != nil || len(s.Guard.Labels) != 1 || s.Guard.Labels[0].Labels != label {
			t.Errorf("%s: %+v, %v", label, s.Guard.Labels, err)
		}
		if faults := readSchema(t).faults(t, text); len(faults) > 0 {
			t.Errorf("%s: %v", label, faults)
		}
	}
	for text, want := range map[string]string{
		"[guardrails.labels]\nfb = 5\n":                  `config.toml:2:1: guardrails.labels.fb is a table: write [guardrails.labels.fb]`,
		"[guardrails.labels.fb]\nmax_dya = 5\n":          `unknown setting "guardrails.labels.fb.max_dya" (did you mean "guardrails.labels.fb.max_day"?)`,
		"[guardrails.labels.\"fb/*\"]\nmax_day = -5\n":   "config.toml:2:11: guardrails.labels.fb/*.max_day must be 0.00 to",
		"[guardrails.labels]\n\"fb/*\" = 5\n":            `write [guardrails.labels."fb/*"]`,
		"[guardrails.live.labels.fb]\nmax_day = \"x\"\n": "must be an amount",
	} {
		if _, err := config.Parse("config.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
