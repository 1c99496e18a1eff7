package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

// TestOneCountOfDeclinesOf24Hours is on the screen of the causes and on that of spending, and it is the server's of 24 hours
// and what has passed of the hour.
func TestOneCountOfDeclinesOf24Hours(t *testing.T) {
	t.Parallel()
	story(t, spender(160, 45), func(d *driver) {
		d.wait(5 * time.Second)
		var from time.Time
		d.inside(func(s *state.Store) { from = s.ServerNow().Add(-24 * time.Hour).Truncate(time.Hour) })
		q := url.Values{"type": {"decline"}, "per_page": {"100"}, "from": {from.Format(time.RFC3339)}}
		rows, ok := d.api(http.MethodGet, "/transactions?"+q.Encode(), nil)["data"].([]any)
		if !ok || len(rows) == 0 || len(rows) == 100 {
			t.Fatalf("%d declines", len(rows))
		}
		d.press("X")
		d.see(fmt.Sprintf("1 Declines  %d in 24 h", len(rows)))
		d.press("esc", "$")
		if line := d.line("│ declined "); !strings.Contains(line, fmt.Sprintf(" %d of ", len(rows))) {
			t.Errorf("%d were declined, the screen says %s", len(rows), line)
		}
	})
}

// TestCausesAreReadWhileTheyAreCounted: in the end all declines have the API's reason, also several of one card.
func TestCausesAreReadWhileTheyAreCounted(t *testing.T) {
	t.Parallel()
	story(t, options{w: 120, h: 40}, func(d *driver) {
		c := d.pick()
		for i := range 6 {
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "decline", "amount": 1 + i, "merchant": "Corner Shop", "decline_reason": "category_not_allowed"})
			d.wait(time.Minute)
		}
		d.press("X")
		d.see("reading causes: ")
		d.wait(2 * time.Minute)
		d.seeNot("reading causes", "cause not known", "likely")
		d.see("category blocked")
	})
}

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
