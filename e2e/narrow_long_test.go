//go:build long

package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/settings"
)

// TestAnUnknownOutcomeIsInTheHeaderBesideAlerts holds at the widths that have
// no room for both in words: money of which nobody knows where it went comes
// before what can wait.
func TestAnUnknownOutcomeIsInTheHeaderBesideAlerts(t *testing.T) {
	t.Parallel()
	story(t, options{change: alerting}, func(d *driver) {
		d.pick()
		d.fault(fundRoute, "server_error", 100)
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.see("? 1 unconfirmed")
		header := func() string { return strings.SplitN(d.screen(), "\n", 2)[0] }
		for _, size := range [][2]int{{40, 12}, {44, 12}, {50, 14}, {59, 20}, {60, 20}, {80, 24}, {100, 30}} {
			d.resize(size[0], size[1])
			want := "?1"
			if size[0] >= 60 {
				want = "? 1 unconfirmed"
			}
			if got := header(); !strings.Contains(got, want) || !strings.Contains(got, "$12,4") {
				t.Errorf("at %d cells: %q", size[0], got)
			}
		}
		d.resize(40, 12)
		d.press("P")
		d.wait(time.Second)
		if got := header(); !strings.Contains(got, "?1") || !strings.Contains(got, "PRIVATE") {
			t.Errorf("private: %q", got)
		}
	})
}

// TestASetWidthCutsNoMoney shows the columns that the README has for an
// example: the width that is set gives way to digits and balances.
func TestASetWidthCutsNoMoney(t *testing.T) {
	t.Parallel()
	columns := []settings.ShownColumn{{Name: "status"}, {Name: "label", Width: 30}, {Name: "card"}, {Name: "balance"}, {Name: "bin"}}
	chosen := func(c *settings.Config) {
		c.Views = map[settings.ListName]settings.View{settings.CardList: {Columns: columns}}
	}
	whole := regexp.MustCompile(`•••• \d{4} +[\d,]+\.\d\d[ │┃]`)
	story(t, options{store: chosen}, func(d *driver) {
		for _, size := range [][2]int{{40, 12}, {44, 14}, {50, 20}, {56, 20}, {60, 20}, {80, 24}} {
			d.resize(size[0], size[1])
			rows := 0
			for _, l := range strings.Split(d.screen(), "\n") {
				if !strings.Contains(l, "fb/") || strings.Contains(l, "$") || !strings.HasPrefix(l, "│") {
					continue
				}
				if rows++; !whole.MatchString(l) {
					t.Errorf("at %d cells: %q", size[0], l)
				}
			}
			if rows < 3 {
				t.Errorf("at %d cells %d cards are shown:\n%s", size[0], rows, d.screen())
			}
		}
	})
}

// TestTheHistorySaysHowMuchWhereItIsNarrow looks at a record of money on the
// smallest screen, which has room for the amount, and on one that has room for
// the time as well.
func TestTheHistorySaysHowMuchWhereItIsNarrow(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.press("+", "5", "0", "enter")
		d.confirmed()
		d.press("H")
		d.wait(7 * time.Second)
		for _, size := range [][2]int{{40, 12}, {46, 14}, {48, 14}, {56, 20}, {80, 24}} {
			d.resize(size[0], size[1])
			row := d.line("│▸")
			if !strings.Contains(row, "fund ") || !strings.Contains(row, c.last4) || !strings.Contains(row, " 50.00 ") || !strings.Contains(row, "✓ done") {
				t.Errorf("at %d cells: %q", size[0], row)
			}
			if size[0] > 46 && !strings.Contains(row, "00:00") {
				t.Errorf("at %d cells there is no time: %q", size[0], row)
			}
		}
	})
}

// TestLabelsTakeWhatBalancesLeave looks at the list on the smallest screen: a
// label is cut only where the row is full, whatever stands on the cards.
func TestLabelsTakeWhatBalancesLeave(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		d.see("●  fb/launch/03   •••• 8751    220.81")
		// The sum of a group is wider than any balance.
		d.press("z", "3")
		d.see("2,411.27", "fb/geo-de/01   •••• 6779")
	})
}

// TestNoKeyIsCutOnTheSmallestScreen looks at the boxes whose keys have no room
// in one line: above all at the one that leads out.
func TestNoKeyIsCutOnTheSmallestScreen(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		d.press(",")
		d.see("esc done", "space show", "J/K move", "+/-/0 width", "r reset")
		d.seeNot("widt…", "where…")
		d.press("esc", "A")
		d.see("wallet never · cards never …")
		d.seeNot("·  ", "· │")
	})
	changedAddress(t, 40, 12, func(d *driver) {
		d.see("t trust", "esc back", "tab next", "↑↓ more")
	})
	changedAddress(t, 80, 24, func(d *driver) { d.see("t trust  tab next currency  esc back") })
}
