//go:build long

package e2e

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/cardtop/cardtop/state/news"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui"
)

func TestACodeIsAnnouncedWhileNobodyLooks(t *testing.T) {
	t.Parallel()
	story(t, options{change: notifying(settings.NotifyTerminal)}, func(d *driver) {
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
	for level, want := range map[settings.NotifyLevel][2]bool{settings.NotifyOff: {false, false}, settings.NotifyBell: {true, false}, settings.NotifyTerminal: {true, true}} {
		story(t, options{change: notifying(level)}, func(d *driver) {
			c := d.pick()
			d.prog.Send(tea.BlurMsg{})
			d.wait(time.Second)
			got := d.sentSince(func() {
				d.challenge(c.id, "Acme", "918273", 64.5)
				d.wait(4 * time.Second)
			})
			if bell, note := strings.Contains(got, "\a"), strings.Contains(got, "\x1b]9;"); bell != want[0] || note != want[1] {
				t.Errorf("level %s: bell %v, notification %v", level, bell, note)
			}
		})
	}
}

func TestEveryEventIsHandedOn(t *testing.T) {
	t.Parallel()
	var (
		mu   sync.Mutex
		seen []news.News
	)
	hear := func(c *ui.Config) {
		c.Announce = func(n news.News) {
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
		c.Announce = func(n news.News) {
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
			if n.Kind == news.Code {
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

func TestTheDesktopShowsACodeWhileNobodyLooks(t *testing.T) {
	t.Parallel()
	at := &desk{}
	story(t, options{change: func(c *ui.Config) { c.Notify, c.Desktop = settings.NotifyDesktop, at.show }}, func(d *driver) {
		c := d.pick()
		d.challenge(c.id, "Acme", "918273", 64.5)
		d.wait(3 * time.Second)
		if got := at.shown(); got != "" {
			t.Errorf("shown to somebody who looks: %q", got)
		}
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		away := d.sentSince(func() {
			d.challenge(c.id, "Other", "564738", 64.5)
			d.wait(4 * time.Second)
		})
		if got := at.shown(); got != "code ready · card "+c.last4+" · Other" {
			t.Errorf("shown: %q", got)
		}
		if strings.Contains(away, "\x1b]9;") || strings.Count(away, "\a") != 1 {
			t.Errorf("the terminal shows it too: %q", away)
		}
		d.prog.Send(tea.FocusMsg{})
		d.wait(time.Second)
		d.press("P")
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		d.challenge(c.id, "Third", "777888", 64.5)
		d.wait(4 * time.Second)
		if got := at.shown(); !strings.HasSuffix(got, "\ncode ready") {
			t.Errorf("on a private screen: %q", got)
		}
	})
}

func TestTheTerminalShowsWhatTheDesktopDoesNot(t *testing.T) {
	t.Parallel()
	at := &desk{err: errors.New("no such service")}
	story(t, options{change: func(c *ui.Config) { c.Notify, c.Desktop = settings.NotifyDesktop, at.show }}, func(d *driver) {
		c := d.pick()
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		for i, want := range []int{1, 1, 2} {
			if i == 2 { // Who has been back asks the desktop again.
				d.prog.Send(tea.FocusMsg{})
				d.prog.Send(tea.BlurMsg{})
			}
			merchant := fmt.Sprint("Shop ", i)
			sent := d.sentSince(func() {
				d.challenge(c.id, merchant, "918273", 64.5)
				d.wait(4 * time.Second)
			})
			if strings.Count(sent, "\x1b]9;cardtop: code ready · card "+c.last4+" · "+merchant+"\a") != 1 {
				t.Errorf("%s: %q", merchant, sent)
			}
			if n := len(strings.Split(at.shown(), "\n")); n != want {
				t.Errorf("%s: the desktop was asked %d times, want %d", merchant, n, want)
			}
		}
	})
	// The setting may leave the desktop out.
	off := &desk{}
	story(t, options{change: func(c *ui.Config) { c.Notify, c.Desktop = settings.NotifyTerminal, off.show }}, func(d *driver) {
		c := d.pick()
		d.prog.Send(tea.BlurMsg{})
		d.wait(time.Second)
		sent := d.sentSince(func() {
			d.challenge(c.id, "Acme", "918273", 64.5)
			d.wait(4 * time.Second)
		})
		if off.shown() != "" || !strings.Contains(sent, "\x1b]9;") {
			t.Errorf("shown %q, sent %q", off.shown(), sent)
		}
	})
}
