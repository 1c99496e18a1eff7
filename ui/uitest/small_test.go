package uitest

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
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
	d.inside(func(s *state.Store) { s.Tell(state.Warn, text) })
	d.wait(1100 * time.Millisecond)
}
