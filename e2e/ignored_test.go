package e2e

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state/guard"
)

// TestAnIgnoredKeyOfADialogSaysWhy presses what the guards of a dialog let
// through to nothing: each time the screen says why.
func TestAnIgnoredKeyOfADialogSaysWhy(t *testing.T) {
	t.Parallel()
	const doubled = "a held key or a double press counts once"
	twice := func(d *driver, key string) {
		d.send(key)
		d.wait(100 * time.Millisecond)
		d.send(key)
		d.wait(200 * time.Millisecond)
	}
	t.Run("a question that has just opened", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.pick()
			d.press("+", "5", "0")
			twice(d, "\r")
			d.see("Cancel", "the question has just opened: read it, then press again")
		})
	})
	t.Run("enter twice where something is typed", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			c := d.pick()
			d.wait(time.Second)
			d.press("ctrl+x")
			d.wait(time.Second)
			d.write(c.last4)
			d.wait(time.Second)
			twice(d, "\r")
			d.see("Cancel", "▸Terminate", doubled)
			d.requests(0, "DELETE ")
		})
	})
	t.Run("the key of an undo that asks", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.pick()
			d.press("f")
			d.wait(11 * time.Second)
			twice(d, "u")
			d.see("Unfreeze again", "the question has just opened")
			d.wait(300 * time.Millisecond)
			d.send("u")
			d.wait(200 * time.Millisecond)
			d.see("Unfreeze again", doubled)
		})
	})
	t.Run("the key that opened it, the second time", func(t *testing.T) {
		t.Parallel()
		story(t, options{guard: guard.Guard{ConfirmLabels: []string{"*"}}}, func(d *driver) {
			d.pick()
			d.press("+", "5", "0", "enter")
			d.wait(time.Second)
			d.press("+")
			d.see("confirm twice")
			d.wait(time.Second)
			d.press("+")
			d.see("second confirmation: tab and enter")
		})
	})
	t.Run("a paste", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.paste("1234")
			d.see("nothing pasted: no text field is open")
			d.pick()
			d.press("+", "5", "0", "enter")
			d.wait(time.Second)
			d.paste("1234")
			d.see("nothing pasted: answer with a key")
		})
	})
	t.Run("a click", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.pick()
			d.press("+", "5", "0", "enter")
			d.wait(time.Second)
			d.send("\x1b[<0;80;25M\x1b[<0;80;25m")
			d.wait(200 * time.Millisecond)
			d.see("the mouse presses no button: tab and enter do")
		})
	})
	t.Run("a key of a plan that has nothing to do", func(t *testing.T) {
		t.Parallel()
		story(t, options{}, func(d *driver) {
			d.choose(3)
			d.press("+", "5", "enter", "tab", "enter")
			d.wait(2 * time.Second)
			d.see("3/3")
			d.press("s")
			d.see("that plan is not under way")
			d.press("r")
			d.see("nothing to retry")
		})
	})
}
