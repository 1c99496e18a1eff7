//go:build long

package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"
)

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
