//go:build long

package e2e

import (
	"strings"
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
		if n := d.calls.count("POST "); n != 1 {
			t.Errorf("%d writes", n)
		}
		if got := d.status(c.id); got != "frozen" {
			t.Errorf("the card is %s", got)
		}
		d.wait(time.Second)
		d.press("f")
		if got := d.status(c.id); got != "active" {
			t.Errorf("after a deliberate press the card is %s", got)
		}
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
		if n := d.calls.count("POST "); n != 1 {
			t.Errorf("%d freezes", n)
		}
		d.press("+", "5", "0")
		d.send("\r")
		d.wait(200 * time.Millisecond)
		d.send("\t")
		d.wait(200 * time.Millisecond)
		d.send("\r")
		d.wait(60 * time.Millisecond)
		d.send("\r")
		d.wait(2 * time.Second)
		if n := d.calls.count("/fund"); n != 1 {
			t.Errorf("%d funds", n)
		}
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
		if n := d.calls.count("/fund"); n != 0 {
			t.Errorf("%d funds", n)
		}
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
		if n := d.calls.count("/fund"); n != 0 {
			t.Errorf("%d funds", n)
		}
	})
}

// TestUnmarkedPasteWritesNothing pastes into a terminal that does not mark
// pasted text: the keys come as if typed, faster than anybody types.
func TestUnmarkedPasteWritesNothing(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.pick()
		for _, open := range [][]string{nil, {"2"}, {"3"}, {"4"}, {"1", "enter"}} {
			d.press(open...)
			d.send("  " + strings.Repeat("f+50\r\tf\r-10\r\rx\tf", 50))
			d.wait(time.Second)
			d.press("esc", "esc", "esc")
		}
		if n := d.calls.count("POST "); n != 0 {
			t.Errorf("%d writes", n)
		}
	})
}
