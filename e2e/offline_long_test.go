//go:build long

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/keymap"
)

// stopped is a server whose process is stopped: it takes requests, answers none,
// and gets to all of them when it goes on, whoever still waits.
type stopped struct {
	goesOn chan struct{}
	ends   <-chan struct{}
}

func stop(t *testing.T, g *gate) *stopped {
	t.Helper()
	s := &stopped{make(chan struct{}), t.Context().Done()}
	g.set(s.way)
	return s
}

func (s *stopped) way(r *http.Request, server http.RoundTripper) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
	}
	kept := r.Clone(context.WithoutCancel(r.Context()))
	kept.Body = io.NopCloser(bytes.NewReader(body))
	select {
	case <-s.goesOn:
		return server.RoundTrip(kept)
	case <-r.Context().Done():
		go func() {
			select {
			case <-s.goesOn:
			case <-s.ends:
				return
			}
			if res, err := server.RoundTrip(kept); err == nil {
				_ = res.Body.Close() // Nobody reads it.
			}
		}()
		return nil, context.Cause(r.Context())
	}
}

// goOn lets the server go on.
func (s *stopped) goOn(g *gate) {
	g.set(nil)
	close(s.goesOn)
}

// TestAFundTypedWhileOfflineIsRefused types it while the server is stopped.
func TestAFundTypedWhileOfflineIsRefused(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {40, 12}} {
		troubled(t, options{w: size[0], h: size[1]}, func(d *driver, g *gate) {
			c := d.pick()
			server := stop(d.t, g)
			d.wait(20 * time.Second)
			d.see("OFFLINE")
			d.press("+")
			d.reads(": not sent, try again when live")
			d.press("5", "enter", "+")
			d.wait(3 * time.Minute)
			server.goOn(g)
			d.wait(time.Minute)
			if n := d.calls.count("/fund"); n != 0 || d.balance(c.id) != money(c.balance) {
				t.Errorf("%v: %d requests, it holds %s", size, n, d.balance(c.id))
			}
			d.press("+")
			d.see("amount  $")
		})
	}
}

// TestAReviewThatGoesOfflineSaysFromWhenItsFiguresAre has the server stop before
// the yes, and go on.
func TestAReviewThatGoesOfflineSaysFromWhenItsFiguresAre(t *testing.T) {
	t.Parallel()
	troubled(t, options{}, func(d *driver, g *gate) {
		c := d.pick()
		d.press("+", "5", "0", "enter")
		d.see("Cancel", "Fund $50.00")
		d.seeNot("stale")
		read := clock()
		server := stop(d.t, g)
		d.wait(20 * time.Second)
		d.see("OFFLINE", "offline since ", "not sent, try again when live", "stale: figures of "+read.Local().Format("15:04"), money(c.balance)+" → "+money(c.balance+50))
		d.press("+", "tab")
		d.wait(time.Second)
		d.press("+")
		d.wait(time.Second)
		d.see("▸Cancel")
		server.goOn(g)
		d.wait(12 * time.Second)
		d.see("Fund $50.00")
		d.seeNot("stale", "nothing is sent")
		d.press("+")
		d.wait(time.Second)
		if n := d.calls.count("/fund"); n != 1 || d.balance(c.id) != money(c.balance+50) {
			t.Errorf("%d requests, it holds %s", n, d.balance(c.id))
		}
	})
}

// TestAReviewOfAServerThatFailsSaysFromWhenItsFiguresAre may be confirmed.
func TestAReviewOfAServerThatFailsSaysFromWhenItsFiguresAre(t *testing.T) {
	t.Parallel()
	troubled(t, options{}, func(d *driver, g *gate) {
		d.pick()
		g.set(only(func(p string) bool { return !strings.HasSuffix(p, "/fund") }, refusal(503, "down", "maintenance")))
		d.wait(40 * time.Second)
		d.press("+", "5", "0", "enter")
		d.see("late", "stale: figures of ", "Fund $50.00")
		d.wait(time.Second)
		d.press("+")
		d.wait(time.Second)
		d.requests(1, "/fund")
	})
}

// TestAFundThatActsLateIsToldUntilItIsDismissed sends it to a server that has
// just stopped and goes on while it is still asked for, or long after.
func TestAFundThatActsLateIsToldUntilItIsDismissed(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		after time.Duration
		told  []string
	}{
		{time.Minute, []string{"confirmed late, asked for at ", "funded ", "with $5.00", "esc dismisses it"}},
		{10 * time.Minute, []string{"the fund of $5.00 of ", " and never confirmed, seems to have acted: card ", "x settles it", "esc dismisses it"}},
	} {
		t.Run(fmt.Sprint(x.after), func(t *testing.T) {
			t.Parallel()
			troubled(t, options{}, func(d *driver, g *gate) {
				c := d.pick()
				d.press("+", "5", "enter")
				d.wait(time.Second)
				server := stop(d.t, g)
				d.press("+")
				d.wait(12 * time.Second)
				d.see("sent but unconfirmed", "1 unconfirmed")
				d.seeNot("sending…")
				d.send("\x1b[O") // Nobody looks.
				d.wait(x.after)
				server.goOn(g)
				d.wait(10 * time.Minute)
				d.send("\x1b[I")
				d.wait(time.Second)
				if got := d.balance(c.id); got != money(c.balance+5) {
					t.Fatalf("it holds %s", got)
				}
				for _, told := range x.told {
					d.reads(told)
				}
				d.see("● live")
				for _, size := range [][2]int{{100, 30}, {80, 24}, {40, 12}} {
					d.resize(size[0], size[1])
					d.reads("esc dismisses")
					d.see(c.last4) // The row under the cursor is in sight.
					d.fits(size[0], size[1])
				}
				d.resize(160, 45)
				d.press("esc") // It clears the filter first.
				for _, told := range x.told {
					d.reads(told)
				}
				d.press("esc")
				d.seeNot("esc dismisses it")
			})
		})
	}
}

// TestOnlyFreezingIsTriedWhileOffline presses every key that writes.
func TestOnlyFreezingIsTriedWhileOffline(t *testing.T) {
	t.Parallel()
	troubled(t, options{cards: 12}, func(d *driver, g *gate) {
		g.set(fails(errRefused))
		d.wait(10 * time.Second)
		d.see("OFFLINE")
		from := clock()
		for _, b := range keymap.Defaults() {
			if !b.Has(keymap.NeedWrite) || len(b.Keys) == 0 || b.Context == keymap.Webhooks || b.Context == keymap.BINs || b.Context == keymap.Rules || b.Context == keymap.Team {
				continue
			}
			d.wait(time.Second)
			d.press("1", b.Keys[0])
			switch b.Action {
			case keymap.Freeze:
				continue
			case keymap.Undo:
				d.see("cannot undo")
			case keymap.ResumeBulk:
				d.see("nothing was interrupted")
			default:
				d.see("offline since ", "not sent, try again when live")
			}
			for _, yes := range []string{"5", "enter", "tab", "enter"} {
				d.wait(800 * time.Millisecond)
				d.press(yes)
			}
			d.press("esc", "esc", "1", "esc", "esc") // Where nothing asked, the keys opened screens.
		}
		for _, s := range g.since(from) {
			if !isRead(s.path) && !strings.HasSuffix(s.path, "/freeze") {
				t.Errorf("%s was sent", s.path)
			}
		}
		g.set(nil)
		d.reaches("live screen", 5*time.Second, shows("● live"))
	})
}

// isRead tells whether a path is one that is read.
func isRead(path string) bool {
	for _, end := range []string{"/fund", "/withdraw", "/freeze", "/unfreeze"} {
		if strings.HasSuffix(path, end) {
			return false
		}
	}
	return true
}
