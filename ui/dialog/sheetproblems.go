package dialog

import (
	"fmt"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// sheetProblems lists what is wrong with a file, line by line.
type sheetProblems struct {
	theme    *theme.Theme
	keys     *keymap.Map
	path     string
	problems []state.SheetProblem
	rows     rowList
}

func newSheetProblems(t *theme.Theme, sheet state.SheetFile, keys *keymap.Map) *sheetProblems {
	d := &sheetProblems{theme: t, keys: keys, path: sheet.Path, problems: sheet.Sheet.Problems, rows: newRowList()}
	for i := range d.problems {
		d.rows.order = append(d.rows.order, i)
	}
	return d
}

// Sync does nothing: the list is of the file as it was read.
func (*sheetProblems) Sync(*state.Store) {}

// Question is false: nothing is answered here.
func (*sheetProblems) Question() bool { return false }

// Paste does nothing.
func (*sheetProblems) Paste(string) {}

// Act closes the list, or reads the file again: it was mended meanwhile.
func (d *sheetProblems) Act(a keymap.Action) Result {
	switch a {
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		return Result{Close: true, Intents: []state.Intent{state.LoadSheet{Path: d.path}}}
	default:
		return Result{}
	}
}

// Type scrolls.
func (d *sheetProblems) Type(key, _ string) Result {
	d.rows.move(d.keys, key, false)
	return Result{}
}

// View draws the box.
func (d *sheetProblems) View(w, h int) []string {
	t := d.theme
	w = min(w, 96)
	inner := w - 2
	lines := d.rows.draw(t, inner, max(1, h-3), func(i int, r *widget.RowWriter) {
		r.Cell(t.Bad, t.Glyphs.Cross)
		r.Cell(t.Text, fmt.Sprintf("line %d", d.problems[i].Line))
		r.Cell(t.Bad, d.problems[i].Text)
	})
	lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Key, Text: " enter"}, widget.Span{Style: t.KeyText, Text: " read again  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " back  "},
		widget.Span{Style: t.Key, Text: "↑↓"}, widget.Span{Style: t.KeyText, Text: " rows"}))
	return framed(t, errorCount(len(d.problems))+" in "+d.path, lines, w, d.rows.table.Scroll())
}
