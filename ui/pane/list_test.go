package pane_test

import (
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/settings"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// listOf is a list of words that are their own keys.
func listOf(t *testing.T, live bool, rows *[]string) *pane.List[string, string] {
	t.Helper()
	th, err := theme.New(theme.Plain, colorprofile.NoTTY)
	if err != nil {
		t.Fatal(err)
	}
	l := pane.NewList(&th, pane.ListConfig[string, string]{
		Name: "Words", Columns: []widget.Column{{Title: "word", Min: 5}}, Filtered: true, Live: live,
		Key: func(s string) string { return s }, List: func() []string { return *rows },
		Frame: func(*widget.Frame) {}, Empty: func() string { return "none" },
		Row: func(s string, w *widget.RowWriter) { w.Cell("", s) },
	})
	l.SetSize(30, 20)
	return &l
}

func TestTheCursorIsBoundToItsRow(t *testing.T) {
	t.Parallel()
	rows := []string{"b", "c", "d"}
	l := listOf(t, false, &rows)
	s := state.New(settings.Config{Screen: &settings.Screen{}})
	want := func(word string, ok bool) {
		t.Helper()
		if got, there := l.Picked(); there != ok || got != word {
			t.Errorf("picked %q, %v; want %q, %v", got, there, word, ok)
		}
	}
	if _, ok := l.Picked(); ok {
		t.Error("picked before the first look")
	}
	l.Update(s)
	want("b", true)
	rows = []string{"a", "b", "c", "d"}
	l.Update(s)
	want("b", true)
	l.Moves(keymap.Down)
	want("c", true)
	// It goes by itself: nothing takes its place but by a move.
	rows = []string{"a", "b", "d"}
	l.Update(s)
	want("", false)
	rows = []string{"a", "b", "c", "d"}
	l.Update(s)
	want("c", true)
	rows = []string{"a", "b", "d"}
	l.Update(s)
	l.Moves(keymap.Up)
	want("b", true)
	// Who asks for other rows begins at the first of them.
	rows = []string{"d"}
	l.Relist()
	want("d", true)
	rows = nil
	l.Update(s)
	want("", false)
}

func TestALiveListFollowsOnItsFirstRowOnly(t *testing.T) {
	t.Parallel()
	rows := []string{"b", "a"}
	l := listOf(t, true, &rows)
	s := state.New(settings.Config{Screen: &settings.Screen{}})
	l.Update(s)
	rows = []string{"c", "b", "a"}
	l.Update(s)
	if got, _ := l.Picked(); got != "c" || !l.Live() {
		t.Errorf("on the first row the cursor is on %q", got)
	}
	l.Moves(keymap.Down)
	rows = []string{"d", "c", "b", "a"}
	l.Update(s)
	if got, _ := l.Picked(); got != "b" || l.Live() {
		t.Errorf("off it the cursor is on %q", got)
	}
	l.UpdateNext(s)
	rows = []string{"d", "c", "a"}
	l.UpdateNext(s)
	if got, ok := l.Picked(); got != "a" || !ok {
		t.Errorf("who is done with a row goes on to %q", got)
	}
}
