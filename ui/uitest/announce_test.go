package uitest

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui"
)

// sentSince gives what the terminal was sent while something happened.
func (d *driver) sentSince(do func()) string {
	d.t.Helper()
	before := len(d.term.sent())
	do()
	return d.term.sent()[before:]
}

func notifying(level ui.Notify) func(*ui.Config) {
	return func(c *ui.Config) { c.Notify = level }
}

func TestACodeIsAnnouncedWhileNobodyLooks(t *testing.T) {
	t.Parallel()
	story(t, options{change: notifying(ui.NotifyTerminal)}, func(d *driver) {
		c := d.pick()
		looked := d.sentSince(func() {
			d.challenge(c.id, "Acme", "918273", 64.5)
			d.wait(3 * time.Second)
		})
		if strings.Contains(looked, "\x1b]9;") || strings.Contains(looked, "\a") {
			t.Error("announced to somebody who looks")
		}
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		away := d.sentSince(func() {
			d.challenge(c.id, "Acme", "564738", 64.5)
			d.wait(4 * time.Second)
		})
		want := "\a\x1b]9;cardtop: new code ready · card " + c.last4 + " · Acme\a"
		if strings.Count(away, want) != 1 {
			t.Errorf("no %q in %q", want, away)
		}
		if at := strings.Index(away, "\x1b]9;"); at >= 0 && strings.Contains(away[at:at+len(want)], "564738") {
			t.Error("the code is in the notification")
		}
		d.prog.Send(tea.FocusMsg{})
		d.wait(time.Second)
		d.press("P")
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		hidden := d.sentSince(func() {
			d.challenge(c.id, "Acme", "777888", 64.5)
			d.wait(4 * time.Second)
		})
		if !strings.Contains(hidden, "\a\x1b]9;cardtop: new code ready\a") {
			t.Errorf("with everything hidden: %q", hidden)
		}
		d.prog.Send(tea.FocusMsg{})
		d.wait(time.Second)
		back := d.sentSince(func() {
			d.challenge(c.id, "Acme", "111222", 64.5)
			d.wait(3 * time.Second)
		})
		if strings.Contains(back, "\x1b]9;") {
			t.Error("announced after the return")
		}
	})
}

func TestTheSettingSaysHowFarAnEventReaches(t *testing.T) {
	t.Parallel()
	for level, want := range map[ui.Notify][2]bool{ui.NotifyOff: {false, false}, ui.NotifyBell: {true, false}, ui.NotifyTerminal: {true, true}} {
		story(t, options{change: notifying(level)}, func(d *driver) {
			c := d.pick()
			d.prog.Send(tea.BlurMsg{})
			d.wait(time.Second)
			got := d.sentSince(func() {
				d.challenge(c.id, "Acme", "918273", 64.5)
				d.wait(4 * time.Second)
			})
			if bell, note := strings.Contains(got, "\a"), strings.Contains(got, "\x1b]9;"); bell != want[0] || note != want[1] {
				t.Errorf("level %d: bell %v, notification %v", level, bell, note)
			}
		})
	}
}

func TestEveryEventIsHandedOn(t *testing.T) {
	t.Parallel()
	var (
		mu   sync.Mutex
		seen []state.News
	)
	hear := func(c *ui.Config) {
		c.Announce = func(n state.News) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, n)
		}
	}
	story(t, options{change: hear}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme", "918273", 64.5)
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": c.id, "type": "authorization", "amount": 12.5, "merchant": "Acme"})
		d.wait(5 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		var lines []string
		for _, n := range seen {
			lines = append(lines, n.Line())
			if strings.Contains(n.Line()+n.ID+n.Text, "918273") {
				t.Errorf("the code is in %+v", n)
			}
		}
		got := strings.Join(lines, "\n")
		for _, want := range []string{"code ready · card " + c.last4 + " " + c.label + " · Acme · $64.50", "authorization · card " + c.last4 + " " + c.label + " · Acme · $12.50"} {
			if strings.Count(got, want) != 1 {
				t.Errorf("no %q in %s", want, got)
			}
		}
	})
}

func TestEventsAreHandedOnInTheirOrder(t *testing.T) {
	t.Parallel()
	var (
		mu      sync.Mutex
		running int
		seen    []string
	)
	hear := func(c *ui.Config) {
		c.Announce = func(n state.News) {
			mu.Lock()
			running++
			if running > 1 {
				t.Errorf("%d events are handed on at once", running)
			}
			mu.Unlock()
			<-time.After(4 * time.Second)
			mu.Lock()
			defer mu.Unlock()
			running--
			if n.Kind == state.NewsCode {
				seen = append(seen, string(n.Merchant))
			}
		}
	}
	story(t, options{change: hear}, func(d *driver) {
		c := d.pick()
		for _, merchant := range []string{"One", "Two", "Three"} {
			d.challenge(c.id, merchant, "918273", 64.5)
			d.wait(2 * time.Second)
		}
		d.wait(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(seen, " "); got != "One Two Three" {
			t.Errorf("handed on: %s", got)
		}
	})
}
