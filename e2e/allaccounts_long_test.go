//go:build long

package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/nighttest"
)

// TestAllAccountsAreOnOneScreen with what waits in each, and a code of another account
// is one key away.
func TestAllAccountsAreOnOneScreen(t *testing.T) {
	t.Parallel()
	story(t, options{others: true}, func(d *driver) {
		card, name := d.others["team"].card()
		d.others["team"].challenge(card, "Meta Platforms", "482913", 25)
		d.wait(time.Minute)
		if n := d.others["team"].calls.count("GET"); n != 0 {
			t.Fatalf("%d requests of an account that nobody looks at", n)
		}
		d.press("W")
		d.see("@ all")
		d.press("@")
		d.wait(8 * time.Second)
		d.see("1 Accounts  3 · ", "✓  demo", "SANDBOX", "TEST read-only", "$25.00 Meta Platforms")
		d.seeNot("482913", "482 913")
		d.press("o")
		d.wait(time.Second)
		d.onClipboard("482913")
		d.see("✓ code of team · " + name + ", Meta Platforms $25.00 copied")
		// A newer one of the account on the screen comes first.
		d.challenge(d.pick().id, "Acme Store", "111222", 5)
		d.press("@")
		d.wait(2 * time.Second)
		d.press("o")
		d.wait(time.Second)
		d.onClipboard("111222")
		d.press("g", "y")
		d.wait(time.Second)
		d.onClipboard("482913")
		d.press("enter")
		if to := d.ends(); to == nil || to.Name != "team" {
			t.Errorf("it ends for %+v", to)
		}
	})
}

// TestABrokenAccountIsOneRow whose key is refused, does not answer, or cannot be read.
func TestABrokenAccountIsOneRow(t *testing.T) {
	t.Parallel()
	for name, breaks := range map[string]struct {
		gate func(r *http.Request, server http.RoundTripper) (*http.Response, error)
		key  string
		says string
	}{
		"401":     {refusal(401, "unauthorized", "invalid key"), "", "key refused"},
		"timeout": {nil, "", "OFFLINE since"},
		"keyring": {nil, "the keyring is locked", "the keyring is locked"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, options{others: true}, func(d *driver) {
				broken := d.others["agency"]
				if broken.locked = breaks.key; breaks.gate != nil {
					broken.gate.set(breaks.gate)
				}
				var server *stopped
				if name == "timeout" {
					server = stop(d.t, broken.gate)
				}
				d.press("@")
				d.wait(30 * time.Second)
				if row := d.line("agency"); !strings.Contains(row, breaks.says) {
					t.Errorf("%s\n%s", row, d.screen())
				}
				if row := d.line(" team"); !strings.Contains(row, "live") || !strings.Contains(row, "$") {
					t.Errorf("%s\n%s", row, d.screen())
				}
				d.see("✓  demo", "● live")
				if server != nil {
					server.goOn(broken.gate)
				}
				broken.locked = ""
				broken.gate.set(nil)
				d.press("r")
				d.wait(40 * time.Second)
				if row := d.line("agency"); !strings.Contains(row, "live") {
					t.Errorf("%s\n%s", row, d.screen())
				}
			})
		})
	}
}

// TestALockedOrClosedScreenForgetsTheKeysOfOthers and asks them for nothing.
func TestALockedOrClosedScreenForgetsTheKeysOfOthers(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"L", "esc", "1"} {
		story(t, options{others: true}, func(d *driver) {
			d.press("@")
			d.wait(5 * time.Second)
			d.press(key)
			d.wait(5 * time.Second)
			team := d.others["team"]
			asked := team.calls.count("")
			if !team.key.IsZero() || asked == 0 {
				t.Errorf("%s: the key is held, %d requests", key, asked)
			}
			d.wait(2 * time.Minute)
			if n := team.calls.count(""); n != asked {
				t.Errorf("%s: %d requests of a screen that nobody sees", key, n-asked)
			}
			d.press("enter") // Unlocks.
			d.press("1", "@")
			d.wait(5 * time.Second)
			if n := team.calls.count(""); n == asked || team.key.IsZero() {
				t.Errorf("%s: it is not followed again", key)
			}
		})
	}
}

// TestAnotherAccountStaysWithinItsHour for an hour on the screen.
func TestAnotherAccountStaysWithinItsHour(t *testing.T) {
	t.Parallel()
	story(t, options{others: true, w: 80, h: 24}, func(d *driver) {
		d.press("@")
		minutes := nighttest.Times(10, 60)
		for range minutes / 5 { // Nothing locks a screen in the stories.
			d.wait(5 * time.Minute)
		}
		for name, o := range d.others {
			n := o.calls.count("") * 60 / minutes
			if t.Logf("%s: %d requests an hour", name, n); n > 1000 || n < 700 {
				t.Errorf("%s: %d requests an hour", name, n)
			}
		}
	})
}
