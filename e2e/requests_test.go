package e2e

import (
	"strings"
	"testing"
	"time"
)

func TestTheRequestLogShowsRoutesAndFailures(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("r")
		d.wait(time.Second)
		d.fault("POST /cards/{card_id}/freeze", "rate_limit", 1)
		d.press("f")
		d.wait(time.Second)
		d.press("ctrl+r", "/")
		d.write("card_id")
		d.press("enter")
		d.see("1 Requests  / card_id", "GET", "/cards/{card_id}/details", "1 + details", "1 failed", "✗ 429", "req_")
		d.seeNot(c.id) // The template, not the path.
		d.press("esc", "/")
		d.write("failed")
		d.press("enter")
		if row := d.cursor(); !strings.Contains(row, "POST") || !strings.Contains(row, "/freeze") {
			t.Errorf("the failure is not found: %s", row)
		}
		d.see("the API's rate limit is reached")
		d.press("y")
		d.see("request id copied")
		if got := d.board.Text(); !strings.HasPrefix(got, "req_") {
			t.Errorf("copied %q", got)
		}
		d.press("c")
		d.see("the request as a curl command copied")
		if got := d.board.Text(); !strings.Contains(got, ` | curl -K - -X POST "$CARDTOP_BASE_URL/cards/${CARD_ID:?}/freeze"`) || strings.Contains(got, testKey) || strings.Contains(got, c.id) {
			t.Errorf("copied %q", got)
		}
		d.press("esc")
		d.see("live")
		// Off the first row it holds still while others come in.
		d.press("j", "j")
		row := d.cursor()
		d.seeNot(" · live")
		d.wait(5 * time.Second)
		if got := d.cursor(); got[:60] != row[:60] {
			t.Errorf("the cursor was on %s and is on %s", row, got)
		}
		d.press("esc")
		d.see("1 Cards")
	})
}

func TestARequestWithoutAnAnswerIsMarked(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("ctrl+r")
		d.calls.setDown(true)
		d.wait(3 * time.Second)
		d.see("✗ lost", "failed")
	})
}
