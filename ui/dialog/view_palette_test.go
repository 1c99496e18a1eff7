package dialog

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/keymap"
)

func TestRankPutsTheBestFirst(t *testing.T) {
	texts := []string{"Sort by next column", "Sort the other way round", "Resort", "Show number and expiry"}
	for _, c := range []struct {
		typed string
		want  [4]bool
	}{
		{"", [4]bool{true, true, true, true}},
		{"sort", [4]bool{true, true, true, false}},
		{"SORT other", [4]bool{false, true, false, false}},
		{"srt", [4]bool{true, true, true, false}},
		{"zz", [4]bool{}},
	} {
		for i, text := range texts {
			if _, ok := rank(c.typed, text); ok != c.want[i] {
				t.Errorf("%q in %q: %t", c.typed, text, ok)
			}
		}
	}
	start, _ := rank("sort", texts[0])
	within, _ := rank("sort", texts[2])
	letters, _ := rank("srt", texts[0])
	if start <= within || within <= letters {
		t.Errorf("%d, %d, %d", start, within, letters)
	}
}

// TestACommandIsFoundByItsOwnName: typing the name of an action, or the first
// word of what it does, puts one first that is called so.
func TestACommandIsFoundByItsOwnName(t *testing.T) {
	called := func(c Command, typed string) bool {
		first, _, _ := strings.Cut(strings.ToLower(c.Help), " ")
		name := strings.ToLower(string(c.Action))
		return strings.Trim(first, ",:;") == typed || name == typed || strings.HasPrefix(name, typed+"-")
	}
	var all []Command
	for _, b := range keymap.Defaults() {
		if !b.Context.Inside() {
			all = append(all, Command{Binding: b, Place: b.Context.Title()})
		}
	}
	for _, b := range all {
		first, _, _ := strings.Cut(strings.ToLower(b.Help), " ")
		name, _, _ := strings.Cut(string(b.Action), "-")
		for _, typed := range []string{string(b.Action), name, strings.Trim(first, ",:;")} {
			p := NewPalette(plainTheme(t), func() []Command { return all })
			p.Paste(typed)
			c, ok := p.picked()
			if !ok || !called(c, typed) {
				t.Errorf("%q finds %q (%s) before %q (%s)", typed, c.Help, c.Action, b.Help, b.Action)
			}
			if typed == string(b.Action) && c.Action != b.Action {
				t.Errorf("%q finds %s", typed, c.Action)
			}
		}
	}
}

// TestThemesAreFoundByTheirName, and not what has the letters somewhere.
func TestThemesAreFoundByTheirName(t *testing.T) {
	for _, typed := range []string{"theme", "them", "THEME"} {
		var all []Command
		for _, b := range keymap.Defaults() {
			all = append(all, Command{Binding: b, Place: b.Context.Title()})
		}
		p := NewPalette(plainTheme(t), func() []Command { return all })
		p.Paste(typed)
		if c, ok := p.picked(); !ok || c.Action != keymap.Theme {
			t.Errorf("%q finds %q", typed, c.Help)
		}
	}
}
