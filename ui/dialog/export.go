package dialog

import (
	"fmt"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Export asks in which format rows are exported and where to.
type Export struct {
	theme *theme.Theme
	rows  state.Rows
	dir   string
	cursored
	all []exportWay
}

// exportWay is one row of the dialog.
type exportWay struct {
	state.WriteRows
	where string
}

// NewExport makes the dialog. Files land in dir.
func NewExport(t *theme.Theme, rows state.Rows, dir string) *Export {
	e := &Export{theme: t, rows: rows, dir: dir}
	for _, clipboard := range []bool{false, true} {
		for _, f := range []state.Format{state.CSV, state.TSV, state.JSON, state.JSONLines} {
			way := exportWay{state.WriteRows{Rows: rows, Format: f, Copy: clipboard}, "to a new file"}
			if clipboard {
				size, _ := rows.CopySize(f)
				way.where = "to the clipboard: " + size
			}
			e.all = append(e.all, way)
		}
	}
	e.table = widget.NewTable(widget.TableConfig{Gap: 2, Columns: []widget.Column{{Min: 1, Max: 1}, {Min: 10, Max: 10}, {Min: 12, Weight: 1}}})
	e.table.SetRows(len(e.all))
	return e
}

// Context is where the dialog's keys are looked up.
func (*Export) Context() keymap.Context { return keymap.Form }

// Question is false: nothing is at stake.
func (*Export) Question() bool { return false }

// Sync does nothing: the rows are those that were seen.
func (*Export) Sync(*state.Store) {}

// Paste does nothing.
func (*Export) Paste(string) {}

// Act moves, exports, or closes.
func (e *Export) Act(a keymap.Action) Result {
	switch a {
	case keymap.NextField:
		e.table.Move(1)
	case keymap.PrevField:
		e.table.Move(-1)
	case keymap.Cancel:
		return Result{Close: true}
	case keymap.Confirm:
		at, _ := e.table.Cursor()
		return e.choose(at)
	default:
	}
	return Result{}
}

// Type exports by the number of a way.
func (e *Export) Type(key, _ string) Result {
	if len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < len(e.all) {
		return e.choose(int(key[0] - '1'))
	}
	return Result{}
}

func (e *Export) choose(at int) Result {
	return Result{Close: true, Intents: []state.Intent{e.all[at].WriteRows}}
}

// View draws the box.
func (e *Export) View(w, h int) []string {
	t := e.theme
	w = min(w, max(52, widget.Width(e.dir)+len("  files in ")+3))
	inner := w - 2
	folder := e.folder(inner-2, h)
	e.table.SetStyles(widget.TableStyles{Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted})
	e.table.SetSize(inner, min(len(e.all), max(1, h-3-len(folder))))
	lines := e.table.Draw(true, func(i int, w *widget.RowWriter) {
		w.Cell(t.Key, fmt.Sprint(i+1))
		w.Cell(t.Text, string(e.all[i].Format))
		w.Cell(t.Muted, e.all[i].where)
	})
	lines = append(lines, folder...)
	lines = append(lines, keyLines(t, inner, "enter export", "esc back")...)
	return scrolled(t, fmt.Sprintf("Export %d of the %s", e.rows.N, e.rows.What), lines, w, e.table.Scroll())
}

// folder says where a file lands and who may read it, as far as there is room
// beside the ways.
func (e *Export) folder(w, h int) []string {
	if e.dir == "" {
		return nil
	}
	var lines []string
	for _, text := range append(widget.Wrap("files in "+e.dir, w), "a new name each time, for you alone to read") {
		lines = append(lines, widget.Spans(w+2, widget.Span{Style: e.theme.Muted, Text: "  " + text}))
	}
	return lines[:max(0, min(len(lines), h-3-len(e.all)))]
}
