package e2e

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/ui"
)

// number gives a card's number as the screen shows it.
func (d *driver) number(id string) string {
	d.t.Helper()
	return grouped(text(d.t, d.api(http.MethodGet, "/cards/"+id+"/details", nil)["pan"]))
}

// grouped is a card number as people read it.
func grouped(pan string) string {
	return strings.Join([]string{pan[:4], pan[4:8], pan[8:12], pan[12:]}, " ")
}

func TestSuspendHidesAndForgetsFirst(t *testing.T) {
	t.Parallel()
	var d *driver
	var seen, copied string
	var screenHeld bool
	stops := 0
	stop := func() error {
		stops++
		<-time.After(time.Second) // Who stops is away for a while; the library relies on it.
		// The terminal shows the shell's screen again.
		sent := d.term.sent()
		seen, screenHeld = sent[strings.LastIndex(sent, "\x1b[?1049h"):], d.board.ScreenHeld()
		_, held := d.vault.Read(api.CardID(copied), 0)
		if held {
			return errors.New("the number is in memory")
		}
		return nil
	}
	story(t, options{change: func(c *ui.Config) { c.Stop = stop }}, func(it *driver) {
		d = it
		must(t, d.board.HoldScreen(t.Context(), true))
		c := d.pick()
		copied = c.id
		number := d.number(c.id)
		d.press("y") // The copy ring keeps the details for a while.
		d.press("r")
		d.see(number)
		d.press("ctrl+z")
		d.wait(2 * time.Second)
		if stops != 1 || screenHeld {
			t.Errorf("stopped %d times, with the screen held %v", stops, screenHeld)
		}
		left := strings.LastIndex(seen, "\x1b[?1049l")
		if left < 0 || !d.board.ScreenHeld() {
			t.Fatal("the terminal was not given to the shell and taken back")
		}
		if onScreen(d.term, seen[:left], number) {
			t.Error("the number is on the screen that is left")
		}
		d.send("j") // The reader of before takes one key along.
		d.reaches("dashboard again", 10*time.Second, shows("● live"))
		d.seeNot(number, "in memory")
		d.press("r")
		d.see(number)
	})
}

func TestWhereNothingCanBeStoppedSuspendSaysSo(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press("ctrl+z")
		d.see("this system cannot suspend a program")
	})
}

// TestTheLastScreenIsBlank quits while a number is shown: what the terminal
// keeps of the dashboard's screen does not hold it.
func TestTheLastScreenIsBlank(t *testing.T) {
	t.Parallel()
	for how, end := range map[string]func(*driver){
		"q":        func(d *driver) { d.press("q") },
		"ctrl+c":   func(d *driver) { d.press("ctrl+c") },
		"a signal": func(d *driver) { d.prog.Quit(); d.wait(time.Second) },
	} {
		story(t, options{}, func(d *driver) {
			c := d.pick()
			number := d.number(c.id)
			d.press("r")
			d.see(number)
			end(d)
			sent := d.term.sent()
			last := strings.LastIndex(sent, "\x1b[?1049l")
			if last < 0 {
				t.Fatalf("%s: the terminal was not given back", how)
			}
			if onScreen(d.term, sent[:last], number, "Transactions") {
				t.Errorf("%s: the dashboard is on the screen that is left", how)
			}
			if _, held := d.vault.Read(api.CardID(c.id), 0); held {
				t.Errorf("%s: the number is in memory", how)
			}
		})
	}
}

// onScreen tells whether a screen that got these bytes shows one of the texts.
func onScreen(like *terminal, sent string, texts ...string) bool {
	like.mu.Lock()
	w, h := like.vt.Size()
	like.mu.Unlock()
	again := newTerminal(w, h)
	if _, err := again.writeRaw([]byte(strings.ReplaceAll(sent, "\n", "\r\n"))); err != nil {
		return true
	}
	left := again.text()
	for _, text := range texts {
		if strings.Contains(left, text) {
			return true
		}
	}
	return false
}

func TestAKeyInAPlainFileIsSaid(t *testing.T) {
	t.Parallel()
	story(t, options{change: func(c *ui.Config) { c.PlainKey = true }}, func(d *driver) { d.see("key in a plain file") })
	story(t, options{}, func(d *driver) { d.seeNot("key in a plain file") })
}
