package widget

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	for _, c := range []struct {
		in    string
		w     int
		align Align
		want  string
	}{
		{"abc", 3, Left, "abc"},
		{"abc", 5, Left, "abc  "},
		{"abc", 5, Right, "  abc"},
		{"abc", 6, Center, " abc  "},
		{"abcdef", 4, Left, "abc…"},
		{"abcdef", 4, Right, "abc…"},
		{"abc", 1, Left, "…"},
		{"abc", 0, Left, ""},
		{"abc", -1, Left, ""},
		{"", 2, Left, "  "},
		{"世界", 4, Left, "世界"},
		{"世界", 3, Left, "世…"},
		{"世界人", 4, Left, "世… "},
		{"世界", 2, Left, "… "},
		{"e\u0301x", 2, Left, "e\u0301x"},
		{"a\tb\nc", 5, Left, "a b c"},
		{"a\x1b[31mb", 6, Left, "a[31mb"},
		{"\u202eabc", 3, Left, "abc"},
		{"a\u009bb", 2, Left, "ab"},
		{"a\xffb", 3, Left, "a\uFFFDb"},
		{"👨‍👩‍👧", 2, Left, "👨"},
		{"👩\u200d", 2, Left, "👩"},
		{"❤️x", 2, Left, "❤x"},
		{"🇺🇸", 2, Left, "🇺🇸"},
	} {
		if got := Fit(c.in, c.w, c.align); got != c.want {
			t.Errorf("Fit(%q, %d, %d) = %q, want %q", c.in, c.w, c.align, got, c.want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abc", 9, "abc"},
		{"abcd", 3, "ab…"},
		{"世界", 3, "世…"},
		{"abc", 0, ""},
		{"a\x1bb", 9, "ab"},
	} {
		if got := Truncate(c.in, c.w); got != c.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestFitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, w := hostile().Draw(t, "s"), width().Draw(t, "w")
		a := rapid.SampledFrom([]Align{Left, Right, Center}).Draw(t, "align")
		exact(t, []string{Fit(s, w, a)}, w, 1)
		cut := Truncate(s, w)
		if got := Width(s); got <= w {
			exact(t, []string{cut}, got, 1)
		} else if Width(cut) > w {
			t.Fatalf("Truncate gave %d cells, want at most %d", Width(cut), w)
		}
	})
}

func TestNeighboursDoNotJoin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := hostile().Draw(t, "a"), hostile().Draw(t, "b")
		wa, wb := Width(a), Width(b)
		exact(t, []string{Fit(a, wa, Left) + Fit(b, wb, Left)}, wa+wb, 1)
	})
}

func TestSpans(t *testing.T) {
	got := Spans(8, Span{"\x1b[0;1m", "ab"}, Span{"", "cd"}, Span{"\x1b[0;2m", "efghij"})
	if want := "\x1b[0;1mab\x1b[mcd\x1b[0;2mefg…\x1b[m"; got != want {
		t.Errorf("Spans gave %q, want %q", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		w := width().Draw(t, "w")
		line := Spans(w, Span{"\x1b[0;1m", hostile().Draw(t, "a")}, Span{"", hostile().Draw(t, "b")})
		exact(t, []string{line}, w, 1)
	})
}

func TestSimpleRunesAreAsWideAsTheyAre(t *testing.T) {
	for r := rune(0x80); r < 0x20000; r++ {
		cells := simple(r)
		if cells == 0 {
			continue
		}
		text := string(r)
		if w, ok := agreed(text); w != cells || !ok {
			t.Errorf("%U is %d cells, not %d", r, w, cells)
		}
		for _, after := range []string{"a", "世", "é", text} {
			if c, _ := ansi.FirstGraphemeCluster(text+after, ansi.GraphemeWidth); c != text {
				t.Errorf("%U joins %q", r, after)
			}
		}
	}
}

// TestMarksOfOtherScriptsAreDrawn whole, also those that stand beside their letter.
func TestMarksOfOtherScriptsAreDrawn(t *testing.T) {
	for text, cells := range map[string]int{"हिन्दी": 5, "ກຳນົດ": 4, "ﾊﾞｽ": 3, "กำไร": 4, "தமிழ்": 4, "عَرَبِيّ": 4, "é": 1} {
		if got := Truncate(text, 20); got != text || Width(text) != cells {
			t.Errorf("%s is drawn as %s in %d cells, want %d", text, got, Width(text), cells)
		}
	}
	if got := Truncate("👩‍👩‍👧 ads", 20); got != "👩 ads" {
		t.Errorf("a family is %q", got)
	}
}
