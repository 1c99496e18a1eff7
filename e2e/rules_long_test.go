//go:build long

package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rule"
)

// ruler is an account with rules.
func ruler(w, h int) options {
	return options{w: w, h: h, rules: []rule.Rule{
		{Name: "topup", When: "status=active bal<400", Action: rule.FundTo, Amount: 450 * api.Dollar, MaxDay: 300 * api.Dollar, MaxCard: 100 * api.Dollar, Cooldown: 10 * time.Minute},
		{Name: "stop", When: "label~nothing", Action: rule.Freeze, Cooldown: time.Hour},
		{Name: "say", When: "bal>400", Action: rule.Alert},
	}}
}

func TestRuleScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, ruler, func(d *driver) {
		d.wait(5 * time.Second)
		d.press("U")
		d.wait(7 * time.Second)
		d.press("s")
		d.wait(7 * time.Second)
		d.drawn("rules")
	})
}

// TestARuleActsOnlyAfterItsNameIsTyped, within its caps, and says so in the header.
func TestARuleActsOnlyAfterItsNameIsTyped(t *testing.T) {
	t.Parallel()
	story(t, ruler(160, 45), func(d *driver) {
		before := d.walletUSD()
		d.wait(20 * time.Second)
		d.press("U", "a")
		d.see("Rule topup", "type the name of the rule")
		d.press("t", "o", "p", "u", "tab", "enter")
		d.wait(time.Second)
		d.seeNot("RULES act")
		if strings.Contains(d.screen(), "type the name") {
			d.press("esc")
		}
		d.wait(10 * time.Second)
		if now := d.walletUSD(); now != before {
			t.Fatalf("%s moved before the name was typed", before-now)
		}
		d.press("a", "t", "o", "p", "u", "p", "tab", "enter")
		d.wait(30 * time.Second)
		d.see("RULES act 1", "max_per_day reached", "$300.00 of $300.00")
		if now := d.walletUSD(); before-now != 300*api.Dollar {
			t.Errorf("%s moved, the cap is 300", before-now)
		}
		d.press("esc", "H")
		d.wait(time.Second)
		d.see("rule topup")
		d.press("esc", "U", "x")
		d.wait(time.Second)
		d.seeNot("RULES act")
	})
}

// TestASuggestedPlanWaitsForAYes and is opened from its alert.
func TestASuggestedPlanWaitsForAYes(t *testing.T) {
	t.Parallel()
	story(t, ruler(160, 45), func(d *driver) {
		before := d.walletUSD()
		d.wait(5 * time.Second)
		d.press("U", "s")
		d.wait(20 * time.Second)
		d.see("rules suggest 1")
		d.press("esc", "A")
		d.wait(time.Second)
		d.see("topup: fund to $450, $300.00 for 3 cards")
		if now := d.walletUSD(); now != before {
			t.Fatalf("%s moved without a yes", before-now)
		}
		for range 20 {
			if strings.Contains(d.cursor(), "topup") {
				break
			}
			d.press("j")
		}
		d.press("enter")
		d.wait(time.Second)
		d.see("Rule topup: fund", "3 cards · $300.00")
		d.press("tab", "enter")
		d.wait(20 * time.Second)
		if now := d.walletUSD(); before-now != 300*api.Dollar {
			t.Errorf("%s moved", before-now)
		}
	})
}

// walletUSD is the balance that the store knows.
func (d *driver) walletUSD() (usd api.USD) {
	d.t.Helper()
	d.inside(func(s *state.Store) {
		w, _ := s.Wallets.Balance()
		usd = w.Balance
	})
	return usd
}
