//go:build long

package e2e

import (
	"testing"
	"time"
)

func TestAHeldKeyFreezesOnce(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		c := d.pick()
		d.send("f")
		d.wait(500 * time.Millisecond) // the pause before a held key repeats
		for range 100 {
			d.send("f")
			d.wait(30 * time.Millisecond)
		}
		d.requests(1, "POST ")
		d.hasStatus(c.id, "frozen")
		d.wait(time.Second)
		d.press("f")
		d.hasStatus(c.id, "active")
	})
}

func TestADoublePressMakesOneRequest(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.send("f")
		d.wait(120 * time.Millisecond)
		d.send("f")
		d.wait(time.Second)
		d.requests(1, "POST ")
		d.press("+", "5", "0")
		d.send("\r")
		d.wait(200 * time.Millisecond)
		d.send("\t")
		d.wait(200 * time.Millisecond)
		d.send("\r")
		d.wait(60 * time.Millisecond)
		d.send("\r")
		d.wait(2 * time.Second)
		d.requests(1, "/fund")
	})
}

// TestTwoEmptyCellsPastedDoNotConfirm pastes what a spreadsheet gives of two
// empty cells, into a terminal that does not mark pasted text.
func TestTwoEmptyCellsPastedDoNotConfirm(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("+", "5", "0", "enter")
		d.wait(time.Second)
		d.send("\t\r")
		d.wait(2 * time.Second)
		d.requests(0, "/fund")
		d.see("Cancel", "Fund $50.00")
	})
}

func TestHeldEnterDoesNotConfirm(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		d.press("+", "5", "0")
		d.send("\r")
		for range 60 {
			d.wait(30 * time.Millisecond)
			d.send("\r")
		}
		d.wait(time.Second)
		d.see("Cancel", "Fund $50.00")
		d.requests(0, "/fund")
	})
}
