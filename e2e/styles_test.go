package e2e

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/hinshun/vt10x"

	"github.com/cardtop/cardtop/internal/goldentest"
)

// looks are the ways a screen may be told to look, by the terminal: a dark and
// a light ground, and no colours.
func looks() []struct {
	name string
	msgs []tea.Msg
} {
	dark, light := tea.BackgroundColorMsg{Color: color.Black}, tea.BackgroundColorMsg{Color: color.White}
	return []struct {
		name string
		msgs []tea.Msg
	}{
		{"dark", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI256}, dark}},
		{"light", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ANSI256}, light}},
		{"no colours", []tea.Msg{tea.ColorProfileMsg{Profile: colorprofile.ASCII}, dark}},
	}
}

var digits = regexp.MustCompile("[0-9]")

// goldenStyles compares the styles of the screen's cells with a file, in each
// look.
func (d *driver) goldenStyles(name string) {
	d.t.Helper()
	// As few seconds as can be pass while the looks change.
	d.wait(time.Second - time.Duration(clock().Nanosecond()) + 100*time.Millisecond)
	var text string
	var b strings.Builder
	for i, look := range looks() {
		for _, m := range look.msgs {
			d.prog.Send(m)
		}
		d.wait(200 * time.Millisecond)
		got := digits.ReplaceAllString(d.screen(), "0") // Countdowns move.
		fmt.Fprintf(&b, "%s\n%s\n", look.name, d.term.styles())
		switch {
		case i == 0:
			text = got
		case got != text && look.name == "light":
			d.t.Errorf("light reads otherwise than dark:\n%s", goldentest.Diff(text, got))
		case got != text: // A QR code, where nobody knows the ground.
			b.WriteString(got + "\n")
		}
	}
	path := filepath.Join("testdata", name+".styles")
	if *update {
		must(d.t, os.WriteFile(path, []byte(b.String()), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	must(d.t, err)
	if got := b.String(); got != string(want) {
		d.t.Errorf("the styles of %s differ (run make golden after looking at it):\n%s", name, goldentest.Diff(string(want), got))
	}
}

// styles tells the style of every cell: a legend of letters, and for each line
// how many cells of which letter.
func (t *terminal) styles() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	var legend []vt10x.Glyph
	cols, rows := t.vt.Size()
	for y := range rows {
		run, last := 0, -1
		for x := range cols {
			g := visible(t.vt.Cell(x, y))
			i := slices.Index(legend, g)
			if i < 0 {
				i, legend = len(legend), append(legend, g)
			}
			if i != last && run > 0 {
				fmt.Fprintf(&b, "%d%s", run, sign(last))
				run = 0
			}
			last = i
			run++
		}
		fmt.Fprintf(&b, "%d%s\n", run, sign(last))
	}
	for i, g := range legend {
		fmt.Fprintf(&b, "%s: %s on %s, mode %d\n", sign(i), ink(g.FG), ink(g.BG), g.Mode)
	}
	return b.String()
}

// The modes of a cell that show where there is no text, as vt10x numbers them.
const (
	cellReverse   = 1 << 0
	cellUnderline = 1 << 1
)

// visible is what of a cell's style can be seen: on a blank that is the ground.
func visible(g vt10x.Glyph) vt10x.Glyph {
	if g.Char == ' ' || g.Char == 0 {
		g.Mode &= cellReverse | cellUnderline
		if g.Mode == 0 {
			g.FG = vt10x.DefaultFG
		}
	}
	g.Char = 0
	return g
}

func sign(i int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if i < len(letters) {
		return letters[i : i+1]
	}
	return fmt.Sprintf("(%d)", i)
}

func ink(c vt10x.Color) string {
	if c == vt10x.DefaultFG || c == vt10x.DefaultBG {
		return "default"
	}
	return fmt.Sprint(uint32(c))
}
