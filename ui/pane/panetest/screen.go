package panetest

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Theme is one without colours.
func Theme(tb testing.TB) *theme.Theme {
	tb.Helper()
	th, err := theme.New(theme.Plain, colorprofile.NoTTY)
	if err != nil {
		tb.Fatal(err)
	}
	return &th
}

// Keys are the default keys.
func Keys() *keymap.Map { return keymap.New(keymap.Defaults()) }

// Screen is a pane that is drawn.
type Screen struct {
	pane.Pane
	t testing.TB
	a *Account
}

// Open gives a pane a size, the store and the focus.
func Open(tb testing.TB, a *Account, p pane.Pane, w, h int) *Screen {
	tb.Helper()
	s := &Screen{t: tb, a: a, Pane: p}
	s.SetSize(w, h)
	s.Look()
	return s
}

// Look makes the pane read the store again, and draws it.
func (s *Screen) Look() {
	s.Sync(s.a.Store, kernel.TopicAll)
	s.View(true)
}

// Text is what is drawn, without styles.
func (s *Screen) Text() string { return Text(s.View(true)) }

// Text joins lines without their styles.
func Text(lines []string) string {
	plain := make([]string, 0, len(lines))
	for _, l := range lines {
		plain = append(plain, widget.Strip(l))
	}
	return strings.Join(plain, "\n")
}

// Line is the first line that has a text in it; empty for none.
func (s *Screen) Line(text string) string {
	for line := range strings.SplitSeq(s.Text(), "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// See fails where one of the texts is not drawn.
func (s *Screen) See(texts ...string) {
	s.t.Helper()
	See(s.t, s.Text(), texts...)
}

// See fails where one of the texts is not in what is drawn.
func See(tb testing.TB, drawn string, texts ...string) {
	tb.Helper()
	for _, text := range texts {
		if !strings.Contains(drawn, text) {
			tb.Errorf("%q is not drawn:\n%s", text, drawn)
		}
	}
}

// SeeNot fails where one of the texts is drawn.
func (s *Screen) SeeNot(texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		if drawn := s.Text(); strings.Contains(drawn, text) {
			s.t.Errorf("%q is drawn:\n%s", text, drawn)
		}
	}
}

// Asks fails unless a key returns just this intent; nil for none.
func (s *Screen) Asks(a keymap.Action, want kernel.Intent) {
	s.t.Helper()
	var all []kernel.Intent
	if want != nil {
		all = append(all, want)
	}
	if got := s.Act(a); !reflect.DeepEqual(got, all) {
		s.t.Errorf("%s asks for %T%+v, want %T%+v", a, got, got, want, want)
	}
}

// Exports fails unless a key exports rows with these first cells.
func (s *Screen) Exports(a keymap.Action, first ...string) {
	s.t.Helper()
	var got []string
	for _, in := range s.Act(a) {
		export, ok := in.(pane.ExportRows)
		if !ok {
			continue
		}
		for i := range export.Rows.N {
			got = append(got, export.Rows.Row(i)[0].Text)
		}
	}
	if !slices.Equal(got, first) {
		s.t.Errorf("%s exports %q, want %q", a, got, first)
	}
}

// Filter types a text into the pane's filter and confirms it.
func (s *Screen) Filter(text string) {
	s.t.Helper()
	typist, ok := s.Pane.(pane.Typist)
	if !ok {
		s.t.Fatal("the pane has no filter")
	}
	s.Act(keymap.OpenFilter)
	for _, r := range text {
		key := string(r)
		if r == ' ' {
			key = "space"
		}
		typist.Type(key, string(r))
	}
	s.Act(keymap.Confirm)
}

// Fits fails unless the pane draws exactly its rectangle, at any size. It
// leaves the last size.
func (s *Screen) Fits() {
	s.t.Helper()
	for _, w := range []int{12, 20, 30, 40, 60, 80, 100, 160, 240} {
		for _, h := range []int{3, 4, 5, 8, 12, 18, 24, 45} {
			s.SetSize(w, h)
			s.Look()
			Rectangle(s.t, s.View(true), w, h)
		}
	}
}

// Rectangle fails unless lines are h lines of w cells.
func Rectangle(tb testing.TB, lines []string, w, h int) {
	tb.Helper()
	if len(lines) != h {
		tb.Errorf("%dx%d: %d lines", w, h, len(lines))
	}
	for _, l := range lines {
		if n := widget.Width(widget.Strip(l)); n != w {
			tb.Errorf("%dx%d: a line of %d cells: %q", w, h, n, widget.Strip(l))
			return
		}
	}
}
