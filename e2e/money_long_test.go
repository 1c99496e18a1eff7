//go:build long

package e2e

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAFreezeIsOutAtOnce looks every millisecond whether the request has left.
func TestAFreezeIsOutAtOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.wait(time.Second)
		began := clock()
		d.send("f")
		for d.calls.count("/freeze") == 0 {
			d.wait(time.Millisecond)
			if took := clock().Sub(began); took > 30*time.Millisecond {
				t.Fatalf("no request after %v", took)
			}
		}
		t.Logf("the request was out after %v", clock().Sub(began))
	})
}

// TestTheInspectorShowsWhatWasMoved funds and draws a card, in this run and
// the one before.
func TestTheInspectorShowsWhatWasMoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := options{data: filepath.Join(dir, "world.db"), dir: filepath.Join(dir, "state")}
	synctest.Test(t, func(t *testing.T) {
		d, stop := start(t, o)
		d.wait(2 * time.Second)
		c := d.pick()
		d.press("enter")
		d.seeNot("moved")
		d.press("esc", "+", "5", "0", "enter")
		d.confirmed()
		stop()

		d, stop = start(t, o)
		defer stop()
		d.wait(2 * time.Second)
		d.pick()
		d.press("-", "7", ".", "5", "enter")
		d.confirmed()
		d.press("enter")
		d.wait(time.Second)
		d.see("Card  "+c.name, "moved")
		if line := d.line("moved"); !strings.Contains(line, "-$7.50 ") || strings.Index(line, "-$7.50 ") > strings.Index(line, "+$50.00 ") {
			t.Errorf("%q", line)
		}
		// What is refused moved nothing, and what is done now is there at once.
		d.fault(fundRoute, "rate_limit", 1)
		d.press("+", "3", "3", "enter")
		d.confirmed()
		d.wait(3 * time.Second)
		d.press("esc") // The form covers what the card was used for.
		if strings.Contains(d.line("moved"), "33.00 ") || !strings.Contains(d.line("✗ fund"), " 33.00 ") {
			t.Errorf("%q", d.line("moved"))
		}
		d.press("+", "4", "4", "enter")
		d.confirmed()
		if line := d.line("moved"); strings.Index(line, "+$44.00 ") > strings.Index(line, "-$7.50 ") || !strings.Contains(line, "+$44.00 ") {
			t.Errorf("%q", line)
		}
	})
}

// TestAFeedRowThatLeavesIsNotActedOn names a card anew, so that the row under
// the cursor matches the filter no more: the one in its place is not acted on.
func TestAFeedRowThatLeavesIsNotActedOn(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		one, other := d.pick().id, d.lastCard()
		name := func(id, label string) { d.api(http.MethodPatch, "/cards/"+id, map[string]any{"label": label}) }
		for id, label := range map[string]string{other: "qq/other", one: "qq/one"} {
			name(id, label)
			d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": id, "type": "authorization", "amount": 1, "merchant": "Zz"})
		}
		d.wait(30 * time.Second)
		d.press("3", "/")
		d.write("qq zz")
		d.press("enter", "g")
		under := d.line("▸00:")
		if !strings.Contains(under, "qq/o") || d.line("qq/one") == "" || d.line("qq/other") == "" {
			t.Fatalf("the rows are not there:\n%s", d.screen())
		}
		if strings.Contains(under, "qq/one") {
			name(one, "ww/one")
		} else {
			name(other, "ww/other")
		}
		d.wait(30 * time.Second)
		d.press("f")
		d.wait(time.Second)
		d.see("no card is selected")
		d.requests(0, "POST ")
		d.press("j", "f")
		d.wait(time.Second)
		d.requests(1, "POST ")
	})
}
