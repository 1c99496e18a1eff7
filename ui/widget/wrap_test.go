package widget

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want []string
	}{
		{"", 5, []string{""}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one  two\nthree", 20, []string{"one two three"}},
		{"abcdefgh ij", 3, []string{"abc", "def", "gh", "ij"}},
		{"a abcdefgh", 3, []string{"a", "abc", "def", "gh"}},
		{"漢字漢字", 4, []string{"漢字", "漢字"}},
		{"漢", 1, []string{"漢"}},
	} {
		if got := Wrap(c.text, c.w); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d) = %q", c.text, c.w, got)
		}
	}
}

func TestWrapLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, w := hostile().Draw(t, "text"), rapid.IntRange(2, 40).Draw(t, "w")
		lines := Wrap(text, w)
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(strings.Join(lines, "")) != squeeze(text) {
			t.Fatalf("%q became %q", text, lines)
		}
		for _, l := range lines {
			if Width(l) > w {
				t.Fatalf("%q is %d wide, not %d", l, Width(l), w)
			}
		}
	})
}
