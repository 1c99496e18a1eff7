package dialog

import (
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/internal/cardcsv"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// sheetProblems lists what is wrong with a file, line by line.
type sheetProblems struct {
	theme    *theme.Theme
	path     string
	problems []cardcsv.Problem
	right    int // rows that nothing is wrong with
	rowList
}

// rest tells what becomes of the rows that are right.
func (d *sheetProblems) rest() string {
	if d.right == 1 {
		return "1 row is right; none is issued until all are"
	}
	return fmt.Sprintf("%d rows are right; none is issued until all are", d.right)
}

func newSheetProblems(t *theme.Theme, sheet state.SheetFile, all []cardcsv.Problem) *sheetProblems {
	d := &sheetProblems{theme: t, path: sheet.Path, problems: all, rowList: newRowList()}
	wrong := make(map[int]bool)
	for i, p := range all {
		d.order = append(d.order, i)
		wrong[p.Line] = true
	}
	for _, row := range sheet.Sheet.Rows {
		if !wrong[row.Line] {
			d.right++
		}
	}
	d.table.SetRows(len(all))
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

// Type does nothing.
func (*sheetProblems) Type(_, _ string) Result { return Result{} }

// View draws the box.
func (d *sheetProblems) View(w, h int) []string {
	t := d.theme
	w = min(w, 96)
	inner := w - 2
	var foot []string
	if at, ok := d.table.Cursor(); ok { // Its row may be too short for it.
		foot = paragraph(inner, t.Bad, d.problems[at].Text)
	}
	foot = append(foot, paragraph(inner, t.Muted, d.rest())...)
	keys := keyLines(t, inner, "enter read again", "esc back", "↑↓ rows")
	return d.view(t, errorCount(len(d.problems))+" in "+d.path, w, h, nil, foot, keys, func(i int, r *widget.RowWriter) {
		r.Cell(t.Bad, t.Glyphs.Cross)
		r.Cell(t.Text, strings.TrimRight(fmt.Sprintf("line %d  %s", d.problems[i].Line, d.problems[i].Column), " "))
		r.Cell(t.Bad, d.problems[i].Text)
	})
}
