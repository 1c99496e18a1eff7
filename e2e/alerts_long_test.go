//go:build long

package e2e

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state/alert"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

func TestAlertScreens(t *testing.T) {
	t.Parallel()
	alerts := func(w, h int) options { return options{w: w, h: h, change: alerting} }
	screensOf(t, alerts, []screen{{"alerts", []string{"A", "j", "z", "space", "k"}}})
}

// TestAlertLinesAreSetInTheFile of a card that alerts, of its campaign and of all.
func TestAlertLinesAreSetInTheFile(t *testing.T) {
	t.Parallel()
	f := &settingsFile{text: "# mine\n[alerts]\ncards_below = \"410\" # enough\n"}
	o := options{settings: f, change: func(c *ui.Config) {
		c.Store.Reload(settings.Reloadable{Alerts: alert.Rules{Cards: 410 * api.Dollar}})
	}}
	story(t, o, func(d *driver) {
		c := d.pick()
		d.press("A")
		for range 60 {
			if strings.Contains(d.cursor(), c.last4) {
				break
			}
			d.press("j")
		}
		d.press("e")
		d.see("Alert lines", "for", "below $        410.00", "lasts h        0", "declines %     never", "spike times    0", "enter save")
		d.press("enter")
		d.see("no changes yet")
		d.press("tab", "backspace", "x", "enter")
		d.see("an amount in USD", "below $        x") // What was filled in is replaced.
		d.press("backspace", "5", "0")
		f.wrong = errors.New("save settings: the disk is full")
		d.press("enter")
		d.wait(time.Second)
		d.see("save settings: the disk is full", "below $        50")
		f.wrong = nil
		d.press("enter")
		d.wait(time.Second)
		d.seeNot("Alert lines")
		if want := "# mine\n[alerts]\ncards_below = \"410\" # enough\n\n[alerts.low]\n" + c.id + " = \"50.00\"\n"; f.text != want {
			t.Errorf("the file is\n%s\nnot\n%s", f.text, want)
		}
		d.seeNot("••"+c.last4+" ", "$400.00, below $410.00")
		d.press("esc", "i")
		d.see("below $        50.00", "lasts h        1", "declines %     15, 25")
		d.press("space")
		d.see("campaign ", "lasts h        6", "spike times    3")
		d.seeNot("below $")
		d.press("space", "tab", "tab", "tab", "tab", "backspace", "1", "2", "enter")
		d.wait(time.Second)
		if !strings.Contains(f.text, "# enough\ncampaign_hours = 12\n") {
			t.Errorf("the file is\n%s", f.text)
		}
	})
}

func TestAlertLinesScreens(t *testing.T) {
	t.Parallel()
	of := func(w, h int) options {
		o := insight(w, h)
		o.settings = &settingsFile{}
		return o
	}
	atEachSize(t, of, func(d *driver) {
		d.press("i", "tab", "tab", "tab", "x", "enter")
		d.drawn("alert-lines")
	})
}

// TestAlertLinesNeedAFile and say so.
func TestAlertLinesNeedAFile(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("A", "e", "tab", "backspace", "1", "enter")
		d.wait(time.Second)
		d.see("for            ◂ all ▸", "there is no configuration file")
	})
}

func TestInsightScreens(t *testing.T) {
	t.Parallel()
	atEachSize(t, insight, func(d *driver) {
		d.wait(5 * time.Minute) // The month is read.
		d.misuse()
		d.press("A", "j")
		d.wait(1150 * time.Millisecond)
		d.drawn("insight")
	})
}

func TestTheAlertsSayWhatRaisesThem(t *testing.T) {
	t.Parallel()
	story(t, options{w: 80, h: 24}, func(d *driver) {
		d.press("A")
		d.see("no alerts", "wallet never · cards never · runs out never · declines never", "new countries never · deposits never",
			"worst first, then newest · e edits these thresholds")
	})
	rules := func(c *ui.Config) {
		c.Store.Reload(settings.Reloadable{Alerts: alert.Rules{Wallet: 13000 * api.Dollar}})
	}
	story(t, options{w: 80, h: 24, change: rules}, func(d *driver) {
		d.press("A")
		d.see("$12,480.22, below $13,000.00", "set by alerts.wallet_below")
	})
	story(t, options{w: 80, h: 24, change: func(c *ui.Config) {
		c.Store.Reload(settings.Reloadable{Alerts: alert.Rules{Wallet: 500 * api.Dollar, Declines: true, Deposit: time.Hour}})
	}}, func(d *driver) {
		d.press("A")
		d.see("wallet below $500.00 · cards never · runs out never · declines · storms never", "deposits pending over 1h")
		d.press("P")
		d.see("wallet below $•••")
	})
}

func TestALowBalanceIsShownUntilTheCardIsFunded(t *testing.T) {
	t.Parallel()
	rules := func(c *ui.Config) {
		c.Store.Reload(settings.Reloadable{Alerts: alert.Rules{Low: []alert.Own[api.USD]{{Of: "9194", Line: 410 * api.Dollar}}}})
	}
	story(t, options{change: rules}, func(d *driver) {
		d.pick()
		d.see("! 1 alert")
		d.press("A")
		d.see("1 Alerts  1", "✗ low balance", "••9194", "$400.00, below $410.00")
		d.press("P")
		d.see("1 Alerts  1", "✗ low balance")
		d.seeNot("400.00", "410.00", "9194")
		d.press("P")
		d.see("$400.00, below $410.00")
		d.press("z")
		d.see("1 Alerts  0 · 1 seen or snoozed", "until ")
		d.seeNot("! 1 alert")
		d.wait(time.Second)
		d.press("z", "+", "5", "0", "enter")
		d.wait(time.Second)
		d.press("+")
		d.wait(11 * time.Second)
		d.see("clears at $451")
		d.press("+", "2", "enter")
		d.wait(time.Second)
		d.press("+")
		d.wait(11 * time.Second)
		d.see("no alerts")
		d.seeNot("! 1 alert")
		d.press("esc")
		d.see("1 Cards")
	})
}

func TestADeclineIsShownUntilSomebodyHasSeenIt(t *testing.T) {
	t.Parallel()
	story(t, options{change: alerting}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "decline", "amount": 12.5, "merchant": "Acme", "decline_reason": "insufficient_balance"})
		d.wait(4 * time.Second)
		d.press("A")
		d.see("✗ declined", "$12.50 at Acme")
		for range 20 {
			if strings.Contains(d.cursor(), "declined") {
				break
			}
			d.press("j")
		}
		d.press("space")
		d.seeNot("$12.50 at Acme  ")
	})
}

// TestTheListShowsHowMuchOfTheirLimitsCardsUsed once somebody chose the column,
// and alerts to who crossed a threshold.
func TestTheListShowsHowMuchOfTheirLimitsCardsUsed(t *testing.T) {
	t.Parallel()
	columns := []settings.ShownColumn{{Name: "label"}, {Name: "card"}, {Name: "limit"}, {Name: "balance"}}
	chosen := func(c *settings.Config) {
		c.Views = map[settings.ListName]settings.View{settings.CardList: {Columns: columns}}
	}
	alerting := func(c *ui.Config) {
		c.Alerts.Limit = []int{75, 90, 100}
		c.Store.Reload(c.Reloadable)
	}
	story(t, options{store: chosen, change: alerting, w: 100, h: 40, cards: 8}, func(d *driver) {
		c := d.pick()
		d.wait(10 * time.Second)
		d.see(" 0 % ") // The month has just begun.
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "settlement", "amount": 40, "merchant": "Acme"})
		d.api(http.MethodPatch, "/cards/"+c.id, map[string]any{"spending_limit": 50})
		asked := d.calls.count("GET /v1/cards/")
		d.wait(90 * time.Second)
		d.see(" 80 %")
		if n := d.calls.count("GET /v1/cards/") - asked; n > 3 {
			t.Errorf("%d requests for one limit", n)
		}
		d.press("A")
		d.see("limit used", "80 % of $50.00, $40.00 this month", "alerts.limit_percent")
		d.press("esc", "P")
		d.wait(time.Second)
		d.seeNot("80 %")
	})
}

// TestThePlanForIdleCardsSaysWhatItLeavesOut has a card with money frozen before the plan is opened from the alert.
func TestThePlanForIdleCardsSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	o := spender(160, 45)
	o.store = func(c *settings.Config) { c.SpendHourly, c.Alerts = 1000, alert.Rules{Idle: 24 * time.Hour} }
	story(t, o, func(d *driver) {
		d.wait(time.Minute)
		d.press("f")
		d.wait(2 * time.Second)
		d.press("A", "enter")
		d.wait(time.Second)
		d.see("without frozen cards: 2 cards hold $442.88", "  idle 1d  -")
	})
}
