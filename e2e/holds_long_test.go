//go:build long

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/ledger"
	"github.com/cardtop/cardtop/state/settings"
)

// heldIn returns what a sandbox holds by its own tables, with and without what it let go within two days without a
// transaction, in cents.
func heldIn(t *testing.T, file string) (held, most int) {
	t.Helper()
	rows, err := sandbox.Export(file)
	must(t, err)
	ended := make(map[int64]bool) // authorizations that hold something or are settled
	for _, h := range rows.Holds {
		held += int(h.Amount)
		ended[h.Auth] = true
	}
	last := int64(0)
	for _, x := range rows.Txns {
		last = max(last, x.At)
		if x.Type == "settlement" {
			ended[x.Root] = true
		}
	}
	most = held
	for i, x := range rows.Txns {
		if x.Type == "authorization" && x.At > last-50*3600000 && rows.Cards[x.Card-1].Status != "terminated" && !ended[int64(i+1)] {
			most += int(x.Amount)
		}
	}
	return held, most
}

// TestHoldsOnTheScreenAreThoseOfTheSandbox at every range: within 5 % in all worlds, within 10 % in each. Before the past
// is read they are marked.
func TestHoldsOnTheScreenAreThoseOfTheSandbox(t *testing.T) {
	t.Parallel()
	figure := regexp.MustCompile(`holds +(~?)\$([0-9,]+\.[0-9]{2}) open`)
	said, truth, mostly, near := 0, 0, 0, 0
	seeds := []uint64{7, 11, 12}[:nighttest.Times(1, 3)]
	for _, seed := range seeds {
		file := filepath.Join(t.TempDir(), "world.db")
		first, last := 0, 0
		o := options{w: 200, h: 45, seed: seed, data: file, history: sandbox.DefaultHistory, store: func(c *settings.Config) { c.SpendHourly = 1000 }}
		story(t, o, func(d *driver) {
			read := func() (mark string, cents int) {
				d.t.Helper()
				m := figure.FindStringSubmatch(d.screen())
				if m == nil {
					d.t.Fatalf("no holds in\n%s", d.screen())
				}
				if _, err := fmt.Sscan(strings.NewReplacer(",", "", ".", "").Replace(m[2]), &cents); err != nil {
					d.t.Fatal(err)
				}
				return m[1], cents
			}
			d.press("$")
			d.wait(100 * time.Millisecond)
			mark := ""
			if mark, first = read(); mark != "~" {
				d.t.Errorf("%q marks what is held before the past is read", mark)
			}
			d.wait(5 * time.Minute)
			_, last = read()
			for range 4 {
				if mark, cents := read(); mark != "~" || cents != last {
					d.t.Errorf("%s%d cents at another range, want ~%d", mark, cents, last)
				}
				d.press("right")
				d.wait(time.Second)
			}
			whole := 0
			d.inside(func(s *state.Store) {
				whole = int(s.Insight.Ledger().Open(ledger.Account()).USD / api.Cent)
			})
			if whole != last {
				d.t.Errorf("%d cents in the ledger, %d on the screen", whole, last)
			}
		})
		held, most := heldIn(t, file)
		t.Logf("seed %d: $%.2f on the screen, ~$%.2f before the past was read, $%.2f by the sandbox, $%.2f with what was let go without a transaction",
			seed, float64(last)/100, float64(first)/100, float64(held)/100, float64(most)/100)
		if 100*last < 90*held || 100*last > 110*most {
			t.Errorf("%d cents are held, want %d", last, held)
		}
		if 100*last >= 95*held && 100*last <= 105*most {
			near++
		}
		said, truth, mostly = said+last, truth+held, mostly+most
	}
	t.Logf("open holds on the screen: %d of %d worlds within 5 %%, %+.1f %% in sum", near, len(seeds), 100*float64(said-truth)/float64(truth))
	if 100*said < 95*truth || 100*said > 105*mostly {
		t.Errorf("%d cents are held in all worlds, want %d", said, truth)
	}
}
