package widget

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestFrameGolden(t *testing.T) {
	st := FrameStyles{Border: "\x1b[0;2m", BorderFocused: "\x1b[0;34m", Thumb: bold}
	f := Frame{
		Title:  []Span{{bold, "1 Cards"}, {"", "  48 · 41 active · 3 frozen"}},
		Right:  []Span{{"", "stale"}},
		Foot:   []Span{{"", "every 1s · 0.4s"}},
		Styles: st,
	}
	body := []string{" ● fb/spring/01      •••• 2039    182.40", bold + " ❄ tt/test/04" + reset, "世界世界世界世界世界世界世界世界世界世界世界世界世界世界世界"}
	golden(t, "frame", f.Draw(body, 60, 6))
	f.Focused = true
	f.Scroll = Scroll{Offset: 40, Visible: 4, Total: 100}
	golden(t, "frame_focused", f.Draw(body, 44, 8))
	golden(t, "frame_narrow", f.Draw(body, 16, 5))
}

func TestFrameIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := width().Draw(t, "w"), rapid.IntRange(0, 12).Draw(t, "h")
		f := Frame{
			Title:   []Span{{bold, hostile().Draw(t, "title")}, {"", hostile().Draw(t, "more")}},
			Right:   []Span{{red, hostile().Draw(t, "right")}},
			Leave:   []Span{{red, hostile().Draw(t, "leave")}},
			Foot:    []Span{{red, hostile().Draw(t, "foot")}},
			Focused: rapid.Bool().Draw(t, "focused"),
			Scroll:  Scroll{rapid.IntRange(-5, 50).Draw(t, "offset"), h - 2, rapid.IntRange(0, 60).Draw(t, "total")},
		}
		exact(t, f.Draw([]string{styledLine().Draw(t, "line"), ""}, w, h), w, h)
	})
}

// TestFramingIsAsDrawn holds that what is kept of the frame before never shows: every
// frame is as if it were the first.
func TestFramingIsAsDrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var kept Framing
		line := rapid.SampledFrom([]string{"", "aa", "bb", bold + "cc" + reset, "世", "a longer one"})
		style := rapid.SampledFrom([]string{"", bold, red})
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			f := Frame{
				Title: []Span{{bold, line.Draw(t, "title")}}, Foot: []Span{{red, line.Draw(t, "foot")}}, Focused: rapid.Bool().Draw(t, "focused"),
				Scroll: Scroll{rapid.IntRange(0, 5).Draw(t, "offset"), 3, rapid.IntRange(0, 8).Draw(t, "total")},
				Styles: FrameStyles{Border: style.Draw(t, "border"), BorderFocused: bold, Thumb: style.Draw(t, "thumb")},
			}
			w, h := rapid.IntRange(0, 14).Draw(t, "w"), rapid.IntRange(0, 9).Draw(t, "h")
			if rapid.Bool().Draw(t, "usual") {
				w, h = 12, 7
			}
			body := rapid.SliceOfN(line, 0, 8).Draw(t, "body")
			got, want := kept.Draw(f, body, w, h), f.Draw(body, w, h)
			if !slices.Equal(got, want) {
				t.Fatalf("%q, want %q", got, want)
			}
			clear(got) // It is the caller's.
			clear(body)
		}
	})
}

func TestThumb(t *testing.T) {
	for _, c := range []struct {
		s           Scroll
		track       int
		first, last int
	}{
		{Scroll{0, 10, 10}, 10, 0, 0},
		{Scroll{0, 10, 100}, 10, 0, 1},
		{Scroll{90, 10, 100}, 10, 9, 10},
		{Scroll{45, 10, 100}, 10, 5, 6},
		{Scroll{0, 10, 20}, 10, 0, 5},
		{Scroll{10, 10, 20}, 10, 5, 10},
		{Scroll{999990, 10, 1000000}, 10, 9, 10},
		{Scroll{0, 0, 100}, 10, 0, 0},
	} {
		if first, last := c.s.thumb(c.track); first != c.first || last != c.last {
			t.Errorf("%+v: thumb [%d,%d), want [%d,%d)", c.s, first, last, c.first, c.last)
		}
	}
}
