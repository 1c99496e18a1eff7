package uitest

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestTheNewestCodeIsSeenWhereverTheOthersScroll: `o` copies what is on the screen.
func TestTheNewestCodeIsSeenWhereverTheOthersScroll(t *testing.T) {
	t.Parallel()
	for _, size := range sizes {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			c := d.pick()
			for i := range 12 {
				d.challenge(c.id, fmt.Sprintf("Shop %d", i), fmt.Sprintf("9182%02d", 30+i), 1)
				d.wait(time.Second)
			}
			d.wait(2 * time.Second)
			d.press("2")
			newest := "918 241"
			for _, key := range []string{"G", "k", "ctrl+u", "j", "G", "g", "j"} {
				d.press(key)
				rows := 0
				for _, l := range strings.Split(d.screen(), "\n") {
					if strings.Contains(l, "│") && strings.Contains(l, newest) {
						rows++
					}
				}
				if rows != 1 {
					t.Fatalf("%v, %s: the newest code is in %d rows:\n%s", size, key, rows, d.screen())
				}
			}
			d.press("G", "o")
			if got := d.board.Text(); got != strings.ReplaceAll(newest, " ", "") {
				t.Errorf("%v: copied %q", size, got)
			}
		})
	}
}
