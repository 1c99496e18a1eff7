package e2e

import (
	"net/http"
	"testing"
	"time"
)

// TestAnExpiredCardIsSeen on its screen, in the list and by the filter, while the API calls it
// active, and is funded only on a second yes.
func TestAnExpiredCardIsSeen(t *testing.T) {
	t.Parallel()
	story(t, options{w: 160, h: 45}, func(d *driver) {
		c := d.pick()
		d.control(http.MethodPost, "/sandbox/cards/"+c.id+"/expire", map[string]any{})
		d.press("enter")
		d.wait(3 * time.Second)
		d.see("expired")
		d.press("esc", "esc", "/")
		d.write("status=expired")
		d.press("enter")
		d.wait(time.Second)
		d.see("1 of 50", "1 expi", c.last4)
		d.press("+")
		d.wait(time.Second)
		d.write("10")
		d.press("enter")
		d.wait(time.Second)
		d.see(" expired on ", "its charges are")
		d.press("+")
		d.wait(time.Second)
		d.see(" expired on ", "Cancel")
		if left := d.api(http.MethodGet, "/cards/"+c.id, nil)["balance"]; left != c.balance {
			t.Errorf("funded at the first yes: %v, before %v", left, c.balance)
		}
		d.press("tab", "enter")
		d.wait(2 * time.Second)
		if left := d.api(http.MethodGet, "/cards/"+c.id, nil)["balance"]; left != c.balance+10 {
			t.Errorf("not funded at the second yes: %v, before %v", left, c.balance)
		}
	})
}
