package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/rules"
)

func account(t *testing.T) *panetest.Account {
	t.Helper()
	a := panetest.New(t, func(c *settings.Config) {
		c.Rules = []rule.Rule{
			{Name: "topup", When: "status=active bal<20", Action: rule.FundTo, Amount: 50 * api.Dollar, MaxDay: 500 * api.Dollar, Cooldown: 10 * time.Minute},
			{Name: "say", When: "bal>1000", Action: rule.Alert},
		}
	})
	a.Wallet.Balance = 1000 * api.Dollar
	a.Cards = []api.CardItem{panetest.Card("card_1", "fb/1", 5*api.Dollar), panetest.Card("card_2", "fb/2", 15*api.Dollar), panetest.Card("card_3", "fb/3", 150*api.Dollar)}
	a.Wait(0)
	return a
}

// TestARowSaysWhatARuleMatchesAndMayDo as the cards are.
func TestARowSaysWhatARuleMatchesAndMayDo(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := panetest.Open(t, a, rules.New(panetest.Theme(t)), 150, 16)
	a.Wait(10 * time.Second)
	s.Look()
	s.See("1 Rules  2", "when status=active bal<20", "fund to $50 · at most $500.00 a day · again after 10m")
	panetest.See(t, s.Line("topup"), "off", "fund to $50", "  2 ", "$80.00", "$0.00 of $500.00")
	panetest.See(t, s.Line("say"), "alert", " 0 ")
	s.Asks(keymap.ReviewRule, state.ReviewRule{Name: "topup"})
	s.Asks(keymap.RuleCards, pane.ShowList{List: settings.CardList, Filter: "status=active bal<20"})
	s.Asks(keymap.ActRule, state.SetRuleMode{Name: "topup", Mode: rule.Act})
	s.Asks(keymap.StopRule, state.SetRuleMode{Name: "topup"})
	s.Asks(keymap.SuggestRule, state.SetRuleMode{Name: "topup", Mode: rule.Suggest})
	a.Do(state.SetRuleMode{Name: "topup", Mode: rule.Suggest})
	a.Wait(10 * time.Second)
	s.Look()
	s.See("2 · 1 suggest")
	panetest.See(t, s.Line("topup"), "suggest")
	s.Asks(keymap.SuggestRule, state.SetRuleMode{Name: "topup"})
	for _, size := range [][2]int{{80, 12}, {40, 8}, {150, 30}} {
		s.SetSize(size[0], size[1])
		s.Look()
		panetest.Rectangle(t, s.View(true), size[0], size[1])
		panetest.See(t, s.Line("topup"), "suggest")
	}
}

// TestTheRuleUnderTheCursorIsDescribed with all its bounds, and why it does nothing now
// comes before what it did last.
func TestTheRuleUnderTheCursorIsDescribed(t *testing.T) {
	t.Parallel()
	a := panetest.New(t, func(c *settings.Config) {
		c.Rules = []rule.Rule{
			{Name: "stop", When: "decl7>20", Action: rule.Freeze, MaxActions: 7, Cooldown: time.Hour, Declines: 5, Between: rule.Hours{From: 480, To: 1320}},
			{Name: "topup", When: "bal<20", Action: rule.FundBy, Amount: 50 * api.Dollar, MaxDay: 500 * api.Dollar, MaxCard: 100 * api.Dollar},
		}
	})
	a.Wait(10 * time.Second)
	s := panetest.Open(t, a, rules.New(panetest.Theme(t)), 150, 16)
	s.See("freeze · 7 cards a day · again after 1h · 08:00-22:00 · not from 5 declines on")
	panetest.See(t, s.Line("stop"), "0 of 7")
	s.Act(keymap.Down)
	s.See("when bal<20", "fund by $50 · at most $500.00 a day · $100.00 a card")
	s.SeeNot("again after", "declines on")
	r, _ := a.Store.Rules.Get("topup")
	r.Last, r.LastAt = "3 of 3 done", a.Store.Now().Add(-time.Minute)
	s.Look()
	s.See("last: 3 of 3 done, ")
	r.Paused = "max_per_day reached"
	s.Look()
	panetest.See(t, s.Line("topup"), "max_per_day reached")
	s.SeeNot("last: 3 of 3")
}

// TestAPrivateScreenHidesAmounts of the rules.
func TestAPrivateScreenHidesAmounts(t *testing.T) {
	t.Parallel()
	a := account(t)
	s := panetest.Open(t, a, rules.New(panetest.Theme(t)), 150, 16)
	a.Wait(10 * time.Second)
	a.Do(kernel.TogglePrivacy{})
	s.Look()
	s.SeeNot("500.00", "80.00", "bal<20")
}

// TestWithoutRulesThePaneSaysHowToAddOne instead of a row.
func TestWithoutRulesThePaneSaysHowToAddOne(t *testing.T) {
	t.Parallel()
	a := panetest.New(t)
	a.Wait(0)
	s := panetest.Open(t, a, rules.New(panetest.Theme(t)), 120, 14)
	s.See("no rules: add [[rules]] to the configuration", " [[rules]] ", ` name = "topup" `, ` when = "status=active left<1d" `, ` fund_by = "100" `, ` max_per_day = "500" `)
	if strings.Contains(s.Line("name ="), "when") {
		t.Errorf("the example is one line:\n%s", s.Text())
	}
	s.Asks(keymap.NewRule, kernel.Say{Level: kernel.Info, Text: "add [[rules]] to the configuration; cardtop doctor shows the file, docs/CONFIG.md every setting"})
	s.SetSize(40, 8)
	s.Look()
	panetest.Rectangle(t, s.View(true), 40, 8)
}
