package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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
		d.see("mouse off: the terminal selects text, M turns it on")
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

// at finds the line of the screen that holds all of some words, and where the
// first begins, both counted from one as a terminal reports the mouse.
func (d *driver) at(words ...string) (x, y int) {
	d.t.Helper()
	for i, line := range strings.Split(d.screen(), "\n") {
		before, _, found := strings.Cut(line, words[0])
		for _, w := range words[1:] {
			found = found && strings.Contains(line, w)
		}
		if found {
			return utf8.RuneCountInString(before) + 1, i + 1
		}
	}
	d.t.Fatalf("no line holds %v:\n%s", words, d.screen())
	return 0, 0
}

// click presses a word once or more, as fast as a double click.
func (d *driver) click(times int, words ...string) {
	d.t.Helper()
	x, y := d.at(words...)
	d.send(strings.Repeat(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<0;%d;%dm", x, y, x, y), times))
	d.wait(time.Second)
}

// TestTheMouseChoosesHowCardsAreGrouped: of the dialogs, this one takes clicks.
func TestTheMouseChoosesHowCardsAreGrouped(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{160, 45}, {80, 24}, {40, 12}} {
		story(t, options{w: size[0], h: size[1]}, func(d *driver) {
			d.press("z")
			d.click(1, "Group by")
			d.click(1, "enter choose")
			d.see("Group by", "▸  2 campaign")
			x, y := d.at("2 campaign")
			d.send(fmt.Sprintf("\x1b[<65;%d;%dM", x, y))
			d.wait(time.Second)
			d.see("▸  3 1st label part")
			d.click(1, "4 BIN")
			d.see("-  222300  5")
			d.seeNot("Group by")
		})
	}
}

func TestAClickOnATitleSortsAndASecondTurnsItAround(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		options    options
		before     []string
		filter     string // of a tab
		title, row string // row: a title that only this list has
	}{
		"cards":                   {title: "balance", row: "spent 24h"},
		"transactions":            {title: "amount", row: "what "},
		"transactions, one pane":  {options: options{w: 80, h: 24}, before: []string{"3"}, title: "amount", row: "what "},
		"cards with tabs":         {filter: "status=active", title: "balance", row: "spent 24h"},
		"transactions with tabs":  {before: []string{"3"}, filter: "amt>1", title: "amount", row: "what "},
		"cards with tabs, narrow": {options: options{w: 80, h: 24}, filter: "status=active", title: "balance", row: "spent 24h"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story(t, c.options, func(d *driver) {
				d.press(c.before...)
				if c.filter != "" {
					d.press("/")
					d.write(c.filter)
					d.press("enter", "t", "k", "enter")
				}
				d.click(1, c.title, c.row)
				d.see(c.title + "▼")
				d.click(1, c.title+"▼")
				d.see(c.title + "▲")
				d.click(2, c.title+"▲")
				d.see(c.title + "▲")
				d.seeNot("esc back") // Twice is no double click, which opens a row.
			})
		})
	}
}

// TestAClickInAnotherPaneGoesToItsRow and not to the first one.
func TestAClickInAnotherPaneGoesToItsRow(t *testing.T) {
	t.Parallel()
	story(t, options{}, func(d *driver) {
		for _, c := range []struct{ row, opens string }{{"890 844", "1 Card  gg/launch/05"}, {"79.41", "li/geo-us/02 ••9633"}} {
			d.press("1")
			y := slices.IndexFunc(strings.Split(d.screen(), "\n"), func(l string) bool { return strings.Contains(l, c.row) })
			d.send(fmt.Sprintf("\x1b[<0;120;%dM\x1b[<0;120;%dm", y+1, y+1))
			d.wait(time.Second)
			d.press("enter")
			d.wait(time.Second)
			d.see(c.opens)
			d.press("esc")
		}
	})
}
