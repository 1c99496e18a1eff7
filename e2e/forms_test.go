package e2e

import (
	"math"
	"net/http"
	"strings"
	"time"
)

// fault makes the sandbox fail on a route.
func (d *driver) fault(route, kind string, times int) {
	d.t.Helper()
	d.control(http.MethodPost, "/sandbox/faults", map[string]any{"route": route, "kind": kind, "times": times})
}

// newForm opens the form of a new card with a BIN and an amount in it.
func (d *driver) newForm(amount string) {
	d.t.Helper()
	d.wait(700 * time.Millisecond)
	d.press("n")
	d.see("Choose a BIN")
	d.press("enter")
	d.write(amount)
	d.see("Issue a card", "424242  visa")
}

// cents rounds what adding floats makes of an amount.
func cents(v float64) float64 { return math.Round(v*100) / 100 }

// confirmed presses the button that does it.
func (d *driver) confirmed() {
	d.t.Helper()
	d.wait(time.Second)
	d.press("tab")
	d.wait(time.Second)
	d.press("enter")
	d.wait(time.Second)
}

// giveUp waits until an unconfirmed write is asked for no more. Nobody
// watches meanwhile, so that less is polled.
func (d *driver) giveUp() {
	d.t.Helper()
	d.send("\x1b[O")
	d.wait(130 * time.Second)
	d.send("\x1b[I")
	d.wait(time.Second)
}

// drain empties the wallet as another client would.
func (d *driver) drain(besides string) {
	d.t.Helper()
	for _, c := range objects(d.t, d.api(http.MethodGet, "/cards?per_page=100&status=active", nil)["data"]) {
		left, ok := d.api(http.MethodGet, "/wallet/balance", nil)["balance"].(float64)
		if !ok {
			d.t.Fatal("no balance")
		}
		if id := text(d.t, c["id"]); id != besides && left > 1 {
			d.api(http.MethodPost, "/cards/"+id+"/fund", map[string]any{"amount": min(left, 5000)})
		}
	}
}

// reads fails unless a text is on the screen, over however many lines.
func (d *driver) reads(text string) {
	d.t.Helper()
	if !strings.Contains(strings.Join(strings.Fields(d.screen()), " "), text) {
		d.t.Fatalf("the screen lacks %q:\n%s", text, d.screen())
	}
}
