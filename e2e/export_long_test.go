//go:build long

package e2e

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

func TestEveryScreenIsExportedAsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		keys []string
		what string
		// lines is how many there are, 0 for any; holds what they hold.
		lines int
		holds []string
	}{
		{[]string{"d"}, "deposits", 9, []string{"time,id,currency,amount,", ",usdt,252.52,", "confirmed"}},
		{[]string{"b", "/", "v", "i", "s", "a", "enter"}, "BINs", 0, []string{"bin,network,", ",visa,"}},
		{[]string{"ctrl+r", "/", "b", "a", "l", "a", "n", "c", "e", "enter"}, "requests", 0, []string{"time,method,route,", ",GET,/wallet/balance,200,"}},
		{[]string{"A"}, "alerts", 0, []string{"since,alert,card,", ",wallet low,", ",low balance,card_"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			story(t, options{exports: dir, change: alerting}, func(d *driver) {
				d.press(c.keys...)
				d.wait(time.Second)
				text := d.exported(dir, c.what)
				if n := strings.Count(text, "\n"); n < 2 || c.lines > 0 && n != c.lines {
					t.Errorf("%d lines", n)
				}
				for _, part := range c.holds {
					if !strings.Contains(text, part) {
						t.Errorf("it lacks %q: %s", part, text)
					}
				}
				if c.what == "BINs" && strings.Contains(text, "mastercard") || c.what == "requests" && strings.Contains(text, "/cards") {
					t.Errorf("it holds what is not shown: %s", text)
				}
			})
		})
	}
}

func TestWebhooksAreExportedWithoutTheirSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{exports: dir}, func(d *driver) {
		d.press("w", "E")
		d.see("nothing to export")
		d.register("https://hooks.example.com/a")
		d.press("y")
		secret := d.board.Text()
		d.press("esc")
		text := d.exported(dir, "webhooks")
		if !strings.HasPrefix(text, "id,url,events,active,created\n") || !strings.Contains(text, ",https://hooks.example.com/a,deposit.confirmed,true,") {
			t.Errorf("wrote %s", text)
		}
		if secret == "" || strings.Contains(text, secret) || strings.Contains(text, "whsec_") {
			t.Errorf("%q is in it: %s", secret, text)
		}
	})
}

// TestAnExportOfAnAgeReadsTheRestFirst exports two weeks while a day is held.
func TestAnExportOfAnAgeReadsTheRestFirst(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{txns: 3000, exports: dir}, func(d *driver) {
		d.wait(5 * time.Second)
		day, want := d.held(), d.since(clock().Add(-14*24*time.Hour))
		if want < day+500 {
			t.Fatalf("%d of %d are held at the start", day, want)
		}
		d.press("3", "/")
		d.write("age<14d")
		d.press("enter", "E", "1")
		d.see("Reading older transactions", "esc")
		for range 60 {
			if d.line("written to ") != "" {
				break
			}
			d.wait(time.Second)
		}
		d.see("written to " + dir)
		name, text := d.written(dir)
		if n := strings.Count(text, "\n") - 1; n != want || strings.Contains(name, "partial") {
			t.Errorf("%d rows of %d in %s", n, want, name)
		}
	})
}

// TestAnExportThatIsStoppedSaysWhatItLacks ends the reading in the middle, once
// with what there is and once without a file.
func TestAnExportThatIsStoppedSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{txns: 3000, exports: dir}, func(d *driver) {
		d.wait(5 * time.Second)
		d.press("3", "/")
		d.write("age<14d")
		d.press("enter", "E", "1")
		d.see("Reading older transactions")
		d.press("esc")
		d.seeNot("Reading older transactions")
		asked := d.calls.count("GET /v1/transactions")
		d.wait(10 * time.Second)
		if n := d.calls.count("GET /v1/transactions") - asked; n > 5 {
			t.Errorf("%d pages are read after it was stopped", n)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Fatalf("%v, %v", files, err)
		}
		d.press("E", "1")
		d.wait(400 * time.Millisecond)
		d.press("enter")
		d.see("written to "+dir, "partial")
		name, text := d.written(dir)
		var back time.Time
		d.inside(func(s *state.Store) { back = s.Past.State("").Back })
		if want := "-partial-since-" + back.Format(time.DateOnly) + ".csv"; !strings.HasSuffix(name, want) {
			t.Errorf("%s is to end in %s", name, want)
		}
		if n := strings.Count(text, "\n") - 1; n != d.held() {
			t.Errorf("%d rows of %d", n, d.held())
		}
	})
}

// TestAListThatGoesOnIsExportedAsPartial exports the feed as it is held.
func TestAListThatGoesOnIsExportedAsPartial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{txns: 3000, exports: dir}, func(d *driver) {
		d.wait(5 * time.Second)
		d.press("3", "E")
		d.see("space")
		d.press("1")
		d.see("written to "+dir, "partial")
		if name, _ := d.written(dir); !strings.Contains(name, "-partial-since-") {
			t.Error(name)
		}
	})
}
