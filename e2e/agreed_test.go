package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestTheFiguresAgreedToStayWhileItIsSent lets the server act, keep the answer,
// and tell the new balances to who asks for them meanwhile.
func TestTheFiguresAgreedToStayWhileItIsSent(t *testing.T) {
	t.Parallel()
	waits := func(d *driver, route string, keys ...string) {
		d.wait(4 * time.Second) // Card and wallet are read again before it times out.
		d.trouble(route, "commit_then_timeout", 2, 9000)
		d.press(keys...)
		d.wait(8 * time.Second)
		d.see("sending…")
	}
	t.Run("fund", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			c := d.pick()
			before, after := money(c.balance), money(c.balance+25)
			d.press("+", "2", "5", "enter")
			d.wait(time.Second)
			d.see(before + " → " + after)
			waits(d, fundRoute, "+")
			d.see(before+" → "+after, "$12,480.22 → $12,455.22", "updated: card "+after+", wallet $12,455.22")
			d.seeNot(after + " → ")
		})
	})
	t.Run("fund up to a balance", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.press("+", "=")
			d.write("1000")
			d.see(money(c.balance) + " → $1,000.00")
			d.press("enter")
			d.wait(time.Second)
			waits(d, fundRoute, "+")
			d.see(money(c.balance)+" → $1,000.00", "moves "+money(1000-c.balance), "updated: card $1,000.00")
		})
	})
	t.Run("terminate", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.press("ctrl+x")
			d.wait(time.Second)
			d.write(c.last4)
			d.press("tab")
			d.wait(time.Second)
			waits(d, "DELETE /cards/{card_id}", "enter")
			d.see("refund    "+money(c.balance), "$12,480.22 → ", "updated: ")
		})
	})
	t.Run("undo of a freeze", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.pick()
			d.press("f")
			d.wait(12 * time.Second)
			d.press("u")
			d.wait(time.Second)
			d.see("frozen → active")
			waits(d, "POST /cards/{card_id}/unfreeze", "u")
			d.see("frozen → active")
		})
	})
	t.Run("issue", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.newForm("50")
			d.press("enter")
			d.wait(time.Second)
			d.press("tab")
			d.wait(time.Second)
			waits(d, issueRoute, "enter")
			d.see("$12,480.22 → $12,430.22", "updated: wallet $12,430.22")
			d.seeNot("$12,380.22")
		})
	})
	t.Run("at every width", func(t *testing.T) {
		t.Parallel()
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			story(t, options{w: size[0], h: size[1]}, func(d *driver) {
				d.pick()
				d.press("+", "2", "5", "enter")
				d.wait(time.Second)
				waits(d, fundRoute, "+")
				if text := strings.Join(strings.Fields(d.screen()), " "); !strings.Contains(text, "updated: card $") {
					t.Errorf("%v:\n%s", size, d.screen())
				}
			})
		}
	})
}
