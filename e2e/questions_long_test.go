//go:build long

package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/settings"
)

// mostKeys is how many keys an answer may take from the first screen.
const mostKeys = 10

// TestTheQuestionsOfADayTakeTenKeys each, from the first screen of a fresh start.
func TestTheQuestionsOfADayTakeTenKeys(t *testing.T) {
	t.Parallel()
	typed := func(text string) []string { return append(strings.Split(text, ""), "enter") }
	for _, q := range []struct {
		question string
		keys     []string
		see      []string
	}{
		{"what did each campaign spend in 24 hours, against the day before", []string{"$"}, []string{" campaigns", "spent▼", "change", "24 h before", "since "}},
		{"in 7 days", []string{"$", "right"}, []string{"on the 7 d before", "highest"}},
		{"in 30 days", []string{"$", "right", "right"}, []string{" 30 d ", "average", "lowest"}},
		{"when is the wallet empty", nil, []string{"lasts "}},
		{"which cards are empty within 2 days", typed("/left<2d"), []string{"/ left<2d", " of 60"}},
		{"when is this card empty, and where does its money go", []string{"/", "l", "e", "f", "t", ">", "0", "m", "enter", "enter"}, []string{"active  lasts ", "balances", " spent"}},
		{"why was this declined, and what is to be pressed", append([]string{"3"}, append(typed("/decl"), "enter", "enter")...), []string{"1 Transaction", "declined ", "because ", "to do "}},
		{"which BIN is declined most", []string{"$", "z", "s", "s", "s"}, []string{" BINs", "declined▼"}},
		{"which card is, and how often", []string{"$", "z", "z", "z", "s", "s", "s"}, []string{" cards ", "declined▼", "attempts"}},
		{"which money lies idle", append(typed("/idle>7d"), "*"), []string{"/ idle>7d", "selected · Σ $"}},
		{"what would keep all cards running", []string{"*", "=", "2", "0", "0", "enter"}, []string{"Fund 60 cards up to $200.00", "wallet  $12,480.22 →", "unchanged"}},
	} {
		if len(q.keys) > mostKeys {
			t.Errorf("%s: %d keys", q.question, len(q.keys))
		}
		t.Run(q.question, func(t *testing.T) {
			t.Parallel()
			o := spender(160, 45)
			if slices.Contains(q.see, "active  lasts ") {
				o.txns = 5000 // Single cards have enough charges for a forecast.
			}
			o.store = func(c *settings.Config) { c.SpendHourly = 1000 }
			story(t, o, func(d *driver) {
				d.wait(time.Minute) // The past is read.
				for _, key := range q.keys {
					d.press(key)
					d.wait(100 * time.Millisecond)
				}
				d.wait(2 * time.Second)
				d.see(q.see...)
			})
		})
	}
}
