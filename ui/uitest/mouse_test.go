package uitest

import (
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/ui"
)

// The sequences that take and release the mouse.
const (
	takeMouse    = "\x1b[?1002h"
	releaseMouse = "\x1b[?1002l"
)

func TestOneKeyReleasesTheMouse(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		if !strings.Contains(d.term.sent(), takeMouse) {
			t.Error("the mouse was never taken")
		}
		if got := d.sentSince(func() { d.press("M") }); !strings.Contains(got, releaseMouse) {
			t.Errorf("not released: %q", got)
		}
		d.see("the mouse is the terminal's: select text with it; M takes it back")
		if got := d.sentSince(func() { d.wait(5 * time.Second) }); strings.Contains(got, takeMouse) {
			t.Error("taken again by itself")
		}
		if got := d.sentSince(func() { d.press("M") }); !strings.Contains(got, takeMouse) {
			t.Errorf("not taken back: %q", got)
		}
	})
}

func TestTheMouseIsLeftAloneWhereAPersonWantsIt(t *testing.T) {
	t.Parallel()
	story(t, options{change: func(c *ui.Config) { c.NoMouse = true }}, func(d *driver) {
		if strings.Contains(d.term.sent(), takeMouse) {
			t.Error("the mouse was taken")
		}
	})
}
