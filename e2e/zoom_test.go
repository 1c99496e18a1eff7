package e2e

import (
	"strings"
	"testing"
)

// TestAPaneIsZoomed to all of the screen, where the others are tabs, and back.
func TestAPaneIsZoomed(t *testing.T) {
	t.Parallel()
	story(t, options{w: 200, h: 50}, func(d *driver) {
		d.see("2 Codes", "4 Wallet", "5 Spending")
		d.press("3", "m")
		d.fits(200, 50)
		if line := d.line("▸3 Transactions"); !strings.HasPrefix(line, "╭▸3") || len([]rune(line)) != 200 {
			t.Errorf("the transactions are not as wide as the screen: %q", line)
		}
		d.see("zoomed, m shows all panes", " 5 Spending ")
		d.press("5")
		d.see("╭▸5 Spending")
		d.press("H")
		d.see("╭▸1 History", " 1 History  2 Codes")
		d.seeNot("5 Spending")
		d.press("esc")
		d.see("╭▸5 Spending")
		d.press("1", "n") // The codes stay in sight beside a dialog.
		d.fits(200, 50)
		d.press("esc", "esc", "m")
		d.see("╭▸1 Cards", "2 Codes", "5 Spending")
		d.seeNot("zoomed")
		d.resize(80, 24)
		d.press("m")
		d.see("the whole screen already")
		d.seeNot("zoomed")
	})
}
