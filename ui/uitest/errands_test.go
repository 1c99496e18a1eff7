package uitest

import (
	"strings"
	"testing"
	"time"
)

// TestWhatTakesLongSaysSo opens what has to be read: at first nothing is said,
// then a sign moves until it is there.
func TestWhatTakesLongSaysSo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ route, key, what string }{
		{"GET /bins", "b", "reading the BINs"},
		{"GET /wallet/deposit-address", "d", "reading the addresses"},
		{"GET /webhooks", "w", "reading the webhooks"},
		{"GET /cards/{card_id}/details", "r", "reading the number"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			story(t, options{}, func(d *driver) {
				d.pick()
				d.trouble(c.route, "latency", 1, 2000)
				d.press(c.key)
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
