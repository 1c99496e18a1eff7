package widget

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLayout(t *testing.T) {
	cols := []Column{
		{Min: 1},
		{Min: 8, Weight: 2},
		{Min: 9, Max: 9, Priority: 1},
		{Min: 10, Weight: 1, Max: 14, Priority: 3},
		{Min: 4, Priority: 2},
	}
	for _, c := range []struct {
		w    int
		want string
	}{
		{100, "[1 64 9 14 4]"},
		{44, "[1 11 9 11 4]"},
		{40, "[1 8 9 10 4]"},
		{39, "[1 19 9 0 4]"},
		{28, "[1 8 9 0 4]"},
		{27, "[1 13 9 0 0]"},
		{11, "[1 8 0 0 0]"},
		{9, "[1 6 0 0 0]"},
		{1, "[1 0 0 0 0]"},
		{0, "[0 0 0 0 0]"},
		{-3, "[0 0 0 0 0]"},
	} {
		if got := fmt.Sprint(Layout(cols, c.w, 2)); got != c.want {
			t.Errorf("Layout at %d = %s, want %s", c.w, got, c.want)
		}
	}
}

func TestLayoutDropsTheRightmostOfEquals(t *testing.T) {
	cols := []Column{{Min: 4, Priority: 1}, {Min: 4, Priority: 1}, {Min: 4}}
	if got := fmt.Sprint(Layout(cols, 10, 1)); got != "[4 0 4]" {
		t.Errorf("widths %s", got)
	}
}

func TestLayoutNeverOverflows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Column {
			return Column{
				Min: rapid.IntRange(-1, 30).Draw(t, "min"), Max: rapid.IntRange(0, 40).Draw(t, "max"),
				Weight: rapid.IntRange(0, 3).Draw(t, "weight"), Priority: rapid.IntRange(0, 3).Draw(t, "priority"),
			}
		}), 0, 9).Draw(t, "cols")
		w, gap := width().Draw(t, "w"), rapid.IntRange(0, 3).Draw(t, "gap")
		if sum := total(Layout(cols, w, gap), gap); sum > w {
			t.Fatalf("%d cells in %d", sum, w)
		}
	})
}

func testTable(rows, w, h int) *Table {
	t := NewTable(TableConfig{
		Columns: []Column{
			{Title: "", Min: 1},
			{Title: "label", Min: 10, Weight: 1},
			{Title: "card", Min: 9, Priority: 1},
			{Title: "balance", Min: 10, Align: Right},
			{Title: "spent 24h", Min: 10, Align: Right, Priority: 2},
			{Title: "last", Min: 4, Priority: 3},
		},
		Gap: 2, Header: true, Empty: text("nothing here"),
		Styles: TableStyles{
			Header: "\x1b[0;2m", Sorted: bold, Cursor: "\x1b[0;7m", CursorIdle: "\x1b[0;4m", Gutter: "\x1b[0;36m", Empty: "\x1b[0;2m",
		},
	})
	t.SetSize(w, h)
	t.SetRows(rows)
	return t
}

func drawTestRow(i int, w *RowWriter) {
	if i%3 == 2 {
		w.Mark()
	}
	w.Cell("\x1b[0;32m", "●")
	w.Cell("", "fb/spring/"+strconv.Itoa(i))
	w.Cell("\x1b[0;2m", "•••• 2039")
	w.Cell(bold, "182.40")
	w.Span("", "4")
	w.Span(red, "12.10")
	w.EndCell()
	w.Cell("\x1b[0;2m", "2s")
}

func TestTableGolden(t *testing.T) {
	tb := testTable(20, 70, 8)
	tb.SetSort(3, true)
	tb.Move(2)
	golden(t, "table", tb.Draw(true, drawTestRow))
	tb.SetSize(40, 5)
	tb.SetSort(1, false)
	golden(t, "table_narrow", tb.Draw(false, drawTestRow))
	tb.SetRows(0)
	golden(t, "table_empty", tb.Draw(true, drawTestRow))
}

func TestTableCursorRowIsOneStyle(t *testing.T) {
	tb := testTable(5, 70, 8)
	tb.Move(2)
	line := tb.Draw(true, drawTestRow)[3]
	if !strings.HasPrefix(line, "\x1b[0;7m"+bothMark) || strings.Count(line, "\x1b") != 2 {
		t.Errorf("the bar is broken: %q", line)
	}
}

func TestTableMoves(t *testing.T) {
	tb := testTable(100, 40, 11) // ten rows on screen
	check := func(what string, cursor, offset int) {
		t.Helper()
		if c, ok := tb.Cursor(); c != cursor || tb.Offset() != offset || !ok {
			t.Errorf("%s: cursor %d offset %d, want %d %d", what, c, tb.Offset(), cursor, offset)
		}
	}
	tb.Move(-1)
	check("up at the top", 0, 0)
	tb.Move(9)
	check("to the last line", 9, 0)
	tb.Move(1)
	check("one further", 10, 1)
	tb.Page(1)
	check("page down", 20, 11)
	tb.Page(-1)
	check("page up", 10, 1)
	tb.End()
	check("end", 99, 90)
	tb.Page(1)
	check("page at the end", 99, 90)
	tb.SetRows(50)
	check("fewer rows", 49, 40)
	tb.Home()
	check("home", 0, 0)
	tb.ScrollTo(5)
	check("wheel down", 5, 5)
	tb.ScrollTo(3)
	check("wheel up", 5, 3)
	tb.ScrollTo(-8)
	check("wheel past the top", 5, 0)
	tb.ScrollTo(999)
	check("wheel past the end", 40, 40)
	tb.SetRows(3)
	check("all fit", 2, 0)
	tb.SetRows(0)
	if _, ok := tb.Cursor(); ok {
		t.Error("a cursor on no row")
	}
}

func TestTableHits(t *testing.T) {
	tb := testTable(100, 70, 11)
	tb.ScrollTo(30)
	if _, ok := tb.RowAt(0); ok {
		t.Error("the header is no row")
	}
	if i, ok := tb.RowAt(1); i != 30 || !ok {
		t.Errorf("first line is row %d %v", i, ok)
	}
	if _, ok := tb.RowAt(11); ok {
		t.Error("a row below the table")
	}
	tb.SetRows(2)
	if _, ok := tb.RowAt(3); ok {
		t.Error("a row after the last")
	}
	at := Strip(tb.Draw(true, drawTestRow)[0])
	if c, ok := tb.ColumnAt(len(at[:strings.Index(at, "balance")])); c != 3 || !ok {
		t.Errorf("the title balance is column %d %v", c, ok)
	}
	if _, ok := tb.ColumnAt(0); ok {
		t.Error("the gutter is no column")
	}
	if _, ok := tb.ColumnAt(500); ok {
		t.Error("a column past the end")
	}
}

// TestTableIsDrawnMovedAsAnew moves about and changes how the table looks; what is kept
// of a row never shows.
func TestTableIsDrawnMovedAsAnew(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tb, anew := testTable(30, 70, 8), testTable(30, 70, 8)
		focused := true
		number := func(name string, most int) int { return rapid.IntRange(-1, most).Draw(t, name) }
		steps := map[string]func(*Table, int){
			"move":   func(tb *Table, n int) { tb.Move(n) },
			"page":   func(tb *Table, n int) { tb.Page(n) },
			"scroll": func(tb *Table, n int) { tb.ScrollTo(n) },
			"rows":   func(tb *Table, n int) { tb.SetRows(n) },
			"size":   func(tb *Table, n int) { tb.SetSize(40+n, n) },
			"sort":   func(tb *Table, n int) { tb.SetSort(n%6, n%2 == 0) },
			"gap":    func(tb *Table, n int) { tb.SetGap(max(0, n%4)) },
			"pin":    func(tb *Table, n int) { tb.cfg.Pinned = n%2 == 0 },
			"empty":  func(tb *Table, n int) { tb.cfg.Empty = text(strconv.Itoa(n)) },
			"tail":   func(tb *Table, n int) { tb.SetTail(strconv.Itoa(n)) },
			"header": func(tb *Table, n int) { tb.SetHeader(n%2 == 0) },
			"styles": func(tb *Table, n int) { tb.SetStyles(TableStyles{Text: []string{"", bold, red}[max(0, n%3)]}) },
		}
		names := slices.Sorted(maps.Keys(steps))
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			name := rapid.SampledFrom(append(names, "move", "move", "focus")).Draw(t, "step")
			if n := number(name, 12); name == "focus" {
				focused = n%2 == 0
			} else {
				steps[name](tb, n)
				steps[name](anew, n)
			}
			got, want := tb.DrawMoved(focused, drawTestRow), anew.Draw(focused, drawTestRow)
			if !slices.Equal(got, want) {
				t.Fatalf("after %s\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			clear(got) // It is the caller's.
		}
	})
}

func TestTableDrawsAnewWhatChanged(t *testing.T) {
	tb, text := testTable(5, 40, 6), "before"
	row := func(_ int, w *RowWriter) { w.Cell("", text) }
	tb.SetColumns([]Column{{Min: 10}})
	tb.Draw(true, row)
	text = "after"
	if got := strings.Join(tb.Draw(true, row), "\n"); strings.Contains(got, "before") || strings.Count(got, "after") != 5 {
		t.Errorf("drawn anew:\n%s", got)
	}
}

func text(s string) func() string { return func() string { return s } }

func TestTableIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := width().Draw(t, "w"), rapid.IntRange(0, 12).Draw(t, "h")
		tb := testTable(rapid.IntRange(0, 20).Draw(t, "rows"), w, h)
		tb.SetSort(rapid.IntRange(-1, 7).Draw(t, "sort"), rapid.Bool().Draw(t, "desc"))
		tb.cfg.Empty = text(hostile().Draw(t, "empty"))
		tb.SetTail(hostile().Draw(t, "tail"))
		tb.Move(rapid.IntRange(0, 30).Draw(t, "move"))
		a, b := hostile().Draw(t, "a"), hostile().Draw(t, "b")
		cells := rapid.IntRange(0, 9).Draw(t, "cells")
		lines := tb.Draw(rapid.Bool().Draw(t, "focused"), func(i int, w *RowWriter) {
			if i%2 == 0 {
				w.Mark()
			}
			for c := range cells {
				switch (i + c) % 3 {
				case 0:
					w.Cell(red, a)
				case 1:
					w.Span(bold, b)
					w.Span("", a)
				default:
					w.EndCell()
				}
			}
		})
		exact(t, lines, w, h)
	})
}

func TestTheTailScrollsWithTheRowsAndTheCursorPassesItBy(t *testing.T) {
	tb := testTable(20, 70, 6)
	tb.SetTail("no more")
	shows := func(want bool) {
		t.Helper()
		if got := strings.Contains(strings.Join(tb.Draw(true, drawTestRow), "\n"), "no more"); got != want {
			t.Errorf("offset %d: the tail shows: %v", tb.Offset(), got)
		}
	}
	shows(false)
	tb.End()
	shows(true)
	if i, _ := tb.Cursor(); i != 19 || tb.Offset() != 16 {
		t.Errorf("cursor %d, offset %d", i, tb.Offset())
	}
	tb.ScrollTo(99)
	shows(true)
	if i, ok := tb.RowAt(5); ok {
		t.Errorf("row %d is on the line of the tail", i)
	}
	tb.Move(-4)
	shows(false)
	tb.SetSize(70, 2)
	tb.End()
	shows(false)
}

// TestAPinnedRowStaysOnTopOfTheOthers: whatever moves the cursor, it and the first
// row are drawn, in order, each where a click finds it.
func TestAPinnedRowStaysOnTopOfTheOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h, rows := rapid.IntRange(1, 8).Draw(t, "h"), rapid.IntRange(1, 20).Draw(t, "rows")
		tb := NewTable(TableConfig{Columns: []Column{{Min: 4}}, Pinned: true, Header: h > 3 && rapid.Bool().Draw(t, "header")})
		tb.SetSize(10, h)
		tb.SetRows(rows)
		for range rapid.IntRange(1, 6).Draw(t, "moves") {
			switch by := rapid.IntRange(-9, 9).Draw(t, "by"); rapid.IntRange(0, 4).Draw(t, "how") {
			case 0:
				tb.Move(by)
			case 1:
				tb.Page(by)
			case 2:
				tb.ScrollTo(by)
			case 3:
				tb.End()
			default:
				tb.Home()
			}
			var drawn []int
			exact(t, tb.Draw(true, func(i int, _ *RowWriter) { drawn = append(drawn, i) }), 10, h)
			cursor, _ := tb.Cursor()
			if v := tb.Visible(); len(drawn) != min(v, rows) || v > 1 && drawn[0] != 0 || !slices.Contains(drawn, cursor) || !slices.IsSorted(drawn) {
				t.Fatalf("%d of %d rows, the cursor on %d: %v", v, rows, cursor, drawn)
			}
			for y, want := range drawn {
				if i, ok := tb.RowAt(y + tb.h - tb.Visible()); !ok || i != want {
					t.Fatalf("line %d is row %d, not %d", y, i, want)
				}
			}
		}
	})
}

func TestAPagePassesByNoRow(t *testing.T) {
	tb := NewTable(TableConfig{Columns: []Column{{Min: 4}}, Pinned: true})
	tb.SetSize(10, 4)
	tb.SetRows(20)
	seen := make(map[int]bool)
	for range 8 {
		tb.Draw(true, func(i int, _ *RowWriter) { seen[i] = true })
		tb.Page(1)
	}
	if len(seen) != 20 {
		t.Errorf("%d of 20 rows are seen", len(seen))
	}
}

func TestTableDrawsOnlyVisibleRows(t *testing.T) {
	tb := testTable(1_000_000, 160, 45)
	tb.End()
	n := 0
	tb.Draw(true, func(int, *RowWriter) { n++ })
	if n != 44 {
		t.Errorf("%d rows asked for, want 44", n)
	}
}

// TestWhatStandsForNoRowsIsSaidInFull: in as many lines as it takes, cut where
// there are not as many.
func TestWhatStandsForNoRowsIsSaidInFull(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want string
	}{
		{40, 3, "no cards yet: d deposits||"},
		{16, 3, "no cards yet: d|deposits|"},
		{12, 2, "no cards|yet: d dep…"},
		{12, 0, ""},
	} {
		tb := NewTable(TableConfig{Columns: []Column{{Min: 4}}, Empty: text("no cards yet: d deposits")})
		tb.SetSize(c.w, c.h)
		lines := tb.Draw(true, drawTestRow)
		for i, l := range lines {
			lines[i] = strings.TrimSpace(Strip(l))
		}
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%dx%d: %q", c.w, c.h, got)
		}
	}
}
