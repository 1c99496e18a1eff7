package e2e

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/hinshun/vt10x"
)

// caret is the text before the terminal's own cursor; shown reports whether there is one.
func (d *driver) caret() (before string, shown bool) {
	d.term.mu.Lock()
	defer d.term.mu.Unlock()
	at := d.term.vt.Cursor()
	line := []rune(strings.Split(d.term.vt.String(), "\n")[at.Y])
	return strings.TrimRight(string(line[:at.X]), " "), d.term.vt.CursorVisible()
}

// TestTheTerminalsCursorIsWhereTextGoes in every place with a field, and nowhere else: input methods compose there,
// and magnifiers follow it.
func TestTheTerminalsCursorIsWhereTextGoes(t *testing.T) {
	t.Parallel()
	story(t, options{w: 100, h: 30, change: withSettings}, func(d *driver) {
		d.prog.Send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
		d.pick()
		places := map[string][]string{
			"filter of cards":        {"/"},
			"filter of transactions": {"3", "/"},
			"filter of history":      {"H", "/"},
			"filter of requests":     {"ctrl+r", "/"},
			"filter of BINs":         {"b", "/"},
			"filter of settings":     {"ctrl+e", "/"},
			"filter of spending":     {"5", "/"},
			"palette":                {":"},
			"help":                   {"?", "/"},
			"list of BINs":           {"n"},
			"label of a card":        {"e"},
			"limit of a card":        {"e", "tab"},
			"amount":                 {"+"},
			"other way":              {"-"},
			"fill to":                {"="},
			"last digits":            {"ctrl+x"},
			"alert line":             {"i", "tab"},
			"name of a tab":          {"/", "a", "enter", "t"},
			"webhook":                {"w", "n"},
			"setting":                {"ctrl+e", "G", "enter"},
			"several":                {"N", "tab", "tab"},
		}
		for _, place := range slices.Sorted(maps.Keys(places)) {
			d.press("esc", "esc", "esc", "1")
			if _, shown := d.caret(); shown {
				t.Errorf("before the %s there is a cursor:\n%s", place, d.screen())
			}
			for _, k := range places[place] {
				d.press(k)
			}
			d.wait(time.Second)
			if _, shown := d.caret(); !shown {
				t.Errorf("%s: no cursor:\n%s", place, d.screen())
			}
			d.press("7", "9")
			if before, shown := d.caret(); !shown || !strings.HasSuffix(before, "79") {
				t.Errorf("%s: the cursor is behind %q:\n%s", place, before, d.screen())
			}
		}
	})
}

// TestANumberThatIsTypedOverLooksSelected until then.
func TestANumberThatIsTypedOverLooksSelected(t *testing.T) {
	t.Parallel()
	story(t, options{w: 100, h: 30, settings: &settingsFile{}}, func(d *driver) {
		d.prog.Send(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
		d.pick()
		d.press("i", "tab")
		d.wait(time.Second)
		selected := func() bool {
			d.term.mu.Lock()
			defer d.term.mu.Unlock()
			at := d.term.vt.Cursor()
			return d.term.vt.Cell(at.X-1, at.Y).BG != vt10x.DefaultBG
		}
		if before, _ := d.caret(); !selected() || strings.HasSuffix(before, "$") {
			t.Errorf("%q is not selected:\n%s", before, d.screen())
		}
		d.press("7")
		if before, _ := d.caret(); selected() || !strings.HasSuffix(before, " 7") {
			t.Errorf("%q is left:\n%s", before, d.screen())
		}
	})
}

// TestTheTerminalTellsItsSize in band, where no signal does: over a serial line, in a container's console.
func TestTheTerminalTellsItsSize(t *testing.T) {
	t.Parallel()
	story(t, options{w: 160, h: 45}, func(d *driver) {
		d.see("Wallet")
		d.term.mu.Lock()
		d.term.vt.Resize(90, 20)
		d.term.mu.Unlock()
		d.send("\x1b[48;20;90;400;720t")
		d.wait(time.Second)
		lines := strings.Split(d.screen(), "\n")
		if last := []rune(lines[3]); len(lines) != 20 || len(last) != 90 {
			t.Errorf("the screen is drawn with %d lines of %d:\n%s", len(lines), len(last), d.screen())
		}
	})
}
