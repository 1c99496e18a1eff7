package config_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
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
	if err != nil {
		t.Fatal(err)
	}
	fb := config.LabelCaps{Labels: "fb", Caps: config.Caps{MaxDay: 50 * api.Dollar}}
	gg := config.LabelCaps{Labels: "gg", Caps: config.Caps{MaxOperation: 10 * api.Dollar}}
	hour := config.Caps{MaxHour: 100 * api.Dollar, MaxDay: 1000 * api.Dollar}
	for mode, want := range map[config.Mode]config.Rules{
		config.ModeTest:    {Caps: hour, MaxBulk: 50, ConfirmLabels: []string{"a"}, Labels: []config.LabelCaps{fb}},
		config.ModeSandbox: {Caps: hour, MaxBulk: 50, ConfirmLabels: []string{"a"}, Labels: []config.LabelCaps{fb}},
		config.ModeLive: {
			Caps: config.Caps{MaxHour: 100 * api.Dollar, MaxDay: 200 * api.Dollar}, MaxBulk: 5,
			ConfirmLabels: []string{"a", "b"}, Labels: []config.LabelCaps{fb, gg},
		},
	} {
		if got := s.Guardrails.For(mode); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", mode, got, want)
		}
	}
	if s.Guardrails.MaxDay != 1000*api.Dollar || len(s.Guardrails.Labels) != 1 {
		t.Errorf("the rules of all modes have become others: %+v", s.Guardrails.Rules)
	}
}

// TestALabelOfAGuardrailMayBeAnyText reads what a profile may not be called.
func TestALabelOfAGuardrailMayBeAnyText(t *testing.T) {
	t.Parallel()
	for _, label := range []string{"*", "fb/*", "a.b", "ä ö"} {
		text := fmt.Sprintf("[guardrails.labels.%q]\nmax_day = 5\n", label)
		s, err := config.Parse("config.toml", []byte(text))
		if err != nil || len(s.Guardrails.Labels) != 1 || s.Guardrails.Labels[0].Labels != label {
			t.Errorf("%s: %+v, %v", label, s.Guardrails.Labels, err)
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
