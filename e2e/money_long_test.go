//go:build long

package e2e

import (
	"cmp"
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

// TestAmountsThatAreNone types what is no amount, or none that can be sent,
// where one is asked for beside the fund and the new card: it is said at the
// field, what was typed stays, and nothing is sent.
func TestAmountsThatAreNone(t *testing.T) {
	t.Parallel()
	fields := []struct {
		name string
		open []string
		most string // what is said of more than there is; empty where it may be
	}{
		{"withdraw", []string{"-"}, "short"},
		{"each of several", []string{"space", "space", "+"}, ""}, // The plan says it of each row.
		{"limit", []string{"e", "tab"}, ""},
	}
	cases := []struct{ typed, want string }{
		{"1.234", "more than two decimals"},
		{"1,000", "comma"},
		{"€5", "no currency sign"},
		{"-5", "minus"},
		{"1e3", "no exponent"},
		{"1 0", "digits are not grouped"},
		{"5000.01", ""},
	}
	for _, f := range fields {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			story(t, options{}, func(d *driver) {
				for _, tt := range cases {
					want := cmp.Or(tt.want, f.most)
					if want == "" {
						continue
					}
					d.press("esc", "esc", "esc", "g")
					d.wait(time.Second)
					d.press(f.open...)
					for range 12 { // What stands there, such as the limit.
						d.press("backspace")
					}
					d.write(tt.typed)
					d.press("enter")
					d.see(want, tt.typed)
					d.seeNot("▸Cancel")
					d.wait(time.Second)
					d.press("enter")
					d.see(tt.typed)
					d.seeNot("▸Cancel")
				}
				if n := d.calls.count("POST ") + d.calls.count("PATCH "); n != 0 {
					t.Errorf("%d writes", n)
				}
			})
		})
	}
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
		if n := d.calls.count("POST "); n != 0 {
			t.Errorf("%d writes:\n%s", n, d.screen())
		}
		d.press("j", "f")
		d.wait(time.Second)
		if n := d.calls.count("POST "); n != 1 {
			t.Errorf("%d writes once the cursor was moved", n)
		}
	})
}
