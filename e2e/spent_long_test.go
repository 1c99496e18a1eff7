//go:build long

package e2e

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state/settings"
)

// booked is what a sandbox booked since a time by its own tables, in cents: settled less refunded, by label of the
// cards.
type booked struct {
	spent, settled int
	byLabel        map[string]int
}

func bookedIn(t *testing.T, file string, since time.Time) booked {
	t.Helper()
	rows, err := sandbox.Export(file)
	must(t, err)
	b := booked{byLabel: make(map[string]int)}
	for _, x := range rows.Txns {
		if x.At < since.UnixMilli() {
			continue
		}
		label := rows.Cards[x.Card-1].Label
		b.byLabel[label] += 0 // It did something.
		switch x.Type {
		case "settlement":
			b.settled -= int(x.Amount)
			b.spent -= int(x.Amount)
			b.byLabel[label] -= int(x.Amount)
		case "refund":
			b.spent -= int(x.Amount)
			b.byLabel[label] -= int(x.Amount)
		}
	}
	return b
}

// byCampaign adds up what cards spent by the first two parts of their labels.
func (b booked) byCampaign() map[string]int {
	sums := make(map[string]int)
	for label, cents := range b.byLabel {
		parts := strings.Split(label, "/")
		sums[strings.Join(parts[:min(2, len(parts))], "/")] += cents
	}
	return sums
}

// centsIn reads an amount such as $1,234.50.
func centsIn(t *testing.T, text string) (cents int) {
	t.Helper()
	if _, err := fmt.Sscan(strings.NewReplacer("$", "", ",", "", ".", "").Replace(text), &cents); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return cents
}

// TestSpentOnTheScreenIsWhatTheSandboxBooked in 20 worlds (4 by day), at every range, before, while and after the past is read: to
// the cent, or marked and no more than that. The header, the rows, the list of cards and both exports say the same.
func TestSpentOnTheScreenIsWhatTheSandboxBooked(t *testing.T) {
	t.Parallel()
	for seed := range uint64(nighttest.Times(4, 20)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			file, dir := filepath.Join(t.TempDir(), "world.db"), t.TempDir()
			o := options{w: 200, h: 45, seed: 5000 + seed, cards: 40, txns: 1500, data: file, history: sandbox.DefaultHistory, exports: dir, store: func(c *settings.Config) { c.SpendHourly = 1000 }}
			story(t, o, func(d *driver) {
				d.press("$")
				d.wait(100 * time.Millisecond)
				d.comparesRanges(file, "before")
				d.wait(2 * time.Second)
				d.comparesRanges(file, "while")
				d.wait(5 * time.Minute)
				if marked := d.comparesRanges(file, "after"); marked > 0 {
					d.t.Errorf("%d ranges are marked when the past is read", marked)
				}
				d.comparesRows(file, dir)
			})
		})
	}
}

// comparesRanges compares the sum of each range, and the header's. It returns how many were marked.
func (d *driver) comparesRanges(file, when string) (marked int) {
	d.t.Helper()
	figure := regexp.MustCompile(`│ spent +(≥?)(-?\$[0-9,]+\.[0-9]{2})`)
	header := regexp.MustCompile(`spent 24h (≥?)(-?\$[0-9,]+\.[0-9]{2})`)
	for i, days := range []int{1, 7, 14, 30, 0} {
		since := clock().UTC().Truncate(time.Hour).AddDate(0, 0, -days)
		if days == 0 { // Today.
			since = clock().UTC().Truncate(24 * time.Hour)
		}
		b := bookedIn(d.t, file, since)
		m, h := figure.FindStringSubmatch(d.screen()), header.FindStringSubmatch(d.screen())
		if m == nil || h == nil {
			d.t.Fatalf("%s, %d days: no sum in\n%s", when, days, d.screen())
		}
		if i == 0 && (m[1] != h[1] || m[2] != h[2]) {
			d.t.Errorf("%s: the header has %s%s, the screen %s%s", when, h[1], h[2], m[1], m[2])
		}
		switch got := centsIn(d.t, m[2]); {
		case m[1] == "" && got != b.spent:
			d.t.Errorf("%s, %d days: %d cents, the sandbox booked %d", when, days, got, b.spent)
		case m[1] != "" && got > b.settled:
			d.t.Errorf("%s, %d days: at least %d cents, and only %d settled", when, days, got, b.settled)
		}
		if m[1] != "" {
			marked++
		}
		d.press("right")
		d.wait(100 * time.Millisecond)
	}
	return marked
}

// comparesRows compares the exported rows of campaigns and of cards, of 24 hours.
func (d *driver) comparesRows(file, dir string) {
	d.t.Helper()
	b := bookedIn(d.t, file, clock().UTC().Truncate(time.Hour).Add(-24*time.Hour))
	for what, want := range map[string]map[string]int{"campaigns": b.byCampaign(), "cards": b.byLabel} {
		if d.press("esc"); what == "campaigns" {
			d.press("$")
			d.wait(100 * time.Millisecond)
		}
		lines := strings.Split(strings.TrimSpace(d.exported(dir, what)), "\n")
		name, spent := -1, -1
		for i, title := range strings.Split(lines[0], ",") {
			switch title {
			case "campaign", "label":
				name = i
			case "spent", "spent 24h", "spent_24h":
				spent = i
			}
		}
		if name < 0 || spent < 0 {
			d.t.Fatalf("%s: no columns in %q", what, lines[0])
		}
		got := make(map[string]int)
		for _, l := range lines[1:] {
			cells := strings.Split(l, ",")
			if cells[spent] != "" {
				got[cells[name]] += centsIn(d.t, cells[spent])
			}
		}
		for n, cents := range want {
			if got[n] != cents {
				d.t.Errorf("%s: %q has %d cents, the sandbox booked %d", what, n, got[n], cents)
			}
		}
	}
}
