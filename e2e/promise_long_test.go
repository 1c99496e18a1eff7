//go:build long

package e2e

import (
	"net/http"
	"testing"
	"time"
)

// elsewhere funds another card with 1,000 USD, as another client would.
func (d *driver) elsewhere() {
	d.t.Helper()
	cards := objects(d.t, d.api(http.MethodGet, "/cards?per_page=1&status=active&sort=balance&order=asc", nil)["data"])
	d.api(http.MethodPost, "/cards/"+text(d.t, cards[0]["id"])+"/fund", map[string]any{"amount": 1000})
}

func TestAnotherClientsFundIsSeenInTheQuestionOrFlaggedInTheAnswer(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("+", "5", "0", "enter")
		d.see("$12,480.22 → $12,430.22")
		d.elsewhere()
		d.press("+")
		d.see("funded "+c.name+" with $50.00", "wallet $11,430.22", "but the preview said wallet $12,430.22")
		d.wait(15 * time.Second)

		d.press("+", "5", "0")
		d.see("$11,430.22 → $11,380.22")
		d.elsewhere()
		d.press("enter") // The review reads both anew.
		d.see("Cancel", "$10,430.22 → $10,380.22")
		d.press("+")
		d.see("balances just changed", "$10,430.22 → $10,380.22")
		d.wait(time.Second)
		d.press("+")
		d.see("funded "+c.name+" with $50.00", "wallet $10,380.22")
		d.seeNot("the preview said")
		d.requests(2, "/fund")
		d.press("H", "down")
		d.see("wallet $11,430.22 (shown as $12,430.22)")
	})
}

// TestMoneyIsConfirmedWhileAPlanRuns answers a question while rows of a plan are
// answered every moment.
func TestMoneyIsConfirmedWhileAPlanRuns(t *testing.T) {
	t.Parallel()
	story(t, options{cards: 120}, func(d *driver) {
		id := d.lastCard()
		digits := text(t, d.api(http.MethodGet, "/cards/"+id, nil)["last4"])
		d.choose(100)
		d.trouble(fundRoute, "latency", 1000, 400)
		d.press("+", "5", "enter", "tab", "enter", "esc", "esc", "/")
		d.write(digits)
		d.press("enter", "+", "5", "0", "enter")
		d.see("Cancel", "bulk ")
		before := d.balances()[id]
		d.press("+")
		d.seeNot("balances just changed", "Cancel")
		d.wait(500 * time.Millisecond)
		d.see("bulk ") // It runs still.
		if now := d.balances()[id]; now != before+5000 {
			t.Errorf("it holds %d, and held %d", now, before)
		}
	})
}
