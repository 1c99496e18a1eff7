package screen

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/cardtop/cardtop/internal/rapidtest" // the same cases in each run
)

// pieces are what lines are made of in tests: every way to set a style, scripts
// of every width, and what must never reach a terminal.
var pieces = []string{
	"a", "b", " ", "   ", "status", "1,204.18", "──", "│", "●", "é", "ж", "漢", "字", "한", "🎉", "👨‍👩‍👧", "e\u0301", "🇩🇪", "\u200b", "\u0301",
	"\x1b[m", "\x1b[0m", "\x1b[1m", "\x1b[0;1;38;2;255;0;10m", "\x1b[38;5;33m", "\x1b[48;2;1;2;3m", "\x1b[7m", "\x1b[27m", "\x1b[22m", "\x1b[2m",
	"\x1b[0;4m", "\x1b[91m", "\x1b[104m", "\x1b[39m", "\x1b[49m", "\x1b[0;2;7m", "\x1b[31;44m", "\x1b[0;5;7mx\x1b[m", "\x1b[0;5;7m \x1b[m",
	"\x1b[2J", "\x1b[5;5H", "\x1b]52;c;QQ==\a", "\x1b]0;t\x1b\\", "\x1bc", "\x1b[?1049l", "\x1b", "\x1b[", "\r", "\n", "\t", "\x00", "\u009b31m", "\xff", "\x1b[>4;2m",
}

// fields are as wide as each other: what stands around one stays when it becomes
// another.
var fields = []string{"            ", "settled 1.20", "漢字漢字漢字", "\x1b[44m            ", "            ", "\x1b[7m      \x1b[27m      "}

func drawLine(t *rapid.T, w int) string {
	var b strings.Builder
	if rapid.Bool().Draw(t, "fields") {
		for range 2 {
			b.WriteString("│" + rapid.SampledFrom(fields).Draw(t, "field") + "\x1b[m")
		}
	}
	for range rapid.IntRange(0, w).Draw(t, "pieces") {
		b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
	}
	return b.String()
}

// expected is what an emulator shows that is given each cell of the lines.
func expected(lines []string, w, h int) string {
	caret := ""
	p := parser{measure: firstCluster, styles: newStyles(), clusters: newClusters()}
	e := newEmulator(w, h)
	row := make([]cell, w)
	for y := range h {
		line := ""
		if y < len(lines) {
			line = lines[y]
		}
		p.line(row, line)
		for x, c := range row {
			text := ""
			if c.width > 0 {
				text = string(p.clusters.append(nil, c.glyph))
			}
			e.cells[y*w+x] = shownCell{text, p.styles.all[c.style].drawn()}
		}
		if p.caret >= 0 {
			caret = fmt.Sprint("caret at ", p.caret, y)
		}
	}
	return e.text() + caret
}

// change draws the next frame from the one before: some of it stays, moves or
// is new.
func change(t *rapid.T, lines []string, w, h int) []string {
	out := append([]string(nil), lines...)
	switch rapid.IntRange(0, 4).Draw(t, "change") {
	case 0: // A scroll of some rows, with new ones coming in.
		if len(out) > 2 {
			by := rapid.IntRange(1, len(out)-1).Draw(t, "by")
			top := rapid.IntRange(0, len(out)-by).Draw(t, "top")
			copy(out[top:], out[top+by:])
		}
	case 1:
		if len(out) > 2 {
			by := rapid.IntRange(1, len(out)-1).Draw(t, "by")
			copy(out[by:], append([]string(nil), out...))
		}
	case 2:
		out = out[:0]
		for range rapid.IntRange(0, h+1).Draw(t, "rows") {
			out = append(out, drawLine(t, w))
		}
	default:
		for range rapid.IntRange(0, 4).Draw(t, "edits") {
			if len(out) > 0 {
				out[rapid.IntRange(0, len(out)-1).Draw(t, "row")] = drawLine(t, w)
			}
		}
	}
	return out
}

func TestTheTerminalShowsExactlyTheLastFrame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 32).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
		e, wr := newEmulator(w, h), newWriter(firstCluster, rapid.Bool().Draw(t, "no scroll"))
		var lines []string
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				w, h = rapid.IntRange(1, 32).Draw(t, "w"), rapid.IntRange(1, 12).Draw(t, "h")
				e.resize(w, h)
				wr.forget() // It may be of the same size again.
			case 1: // A write that was lost, and is known to be.
				wr.frame([]string{drawLine(t, w)}, w, h)
				wr.forget()
			case 2:
				e.resize(w, h)
				wr.forget()
			}
			lines = change(t, lines, w, h)
			if _, err := e.Write(wr.frame(lines, w, h)); err != nil {
				t.Fatal(err)
			}
			if got, want := e.text()+e.caret(), expected(lines, w, h); got != want {
				t.Fatalf("got\n%s\nwant\n%s\nof %q", got, want, lines)
			}
			if again := wr.frame(lines, w, h); len(again) > 0 {
				t.Fatalf("the same frame again writes %q", again)
			}
		}
	})
}

// TestMarksBesideALetterMoveNothing: the cells behind them are right on a terminal that draws a mark in its own cell, and on
// one that draws it over the letter.
func TestMarksBesideALetterMoveNothing(t *testing.T) {
	measure := func(s string) (text string, cells, n int) {
		if text, cells, n = firstCluster(s); text == spreading {
			cells = 2
		}
		return text, cells, n
	}
	for spread := 1; spread <= 2; spread++ {
		e, w := newEmulator(6, 1), newWriter(measure, false)
		e.spread = spread
		for _, line := range []string{"abcdef", "a\x1b[7m" + spreading + "\x1b[md" + spreading, spreading + spreading + spreading, "a" + spreading + "def", "abcdef"} {
			if _, err := e.Write(w.frame([]string{line}, 6, 1)); err != nil {
				t.Fatal(err)
			}
			row := make([]cell, 6)
			p := parser{measure: measure, styles: newStyles(), clusters: newClusters()}
			p.line(row, line)
			for x, c := range row {
				text, style := e.cells[x].text, p.styles.all[c.style].drawn()
				blank := spread == 1 && c.width == 0 && text == " "
				if c.width > 0 && text != string(p.clusters.append(nil, c.glyph)) || c.width == 0 && text != "" && !blank || e.cells[x].style != style {
					t.Errorf("%q, marks of %d cells: at %d is %q in %v, want %v", line, spread, x, text, e.cells[x].style, style)
				}
			}
		}
	}
}

func TestOnlyWhatDiffersIsWritten(t *testing.T) {
	row := func(i, n int) string {
		return fmt.Sprintf("\x1b[0;38;2;1;2;3m│\x1b[0m card %03d  漢字 🎉 \x1b[0;1m%9d\x1b[0m  active", i, n)
	}
	for _, tc := range []struct {
		name      string
		from, to  []string
		atMost    int
		mustWrite string
	}{
		{"one figure", []string{row(1, 100), row(2, 7)}, []string{row(1, 101), row(2, 7)}, 14, "1"},
		{"a line that ends sooner", []string{"a long line of text that goes"}, []string{"a"}, 11, "\x1b[K"},
		{"a caret that stays", []string{"name \x1b[0;5;7m \x1b[0m"}, []string{"name \x1b[0;5;7m \x1b[0m"}, 0, ""},
		{"a caret behind a letter", []string{"name \x1b[0;5;7m \x1b[0m"}, []string{"name a\x1b[0;5;7m \x1b[0m"}, 10, "a"},
		{"a caret that goes", []string{"name \x1b[0;5;7m \x1b[0m"}, []string{"name"}, 18, "\x1b[?25l"},
		{"nothing", []string{row(1, 1)}, []string{row(1, 1)}, 0, ""},
		{"rows that move", lines(10, row, 0), lines(10, row, 1), 80, "\x1b[S"},
		{"rows that move down", lines(10, row, 1), lines(10, row, 0), 80, "\x1b[T"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWriter(firstCluster, false)
			w.frame(tc.from, 80, 12)
			b := string(w.frame(tc.to, 80, 12))
			if len(b) > tc.atMost || !strings.Contains(b, tc.mustWrite) {
				t.Errorf("%d bytes, at most %d: %q", len(b), tc.atMost, b)
			}
		})
	}
}

func lines(n int, row func(i, n int) string, from int) []string {
	var out []string
	for i := range n {
		out = append(out, row(from+i, 7*(from+i)))
	}
	return out
}
