package app

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/state"
)

func TestGuardrailsComeFromTheSettings(t *testing.T) {
	s := config.Defaults()
	s.Guardrails.MaxDay, s.Guardrails.ConfirmLabels = 5*api.Dollar, []string{"prod/*"}
	s.Guardrails.Labels = []config.LabelCaps{{Labels: "fb/*", Caps: config.Caps{MaxDay: api.Dollar}}}
	s.Guardrails.Live.MaxHour = 2 * api.Dollar
	for mode, live := range map[config.Mode]bool{config.ModeLive: true, config.ModeTest: false, config.ModeSandbox: false} {
		g := guardOf(s, mode)
		if g.Live != live || g.MaxDay != 5*api.Dollar || g.MaxBulk != 50 || g.TypeTwice != 500*api.Dollar || len(g.ConfirmLabels) != 1 ||
			len(g.Labels) != 1 || g.Labels[0] != (state.LabelCap{Labels: "fb/*", MaxDay: api.Dollar}) || (g.MaxHour == 2*api.Dollar) != live {
			t.Errorf("%s: %+v", mode, g)
		}
	}
	if userName() == "" {
		t.Error("nobody is logged in")
	}
}
