//go:build linux

package prove

import (
	"testing"
	"time"
)

// TestStartedAgain ends a dashboard and starts another, which copies the same
// number within the seconds that the first one's guard still looks for its own.
func TestStartedAgain(t *testing.T) {
	n := runs(t)
	for _, d := range desks(t) {
		t.Run(d.name, func(t *testing.T) {
			var c tally
			for range n {
				s, dir := secret(), t.TempDir()
				first := d.start(t, s, "-ttl=20s", "-end=quit-clear", "-claims="+dir)
				first.wants(t, "copied", 5*time.Second)
				<-first.done
				<-time.After(upTo(1500 * time.Millisecond))
				again := d.start(t, s, "-ttl=20s", "-claims="+dir)
				again.wants(t, "copied", 5*time.Second)
				took, gone := d.gone(s, 3500*time.Millisecond)
				c.add(!gone, took)
				again.kill()
				if _, gone := d.gone(s, time.Second); !gone {
					t.Error("it is there after the end of the one that copied it last")
				}
			}
			c.print(t, d.name+": started again, the same number")
		})
		d.checkFiles(t)
	}
}
