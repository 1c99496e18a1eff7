//go:build long

package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestARevealLeavesTheSelectedRowInSight opens the panel in every list of the
// smallest screen: who copies a number sees of which row.
func TestARevealLeavesTheSelectedRowInSight(t *testing.T) {
	t.Parallel()
	story(t, options{w: 40, h: 12}, func(d *driver) {
		for _, keys := range [][]string{{"1", "j", "j"}, {"2"}, {"3"}} {
			d.press(keys...)
			d.wait(time.Second)
			var row string
			for _, l := range strings.Split(d.screen(), "\n") {
				if strings.HasPrefix(l, "│▸") {
					row = l
				}
			}
			d.press("r")
			d.see("Details", "exp ", "hides in")
			if last := row[max(0, len(row)-22) : len(row)-len("│")]; row == "" || !strings.Contains(d.screen(), strings.TrimRight(last, "┃│")) {
				t.Errorf("%v: %q is not in sight:\n%s", keys, row, d.screen())
			}
			d.press("esc")
		}
	})
}

// TestANoticeCoversNoCountdown has news of two lines come while a panel is open,
// which takes its room from the list above.
func TestANoticeCoversNoCountdown(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("the wallet was not read for a long time ", 3)
	for _, size := range [][2]int{{40, 12}, {80, 24}, {100, 30}, {160, 45}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			d.press("r")
			d.see("hides in")
			d.tell(long)
			d.see("hides in", "the wallet was not read")
			d.press("r", "r")
			d.wait(15 * time.Second)
			d.press("a")
			d.challenge(c.id, "Acme Store", "482913", 25)
			d.wait(1100 * time.Millisecond)
			if size[0] == 40 {
				return // No room for the large code.
			}
			d.see("Checkout", " left ─")
			d.seeNot("armed")
			d.tell(long)
			d.see("Checkout", " left ─", "the wallet was not read")
			d.fits(size[0], size[1])
		})
	}
}

// tell shows news of the program.
func (d *driver) tell(text string) {
	d.t.Helper()
	d.inside(func(s *state.Store) { s.Notices.Say(kernel.Warn, text) })
	d.wait(1100 * time.Millisecond)
}

// TestASmallWindowShowsTheCodeAndTheWallet below the size that panes need, in
// which world the money is as well. Keys act on nothing that is not seen.
func TestASmallWindowShowsTheCodeAndTheWallet(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{39, 12}, {39, 11}, {160, 11}, {30, 8}, {20, 5}, {20, 45}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pickNewest()
			d.see("SANDBOX", c.shown, "$12,480.22", c.amount)
			d.fits(size[0], size[1])
			before := d.calls.count("POST ") + d.calls.count("/details") + d.calls.count("PATCH ") + d.calls.count("DELETE ")
			d.press("f", "+", "r", "y", "space", "a", "n", "ctrl+x", "enter", "L", "P", "?", ":", "u", "D", "E", "1", "tab", "/")
			d.paste("482913")
			d.wait(time.Second)
			if n := d.calls.count("POST ") + d.calls.count("/details") + d.calls.count("PATCH ") + d.calls.count("DELETE "); n != before {
				t.Errorf("%v: %d requests by keys nobody could see", size, n-before)
			}
			if n := d.board.Copies(); n != 0 {
				t.Errorf("%v: %d copies", size, n)
			}
			d.see("SANDBOX", c.shown, "$12,480.22")
			d.press("o")
			d.see("copied")
			if got := d.board.Text(); got != strings.ReplaceAll(c.shown, " ", "") {
				t.Errorf("%v: copied %q", size, got)
			}
			d.see(c.shown)
			d.resize(80, 24)
			d.see("▸1 Cards  50")
			d.seeNot("PRIVATE", "LOCKED", "DRY RUN", "ARMED")
		})
	}
}

// shownCode is a code as it is on the screen.
type shownCode struct{ shown, amount string }

// pickNewest gives the newest code that waits.
func (d *driver) pickNewest() (n shownCode) {
	d.t.Helper()
	d.inside(func(s *state.Store) {
		c, ok := s.Codes.Newest()
		if !ok {
			d.t.Error("no code waits")
			return
		}
		digits := c.Shown(s.Privacy.Display())
		n = shownCode{digits[:3] + " " + digits[3:], s.Privacy.Display().Dollars(c.Amount)}
	})
	return n
}

// TestASmallWindowSaysWhatSpeaksAgainstACode: it is copied from there.
func TestASmallWindowSaysWhatSpeaksAgainstACode(t *testing.T) {
	t.Parallel()
	story(t, options{w: 20, h: 5}, func(d *driver) {
		d.challenge(d.pickAny(), "Acme Store", "482913", 4999)
		d.wait(2 * time.Second)
		d.see("482 913", "$4,999", "short")
		d.press("o")
		d.see("copied")
		d.calls.setDown(true)
		d.wait(10 * time.Second)
		d.see("OFFLINE")
	})
}

// TestASmallWindowHidesWhatIsPrivate and copies nothing while it is locked.
func TestASmallWindowHidesWhatIsPrivate(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pickNewest()
		d.press("P")
		d.resize(20, 5)
		d.see("SANDBOX", "PRIVATE")
		d.seeNot(c.shown, "12,480")
		d.resize(160, 45)
		d.press("P", "L")
		d.resize(20, 5)
		d.see("SANDBOX", "LOCKED")
		d.press("o")
		d.seeNot(c.shown, "12,480")
		if n := d.board.Copies(); n != 0 {
			t.Errorf("%d copies", n)
		}
	})
}

func TestSmallScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{20, 5}, {39, 11}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			d.wait(1150 * time.Millisecond)
			d.drawn("brief")
		})
	}
}
