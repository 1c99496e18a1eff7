package node_test

import (
	"net/http"
	"strings"
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

// spend has a card pay.
func (w *world) spend(card, amount string) {
	w.t.Helper()
	w.upstream(http.MethodPost, "/sandbox/transactions", `{"card_id":"`+card+`","type":"settlement","amount":`+amount+`,"merchant":"Acme"}`)
}

// wallet is what the service says the wallet holds.
func (w *world) wallet() float64 {
	f, _ := w.upstream(http.MethodGet, "/v1/wallet/balance", "")["balance"].(float64)
	return f
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

// TestLeadersThatDieInTheMiddleOfAnActionFundOnce stops each leader in the middle of a
// funding: it acted, and nobody was told. Whatever the caps leave is funded once, and
// nothing above them is.
func TestLeadersThatDieInTheMiddleOfAnActionFundOnce(t *testing.T) {
	hubs(t, func(w *world) {
		is := topup()
		is.MaxDay = 60 * api.Dollar
		w.rules = []rule.Rule{is}
		var cards []string
		for range 4 {
			cards = append(cards, w.card("fb/a"))
		}
		before := w.wallet()
		members := []*member{w.join(), w.join()}
		for round := range 6 {
			leader := members[round%2]
			held := leader.holdNext()
			w.spend(cards[round%len(cards)], "5")
			select {
			case <-held: // The service has acted, and the leader is not told.
			case <-time.After(3 * time.Minute): // The caps leave nothing.
			}
			leader.sever(true)
			wait(12 * time.Second)
			leader.release()
			leader.sever(false)
			wait(2 * time.Minute)
		}
		moved := before - w.wallet()
		if moved != 60 {
			w.t.Errorf("the rule moved %v, a day has 60: 40 at first, and 5 in four of six rounds", moved)
		}
		if keys, sum := w.log(); sum != moved {
			w.t.Errorf("the log has %d fundings of %v in all, the service moved %v", keys, sum, moved)
		}
		for _, card := range cards {
			if got := w.balance(card); got > 60 {
				w.t.Errorf("a card has %v, more than it is funded to", got)
			}
		}
	})
}

// TestARuleThatFailsIsTold has the service refuse what a rule does.
func TestARuleThatFailsIsTold(t *testing.T) {
	hubs(t, func(w *world) {
		w.rules = []rule.Rule{topup()}
		a := w.join()
		a.mu.Lock()
		a.refuse = true
		a.mu.Unlock()
		w.card("fb/a")
		wait(10 * time.Minute)
		if _, writes := a.count(); writes != 3 {
			w.t.Errorf("it was tried %d times", writes)
		}
		if said := a.told(); !strings.Contains(said, "rule topup: stopped after 3 failures") {
			w.t.Errorf("it says %q", said)
		}
		w.want(a.ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"paused":"stopped after 3 failures`)
	})
}

// TestARuleThatStoppedStaysSoOverATakeover until a person has it on again; and one that a
// person had off stays off.
func TestARuleThatStoppedStaysSoOverATakeover(t *testing.T) {
	hubs(t, func(w *world) {
		w.rules = []rule.Rule{topup()}
		members := []*member{w.join(), w.join()}
		refuse := func(is bool) {
			for _, m := range members {
				m.mu.Lock()
				m.refuse = is
				m.mu.Unlock()
			}
		}
		refuse(true)
		card := w.card("fb/a")
		wait(10 * time.Minute)
		refuse(false)
		takeover := func(from, to *member, paused string) {
			t.Helper()
			from.sever(true)
			wait(12 * time.Second)
			from.sever(false)
			wait(5 * time.Minute)
			w.want(to.ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"mode":"off","paused":"`+paused)
		}
		takeover(members[0], members[1], "stopped after 3 failures")
		if _, writes := members[1].count(); writes != 0 || w.balance(card) != 50 {
			t.Errorf("the next leader wrote %d times, the card has %v", writes, w.balance(card))
		}
		if said := members[1].told(); !strings.Contains(said, "rule topup: stopped after 3 failures") {
			t.Errorf("it says %q", said)
		}
		w.want(members[0].ask(http.MethodPost, "/hub/v1/rules/none", `{"on":true}`, ""), 404, "not_found")
		w.want(members[0].ask(http.MethodPost, "/hub/v1/rules/topup", `{"on":true}`, ""), 200, `"on":true`)
		wait(time.Minute)
		w.want(members[0].ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"mode":"act","paused":""`)
		if got := w.balance(card); got != 60 {
			t.Errorf("on again, the card has %v", got)
		}
		w.want(members[0].ask(http.MethodPost, "/hub/v1/rules/topup", `{"on":false}`, ""), 200, `"on":false`)
		w.spend(card, "5")
		takeover(members[1], members[0], "turned off by ann")
		takeover(members[0], members[1], "turned off by ann")
		if got := w.balance(card); got != 55 {
			t.Errorf("off, the card has %v", got)
		}
		w.want(members[0].ask(http.MethodPost, "/hub/v1/rules/topup", `{"on":true}`, ""), 200, "")
		members[1].sever(true)
		wait(2 * time.Minute)
		w.want(members[0].ask(http.MethodGet, "/hub/v1/rules", "", ""), 200, `"mode":"act"`)
		if got := w.balance(card); got != 60 {
			t.Errorf("on over a takeover, the card has %v", got)
		}
	})
}
