package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// hints gives the keys in the last line of the screen.
func (d *driver) hints() string {
	lines := strings.Split(strings.TrimRight(d.screen(), "\n "), "\n")
	return lines[len(lines)-1]
}

// offers looks for keys among those in the last line of the screen.
func (d *driver) offers(want bool, keys ...string) {
	d.t.Helper()
	for _, key := range keys {
		if got := strings.Contains(d.hints(), key); got != want {
			d.t.Errorf("offers %q: %t, in %q", key, got, d.hints())
		}
	}
}

func TestTheFootSaysWhatEnterDoesOnAGroup(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.offers(true, "enter inspect", "f freeze")
		d.press("z", "3")
		d.offers(true, "enter fold", "space select", "f freeze", "+ fund")
		d.offers(false, "inspect", "y copy", "r reveal")
		d.press("enter")
		d.offers(true, "enter unfold")
		d.press("r")
		d.see("enter unfolds")
		d.press("esc", "enter", "j")
		d.offers(true, "enter inspect", "f freeze")
		// With a selection the keys act on that, wherever the cursor is.
		d.press("space", "k", "k")
		d.offers(true, "f freeze", "enter fold")
	})
}

func TestTheFootSaysWhatEnterDoesOnAStorm(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		for range 4 {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "decline", "amount": 7, "merchant": "Corner Shop", "decline_reason": "category_not_allowed"})
		}
		d.wait(10 * time.Second)
		d.press("3")
		d.see("×4")
		d.offers(true, "enter unfold")
		d.press("enter")
		d.offers(true, "enter open")
	})
}

func TestTheFootOffersOnlyWhatCanAct(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("w")
		d.wait(2 * time.Second)
		d.see("no webhooks: ")
		d.offers(true, "n register")
		d.offers(false, "delete", "copy URL")
		d.register("https://hooks.example.com/t0ken")
		d.see("Webhook registered")
		d.press("esc", "esc")
		d.seeNot("Webhook registered")
		d.wait(10 * time.Second)
		d.offers(true, "n register", "ctrl+x delete", "y copy URL")
		d.press("H")
		d.wait(time.Second)
		d.see("subscribe", "webhook hooks")
		d.offers(true, "/ filter")
		d.offers(false, "enter card", "f freeze", "r reveal", "+ fund")
		d.press("r")
		d.see("no card here")
		d.press("esc", "esc")
		d.pick()
		d.press("f")
		d.wait(10 * time.Second)
		d.press("H", "g")
		d.offers(true, "enter card", "f freeze", "r reveal", "+ fund")
	})
}
