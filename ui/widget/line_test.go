package widget

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const (
	bold = "\x1b[0;1m"
	red  = "\x1b[0;31m"
)

func TestCut(t *testing.T) {
	line := bold + "ab" + red + "cd" + reset + "ef"
	for _, c := range []struct {
		in       string
		from, to int
		want     string
	}{
		{line, 0, 6, line},
		{line, 1, 3, bold + "b" + red + "c" + reset},
		{line, 2, 4, red + "cd" + reset},
		{line, 3, 5, red + "d" + reset + "e"},
		{line, 4, 8, "ef  "},
		{line, 7, 9, "  "},
		{line, -2, 1, "  " + bold + "a" + reset},
		{line, -4, -2, "  "},
		{line, 3, 3, ""},
		{"世界", 1, 3, "  "},
		{"世界", 0, 3, "世 "},
		{"世界", 1, 4, " 界"},
		{"\x1b[1m\x1b[4mab", 1, 2, "\x1b[1m\x1b[4mb" + reset},
		{"a\x1b]8;;http://x\x07b\x1b[2Jc", 0, 3, "abc"},
	} {
		if got := Cut(c.in, c.from, c.to); got != c.want {
			t.Errorf("Cut(%q, %d, %d) = %q, want %q", c.in, c.from, c.to, got, c.want)
		}
	}
}

// styledLine draws a line of hostile text in hostile styles.
func styledLine() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			b.WriteString(rapid.SampledFrom([]string{"", bold, red, reset, "\x1b[4m", "\x1b[0m"}).Draw(t, "style"))
			b.WriteString(hostile().Draw(t, "text"))
		}
		return b.String()
	})
}

func TestCutIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := styledLine().Draw(t, "line")
		from := rapid.IntRange(-5, 60).Draw(t, "from")
		w := width().Draw(t, "w")
		exact(t, []string{Cut(line, from, from+w)}, w, 1)
		exact(t, []string{FitLine(line, w)}, w, 1)
	})
}

func TestCutKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := FitLine(styledLine().Draw(t, "line"), 40)
		at := rapid.IntRange(0, 40).Draw(t, "at")
		left, right := Cut(line, 0, at), Cut(line, at, 40)
		whole := strings.ReplaceAll(Strip(line), " ", "")
		parts := strings.ReplaceAll(Strip(left)+Strip(right), " ", "")
		// A wide glyph that the cut halves is blanked on both sides.
		if len([]rune(whole))-len([]rune(parts)) > maxClusterRunes || !strings.HasPrefix(whole, strings.ReplaceAll(Strip(left), " ", "")) {
			t.Fatalf("%q cut at %d: %q and %q", line, at, left, right)
		}
	})
}

func TestJoin(t *testing.T) {
	a, b := []string{"aa", "aa"}, []string{bold + "b" + reset}
	exact(t, JoinHorizontal(a, b, nil), 3, 2)
	if got := JoinVertical(a, a); len(got) != 4 {
		t.Errorf("%d lines, want 4", len(got))
	}
	if got := JoinHorizontal(); len(got) != 0 {
		t.Errorf("%d lines of nothing", len(got))
	}
}

// What is kept from the frame before never shows: every frame is as if it were the
// first.
func TestBesideIsAsJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kept Beside
		line := rapid.SampledFrom([]string{"aa", "bb", bold + "cc" + reset, "世"})
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			left, right := rapid.SliceOfN(line, 0, 5).Draw(t, "left"), rapid.SliceOfN(line, 0, 5).Draw(t, "right")
			got, want := kept.Join(left, right), JoinHorizontal(left, right)
			if !slices.Equal(got, want) {
				t.Fatalf("%q beside %q is %q, want %q", left, right, got, want)
			}
			clear(got) // It is the caller's.
		}
	})
}

func TestOver(t *testing.T) {
	under := []string{bold + "abcd" + reset, "efgh", "世界"}
	for _, c := range []struct {
		block []string
		x, y  int
		want  []string
	}{
		{[]string{"12", "34"}, 1, 1, []string{under[0], "e12h", " 34 "}},
		{[]string{red + "12" + reset}, 1, 0, []string{bold + "a" + reset + red + "12" + reset + bold + "d" + reset, "efgh", "世界"}},
		{[]string{"123", "456"}, 2, 2, []string{under[0], "efgh", "世12"}},
		{[]string{"123", "456"}, -1, -1, []string{"56" + bold + "cd" + reset, "efgh", "世界"}},
		{nil, 0, 0, under},
	} {
		if got := Over(under, c.block, c.x, c.y); !slices.Equal(got, c.want) {
			t.Errorf("Over(%q, %d, %d) = %q, want %q", c.block, c.x, c.y, got, c.want)
		}
	}
}

func TestOverIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := width().Draw(t, "w")
		under := FitBlock([]string{styledLine().Draw(t, "under"), styledLine().Draw(t, "under")}, w, 2)
		block := []string{styledLine().Draw(t, "block")}
		x, y := rapid.IntRange(-5, 60).Draw(t, "x"), rapid.IntRange(-1, 3).Draw(t, "y")
		exact(t, Over(under, block, x, y), w, 2)
	})
}
