package uitest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSixHoursOfOutageOnTheScreen leaves the program running through six hours
// without a network, in which the account is used.
func TestSixHoursOfOutageOnTheScreen(t *testing.T) {
	t.Parallel()
	const (
		hours = 6 * time.Hour
		every = 4 * time.Minute
	)
	troubled(t, options{cards: 12, w: 40, h: 12}, func(d *driver, g *gate) {
		card := d.active()
		g.set(fails(errNoHost))
		began := clock()
		d.wait(10 * time.Second)
		d.see("wallet $12,480.22   ✗ OFFLINE", "STALE ")
		d.resize(39, 11) // out of the way
		charges := int(hours / every)
		for i := range charges {
			d.charge(card, i, i+1)
			d.wait(every)
		}
		d.resize(40, 12)
		d.see("wallet $12,480.22   ✗ OFFLINE", "STALE 6h")
		if n := len(g.since(began)); n > int(hours/time.Hour)*1600 {
			t.Errorf("%d requests in %v without a network", n, hours)
		}
		d.resize(160, 45)
		d.see("✗ OFFLINE since "+began.UTC().Format("15:04"), "the API does not answer (api.example.com: no such host) (since "+began.UTC().Format("15:04"), "1 Cards  12")
		d.feet("STALE 6h")
		d.recovers(g, card, func() { g.set(nil) }, 5*time.Second, true)
		d.reaches("fresh screen", 5*time.Second, fresh)
		d.see("1 Cards  12", "3 Transactions  live")
		// The list of what came meanwhile, page after page of the screen.
		d.press("3")
		seen, store := map[string]int{}, regexp.MustCompile(`Store No(\d+) `)
		for last := ""; last != d.screen(); {
			last = d.screen()
			for _, l := range strings.Split(last, "\n") {
				if found := store.FindStringSubmatch(l); found != nil {
					seen[found[1]]++
				}
			}
			d.send(pageDown)
			d.wait(250 * time.Millisecond)
		}
		for i := range charges {
			if seen[fmt.Sprint(i)] == 0 {
				t.Errorf("the charge of store %d is lost", i)
			}
		}
	})
}

// pageDown is what a terminal sends for that key.
const pageDown = "\x1b[6~"

// TestPagesThatShiftUnderTheReaderLoseNothing issues and charges cards between
// the pages that the program reads, then goes through what it lists.
func TestPagesThatShiftUnderTheReaderLoseNothing(t *testing.T) {
	t.Parallel()
	troubled(t, options{cards: 110, down: true}, func(d *driver, g *gate) {
		var busy sync.Mutex
		card, turns, made := d.active(), 8, 0
		g.set(func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
			busy.Lock()
			defer busy.Unlock()
			if turns > 0 && (r.URL.Path == "/v1/cards" || r.URL.Path == "/v1/transactions") {
				turns--
				d.api(http.MethodPost, "/cards", map[string]any{"bin_id": "424242", "amount": 10, "label": fmt.Sprintf("shift/%02d", turns)})
				for range 15 {
					d.charge(card, made, made+1)
					made++
				}
			}
			return server.RoundTrip(r)
		})
		d.calls.setDown(false)
		d.reaches("fresh screen", 35*time.Second, fresh)
		// A sweep may have missed a card that came between its pages; the next
		// has it.
		d.wearOn(5*time.Minute + 5*time.Second)
		if turns > 0 {
			t.Fatalf("%d pages were not read", turns)
		}
		d.see("1 Cards  118", "● live")
		want := map[string]int{}
		for page := 1; len(want) < 118; page++ {
			for _, c := range objects(t, d.api(http.MethodGet, fmt.Sprintf("/cards?per_page=100&page=%d", page), nil)["data"]) {
				want[text(t, c["label"])+" "+text(t, c["last4"])]++
			}
		}
		d.press("1", "g")
		listed := map[string]int{}
		row := regexp.MustCompile(`^│▸.{1,3} {2}(\S+) +•••• (\d{4})`)
		for range want {
			found := row.FindStringSubmatch(d.cursor())
			if found == nil {
				t.Fatalf("the cursor is on %q", d.cursor())
			}
			listed[found[1]+" "+found[2]]++
			d.send("j")
			d.wait(100 * time.Millisecond)
		}
		for name := range want {
			if listed[name] != want[name] {
				t.Errorf("%s is listed %d times", name, listed[name])
			}
		}
		d.press("3", "/")
		d.write("store no")
		d.press("enter")
		seen, order := map[string]bool{}, []string{}
		store := regexp.MustCompile(`Store No(\d+) `)
		for last := ""; last != d.screen(); {
			last = d.screen()
			for _, found := range store.FindAllStringSubmatch(last, -1) {
				if !seen[found[1]] {
					order = append(order, found[1])
				}
				seen[found[1]] = true
			}
			if n := len(store.FindAllString(last, -1)); n != len(slices.Compact(slices.Sorted(slices.Values(store.FindAllString(last, -1))))) {
				t.Errorf("a charge is twice among %d on the screen", n)
			}
			d.send(pageDown)
			d.wait(100 * time.Millisecond)
		}
		if len(order) != made {
			t.Errorf("%d of %d charges are listed", len(order), made)
		}
	})
}
