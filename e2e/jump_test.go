package e2e

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
)

// TestTwoKeysGoToAnyPane by its number, from every other and at every size.
func TestTwoKeysGoToAnyPane(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {40, 12}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			for _, pane := range []string{"3", "2", "4", "1"} {
				d.press(";")
				d.see("jump")
				d.press(pane)
				d.see("▸" + pane + " ")
				d.seeNot("jump")
			}
			d.fits(size[0], size[1])
		})
	}
}

// TestALabelGoesToItsRow in the list, in another pane, and on a screen over the
// list, and does nothing else: letters are labels.
func TestALabelGoesToItsRow(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		d.press(";")
		row := d.line("│f")
		if row == "" {
			t.Fatalf("no row is labelled f:\n%s", d.screen())
		}
		label := strings.Fields(strings.TrimPrefix(row, "│f"))[1]
		d.press("f")
		if got := d.cursor(); !strings.Contains(got, label) {
			t.Errorf("the cursor is on %q, not on %s", got, label)
		}
		d.press(";")
		at := regexp.MustCompile(`[│┃]│(\w)890 844`).FindStringSubmatch(d.line("890 844"))
		if at == nil {
			t.Fatalf("the code is not labelled:\n%s", d.screen())
		}
		d.press(at[1], "enter")
		d.wait(time.Second)
		d.see("1 Card  gg/launch/05")
		// On the screen over the list, whose rows come first.
		d.press("1", "1")
		d.press("H", ";", "esc")
		d.seeNot("jump")
		d.requests(0, "POST ")
	})
}

// TestJumpingIsLeftByAnythingElse by a key that is no label, by a paste, by the
// mouse and by another size.
func TestJumpingIsLeftByAnythingElse(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for _, leave := range []func(){
			func() { d.press("esc") }, func() { d.press("!") }, func() { d.paste("f") },
			func() { d.send("\x1b[<0;120;12M\x1b[<0;120;12m"); d.wait(time.Second) }, func() { d.resize(150, 45) },
		} {
			d.press(";")
			d.see("jump")
			leave()
			d.seeNot("jump")
		}
		// With another layout a label is the key in its place.
		d.press("1", ";", "ф")
		d.seeNot("jump")
		d.press("P", ";")
		d.seeNot("fb/")
		d.press("esc")
		d.inside(func(s *state.Store) {
			if !s.Privacy.Private() {
				t.Error("a label was taken for a key")
			}
		})
		d.requests(0, "POST ")
	})
}
