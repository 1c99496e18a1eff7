package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

// TestWhatTakesLongSaysSo opens what has to be read: at first nothing is said,
// then a sign moves until it is there.
func TestWhatTakesLongSaysSo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ route, key, what string }{
		{"GET /bins", "b r", "reading the BINs"},
		{"GET /wallet/deposit-address", "d", "reading the addresses"},
		{"GET /webhooks", "w", "reading the webhooks"},
		{"GET /cards/{card_id}/details", "r", "reading the number"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			story(t, options{}, func(d *driver) {
				d.pick()
				d.trouble(c.route, "latency", 1, 2000)
				d.press(strings.Fields(c.key)...)
				d.seeNot(c.what)
				d.wait(400 * time.Millisecond)
				d.see(c.what)
				first := d.line(c.what)
				d.wait(300 * time.Millisecond)
				if next := d.line(c.what); next == first {
					t.Errorf("the sign stands still: %s", next)
				}
				d.wait(3 * time.Second)
				d.seeNot(c.what)
				if strings.ContainsAny(d.screen(), "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
					t.Error("the sign stays")
				}
			})
		})
	}
}

// TestWhatIsReadByItselfSaysNothing looks at a card while a slow server is asked
// for it again.
func TestWhatIsReadByItselfSaysNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("enter")
		d.wait(2 * time.Second)
		d.trouble("GET /cards/{card_id}", "latency", 9, 2000)
		for range 40 {
			d.wait(500 * time.Millisecond)
			d.seeNot("reading the card")
		}
	})
}

// TestReducedMotionHasNoSpinner waits for a slow read with details revealed: what
// moves are seconds, as text.
func TestReducedMotionHasNoSpinner(t *testing.T) {
	t.Parallel()
	story(t, options{change: func(c *ui.Config) { c.Motion = settings.MotionReduced }}, func(d *driver) {
		d.pick()
		d.press("r")
		d.see("hides in")
		d.seeNot("━")
		d.press("r", "r")
		d.trouble("GET /bins", "latency", 1, 4000)
		d.press("b", "r")
		d.wait(time.Second)
		d.see("… reading the BINs")
		frames, last := 0, ""
		d.term.mu.Lock()
		d.term.watch = func(text string) {
			if text != last {
				frames, last = frames+1, text
			}
		}
		d.term.mu.Unlock()
		d.wait(2 * time.Second)
		d.term.mu.Lock()
		d.term.watch = nil
		d.term.mu.Unlock()
		if frames > 2*3 { // The time of codes, and what is read besides.
			t.Errorf("%d changes in two seconds", frames)
		}
		if strings.ContainsAny(d.screen(), "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") {
			t.Error("a sign moves")
		}
	})
}
