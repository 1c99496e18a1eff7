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
	keys  *keymap.Map
	rows  state.Rows
	table *widget.Table
	all   []state.WriteRows
}

// NewExport makes the dialog.
func NewExport(t *theme.Theme, keys *keymap.Map, rows state.Rows) *Export {
	e := &Export{theme: t, keys: keys, rows: rows}
	for _, clipboard := range []bool{false, true} {
		for _, f := range []state.Format{state.CSV, state.JSON, state.JSONLines} {
			e.all = append(e.all, state.WriteRows{Rows: rows, Format: f, Copy: clipboard})
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

// Type exports by the number of a way, or moves.
func (e *Export) Type(key, _ string) Result {
	if len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < len(e.all) {
		return e.choose(int(key[0] - '1'))
	}
	switch a, _ := e.keys.Resolve(key, keymap.Lists); a {
	case keymap.Up:
		e.table.Move(-1)
	case keymap.Down:
		e.table.Move(1)
	default:
	}
	return Result{}
}

func (e *Export) choose(at int) Result {
	return Result{Close: true, Intents: []state.Intent{e.all[at]}}
}

// View draws the box.
func (e *Export) View(w, h int) []string {
	t := e.theme
	w = min(w, 50)
	inner := w - 2
	e.table.SetStyles(widget.TableStyles{Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted})
	e.table.SetSize(inner, min(len(e.all), max(1, h-3)))
	lines := e.table.Draw(true, func(i int, w *widget.RowWriter) {
		where := "to a new file"
		if e.all[i].Copy {
			where = "to the clipboard"
		}
		w.Cell(t.Key, fmt.Sprint(i+1))
		w.Cell(t.Text, string(e.all[i].Format))
		w.Cell(t.Muted, where)
	})
	lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Key, Text: " enter"}, widget.Span{Style: t.KeyText, Text: " export  "},
		widget.Span{Style: t.Key, Text: "esc"}, widget.Span{Style: t.KeyText, Text: " back"}))
	return framed(t, fmt.Sprintf("Export %d of the %s", e.rows.N, e.rows.What), lines, w, e.table.Scroll())
}
