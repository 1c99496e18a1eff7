package e2e

import (
	"net/http"
	"testing"
	"time"
)

// TestADeclineIsExplainedAndItsKeyHelps folds three retries into a row, opens it and
// the last of them, and presses the key that it tells.
func TestADeclineIsExplainedAndItsKeyHelps(t *testing.T) {
	t.Parallel()
	story(t, options{w: 120, h: 40}, func(d *driver) {
		c := d.pick()
		for range 3 {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "decline", "amount": 4900, "merchant": "Corner Shop", "decline_reason": "insufficient_balance"})
			d.wait(5 * time.Second)
		}
		d.press("3", "/")
		d.write("corner")
		d.press("enter", "g")
		d.see("✗ declined ×3")
		d.press("enter")
		d.seeNot("×3")
		d.press("enter")
		d.wait(2 * time.Second)
		d.see("1 Transaction", "declined   ", "balance too low", "because", "asked $4,900.00", "to do", "+ fund $")
		d.press("+")
		d.see("Fund ")
	})
}
