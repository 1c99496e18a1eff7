//go:build long

package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/nighttest"
)

// TestHoursOfOutageOnTheScreen leaves the program running through hours
// without a network, in which the account is used.
func TestHoursOfOutageOnTheScreen(t *testing.T) {
	t.Parallel()
	hours, every := time.Duration(nighttest.Times(2, 6))*time.Hour, 4*time.Minute
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
		stale := "STALE " + strconv.Itoa(int(hours.Hours())) + "h"
		d.see("wallet $12,480.22   ✗ OFFLINE", stale)
		if n := len(g.since(began)); n > int(hours/time.Hour)*1600 {
			t.Errorf("%d requests in %v without a network", n, hours)
		}
		d.resize(160, 45)
		d.see("✗ OFFLINE since "+began.UTC().Format("15:04"), "the API does not answer (api.example.com: no such host) (since "+began.UTC().Format("15:04"), "1 Cards  12")
		d.feet(stale)
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
