//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestWhatOneResourceLacksIsSaidOfIt breaks one resource at a time: its pane
// says how old it is once three intervals are missed and not before, and the
// others go on.
func TestWhatOneResourceLacksIsSaidOfIt(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		pane, path string
		every      time.Duration
	}{
		{"1 Cards", "/v1/cards", 10 * time.Second},
		{"2 Codes", "/v1/3ds", time.Second},
		{"3 Transactions", "/v1/transactions", 3 * time.Second},
		{"4 Wallet", "/v1/wallet/balance", 10 * time.Second},
	} {
		t.Run(x.pane, func(t *testing.T) {
			t.Parallel()
			troubled(t, options{cards: 12}, func(d *driver, g *gate) {
				// Right after a good answer.
				for from := clock().Add(time.Nanosecond); len(d.asked(g, x.path, from)) == 0; {
					d.wait(10 * time.Millisecond)
				}
				read := clock()
				g.set(only(func(p string) bool { return p == x.path }, refusal(503, "down", "maintenance")))
				d.wait(3*x.every - 200*time.Millisecond)
				if foot := d.foot(x.pane); strings.Contains(foot, "STALE") {
					t.Errorf("before three intervals are missed it ends in %s", foot)
				}
				d.wait(2200 * time.Millisecond)
				for _, title := range panesOf() {
					if stale := strings.Contains(d.foot(title), "STALE"); stale != (title == x.pane) {
						t.Errorf("%v after an answer %s ends in %s", clock().Sub(read), title, d.foot(title))
					}
				}
				d.see("late", "the API failed (503): maintenance")
				d.seeNot("● live")
				// What is read goes on.
				card := d.active()
				d.charge(card, 0, 1)
				d.challenge(card, "Acme Store", "482913", 25)
				d.wait(3500 * time.Millisecond)
				if x.path != "/v1/3ds" {
					d.see("482 913")
				}
				if x.path != "/v1/transactions" {
					d.see("Store No0 ")
				}
				g.set(nil)
				d.reaches("fresh screen", 31*time.Second, fresh)
				d.see("482 913", "Store No0 ", "1 Cards  12")
			})
		})
	}
}

// TestAServerThatSaysForHowLongIsLeftAlone is told to wait in seconds and by a
// date, which is the server's and not this machine's.
func TestAServerThatSaysForHowLongIsLeftAlone(t *testing.T) {
	t.Parallel()
	const pause = 20 * time.Second
	for name, told := range map[string]func() string{
		"seconds": func() string { return fmt.Sprint(int(pause / time.Second)) },
		"a date":  func() string { return clock().UTC().Add(pause).Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fast := &machine{t: t}
			fast.set(10 * time.Minute)
			troubled(t, options{cards: 12, now: fast.now}, func(d *driver, g *gate) {
				from, until := time.Time{}, time.Time{}
				g.set(func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
					if until.IsZero() {
						from, until = clock().Add(time.Nanosecond), clock().Add(pause)
					}
					return refusal(429, "rate_limited", "slow down", "Retry-After", told())(r, server)
				})
				d.wait(1500 * time.Millisecond)
				at := "limited, retry " + fast.now().Add(until.Sub(clock())).UTC().Format("15:04:")
				d.see(at, "the API's rate limit is reached")
				card := d.active()
				d.challenge(card, "Acme Store", "482913", 25)
				d.charge(card, 0, 3)
				g.set(nil)
				d.wait(until.Sub(clock()))
				d.see("◷ limited, ", "STALE", "1 Cards  12")
				for _, s := range g.since(from) {
					if s.at.Before(until) {
						t.Errorf("to be left alone until %v, it was asked for %v", until, s)
					}
				}
				back := clock()
				d.reaches("code that came meanwhile", 3*time.Second, shows("482 913"))
				d.codesFirst(g, back)
				d.reaches("fresh screen", 5*time.Second, fresh)
				d.whole(3)
			})
		})
	}
}

// TestACardThatVanishedIsSaidToBeGone asks for a card that another program
// removed: first its parts are unknown to the server, then the list lacks it.
func TestACardThatVanishedIsSaidToBeGone(t *testing.T) {
	t.Parallel()
	troubled(t, options{cards: 12}, func(d *driver, g *gate) {
		c := d.pick()
		d.press("esc")
		g.set(func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
			switch {
			case strings.Contains(r.URL.Path, c.id), r.URL.Query().Get("card_id") == c.id:
				return refusal(404, "not_found", "no such card")(r, server)
			case r.URL.Path == "/v1/cards":
				return without(c.id)(r, server)
			}
			return server.RoundTrip(r)
		})
		gone := "the API does not know it: no such card"
		d.press("enter")
		d.see("1 Card  "+c.name, "not loaded: "+gone, "● live")
		for key, want := range map[string]string{
			"r": "cannot read the details of " + c.name + ": " + gone,
			"y": "cannot read the details of " + c.name + ": " + gone,
			"f": "freeze of " + c.name + " not done: " + gone,
		} {
			d.wait(time.Second)
			d.press(key)
			d.see(want, "● live")
			d.seeNot("freezing…", "reading the details…")
		}
		if n := d.board.Copies(); n != 0 {
			t.Errorf("%d copies of what is not known", n)
		}
		d.press("esc")
		d.see(c.label)
		d.resize(40, 12)
		d.reaches("list without the card", 11*time.Minute, func(s string) bool { return !strings.Contains(s, c.last4) })
		d.resize(160, 45)
		d.see("1 Cards  11")
	})
}
