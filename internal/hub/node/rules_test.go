package node_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/rule"
)

// topup funds every card below 60 to 60, of which cards begin with 50.
func topup() rule.Rule {
	return rule.Rule{
		Name: "topup", When: "bal<60", Action: rule.FundTo, Amount: 60 * api.Dollar, MaxDay: 100 * api.Dollar, MaxCard: 30 * api.Dollar, Cooldown: time.Minute,
	}
}

// TestOnlyTheLeaderRunsRules has two hubs with the same rule.
func TestOnlyTheLeaderRunsRules(t *testing.T) {
	hubs(t, func(w *world) {
		w.rules = []rule.Rule{topup()}
		card := w.card("fb/a")
		a, b := w.join(), w.join()
		wait(time.Minute)
		if _, writes := b.count(); writes > 0 || w.balance(card) != 60 {
			w.t.Errorf("%d writes of the other hub, the card has %v", writes, w.balance(card))
		}
		if _, writes := a.count(); writes != 1 {
			w.t.Errorf("the leader wrote %d times", writes)
		}
		records, err := a.past.Load(10)
		if err != nil || len(records) != 1 || records[0].Rule != "topup" || records[0].By.Name != "" {
			w.t.Errorf("the history has %+v, %v", records, err)
		}
		w.want(b.ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"mode":"act"`)
		w.want(b.ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"moved_day":10`)
	})
}
