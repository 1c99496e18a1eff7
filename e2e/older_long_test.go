//go:build long

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

func TestScrollingDownReadsThePastToItsBeginning(t *testing.T) {
	t.Parallel()
	const txns = 2000
	story(t, options{txns: txns, w: 100, h: 30}, func(d *driver) {
		d.wait(5 * time.Second)
		day, asked := d.held(), d.calls.count("GET /v1/transactions")
		if day < 100 || day > txns-600 {
			t.Fatalf("%d of %d at the start", day, txns)
		}
		d.press("3", "ctrl+f")
		if n := d.held(); n != day {
			t.Errorf("%d more are read far from the end", n-day)
		}
		d.press("G")
		if n := d.held(); n != day+100 {
			t.Errorf("the end reads %d more", n-day)
		}
		bought := d.pickAny()
		d.control(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": bought, "type": "settlement", "amount": 3.5, "merchant": "Late Shop"})
		pages := 1
		for d.line("no older transactions") == "" {
			if pages++; pages > txns/100+2 {
				t.Fatalf("no end after %d pages:\n%s", pages, d.screen())
			}
			d.press("G")
			d.wait(time.Second)
		}
		d.see(clock().Add(-5 * 24 * time.Hour).Format("│ _2 ")) // The day, of what is not of this one.
		if n := d.held(); n != txns+1 {
			t.Errorf("%d are held of %d", n, txns+1)
		}
		polls := 2 * pages // one every three seconds, of a page
		if n := d.calls.count("GET /v1/transactions") - asked; n > pages+polls {
			t.Errorf("%d requests for %d pages", n, pages)
		}
		before := d.calls.count("GET /v1/transactions")
		d.press("j", "j", "j")
		if n := d.calls.count("GET /v1/transactions") - before; n > 1 {
			t.Errorf("%d requests behind the beginning", n)
		}
		d.press("g")
		d.see("Late Shop")
	})
}

func TestTheWheelReadsThePastToo(t *testing.T) {
	t.Parallel()
	story(t, options{txns: 2000, w: 100, h: 30}, func(d *driver) {
		d.wait(5 * time.Second)
		day := d.held()
		d.press("3", "/")
		d.write("nowhere")
		d.press("enter")
		d.send("\x1b[<65;10;20M") // over the feed
		d.wait(time.Second)
		if n := d.held(); n != day+100 {
			t.Errorf("a notch at the end reads %d more\n%s", n-day, d.screen())
		}
	})
}

func TestAFilterGoesOnIntoThePast(t *testing.T) {
	t.Parallel()
	story(t, options{txns: 2000}, func(d *driver) {
		d.wait(5 * time.Second)
		d.press("3", "/")
		d.write("!type=declined age>30h")
		d.press("enter")
		d.see("no transaction matches · back to", "↓ loads more · esc")
		for range 5 {
			d.press("down")
			d.wait(time.Second)
		}
		d.seeNot("no transaction matches")
		d.calls.setDown(true)
		d.press("G")
		d.wait(time.Second)
		d.see("older: the API does not answer", "↓ retries")
		d.calls.setDown(false)
		d.wait(time.Second) // A page a second.
		at := d.found()
		d.press("G")
		d.wait(time.Second)
		if n := d.found(); n != at+100 {
			t.Errorf("%d more", n-at)
		}
	})
}

// TestAnOldMatchIsFoundInAFewRequests looks for the one refund that a merchant
// made long ago, as far behind the feed as the account goes.
func TestAnOldMatchIsFoundInAFewRequests(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	story(t, options{txns: 6000, exports: dir}, func(d *driver) {
		d.wait(5 * time.Second)
		var oldest map[string]any
		for page := 1; ; page++ {
			rows := objects(t, d.api(http.MethodGet, "/transactions?type=refund&per_page=100&page="+strconv.Itoa(page), nil)["data"])
			if len(rows) > 0 {
				oldest = rows[len(rows)-1]
			}
			if len(rows) < 100 {
				break
			}
		}
		id := text(t, oldest["id"])
		held := d.held()
		spent := d.line("SANDBOX")
		asked := d.calls.count("GET /v1/transactions")
		d.press("3", "/")
		d.write("type=refund")
		d.press("enter")
		d.seeNot("older by the server")
		for range 4 {
			d.press("G")
			d.wait(time.Second)
		}
		d.press("G")
		d.see("+ refund", "older results filtered by type · every", "no older transactions")
		if n := d.calls.count("GET /v1/transactions") - asked; n > 7 {
			t.Errorf("%d requests", n)
		}
		if n := d.held(); n > held+10 {
			t.Errorf("the feed holds %d, was %d", n, held)
		}
		if now := d.line("SANDBOX"); !strings.HasPrefix(now, spent[:60]) {
			t.Errorf("the sums are others:\n%s\n%s", spent, now)
		}
		found := d.found()
		// What only this program can ask is asked of what came back.
		d.press("/")
		d.write(" !/^meta/ country=IE,US")
		d.press("enter")
		if n := d.found(); n != found {
			t.Errorf("%d found, was %d", n, found)
		}
		d.see("older results filtered by type")
		d.press("P")
		d.wait(time.Second)
		d.see("older results filtered by type")
		d.press("P", "esc", "/")
		d.wait(time.Second)
		if n := d.found(); n != 0 {
			t.Errorf("%d are still held", n)
		}
		d.write("type=refund")
		d.press("enter")
		for range 4 {
			d.press("G")
			d.wait(time.Second)
		}
		d.press("G", "enter")
		d.wait(time.Second)
		d.see(id)
		d.press("esc", "3", "E")
		d.wait(time.Second)
		d.press("1")
		d.wait(time.Second)
		paths, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%v, %v", paths, err)
		}
		data, err := os.ReadFile(paths[0])
		must(t, err)
		if n := strings.Count(string(data), "\n"); n <= found {
			t.Errorf("%d lines for %d found rows", n, found)
		}
	})
}

func TestACardsOwnPastGoesOnToo(t *testing.T) {
	t.Parallel()
	story(t, options{cards: 10, txns: 4000}, func(d *driver) {
		d.wait(5 * time.Second)
		card := d.pick()
		d.press("enter")
		d.wait(time.Second)
		for range 20 {
			if d.line("no older activity") != "" {
				break
			}
			d.press("G")
			d.wait(time.Second)
		}
		d.see("no older activity")
		want := 0
		for page := 1; ; page++ {
			rows := objects(t, d.api(http.MethodGet, "/transactions?per_page=100&card_id="+card.id+"&page="+strconv.Itoa(page), nil)["data"])
			if want += len(rows); len(rows) < 100 {
				break
			}
		}
		n := 0
		d.inside(func(s *state.Store) {
			for _, m := range s.Timeline() {
				if m.Kind == state.TimelineTransaction {
					n++
				}
			}
		})
		if n != want || want < 200 {
			t.Errorf("%d of %d", n, want)
		}
	})
}
