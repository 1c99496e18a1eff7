package dialog

import (
	"fmt"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Export asks in which format rows are exported and where to. A key turns
// between two kinds of rows, where there are two: as they are or with those that
// are read first, one by one or the sums of their groups.
type Export struct {
	theme *theme.Theme
	asked state.ExportRows
	other bool // the other kind of rows
	dir   string
	cursored
	all []exportWay
}

// exportWay is one row of the dialog.
type exportWay struct {
	format state.Format
	copy   bool
	where  string
}

// NewExport makes the dialog. Files land in dir.
func NewExport(t *theme.Theme, in state.ExportRows, dir string) *Export {
	e := &Export{theme: t, asked: in, dir: dir, other: in.Wanted && (in.Rest != nil || in.Sums.N > 0)}
	e.table = widget.NewTable(widget.TableConfig{Gap: 2, Columns: []widget.Column{{Min: 1, Max: 1}, {Min: 10, Max: 10}, {Min: 12, Weight: 1}}})
	e.list()
	return e
}

// list lists the ways to export the rows.
func (e *Export) list() {
	e.all = e.all[:0]
	for _, clipboard := range []bool{false, true} {
		for _, f := range []state.Format{rows.CSV, rows.TSV, rows.JSON, rows.JSONLines} {
			way := exportWay{f, clipboard, "to a new file"}
			if clipboard {
				size, fits := e.rows().CopySize(f)
				if way.where = "to the clipboard: " + size; fits && e.reads() {
					way.where += " and more"
				}
			}
			e.all = append(e.all, way)
		}
	}
	e.table.SetRows(len(e.all))
}

// reads tells whether more rows are read first.
func (e *Export) reads() bool { return e.other && e.asked.Rest != nil }

// rows are those that are exported, as far as they are there.
func (e *Export) rows() state.Rows {
	if e.other && e.asked.Rest == nil {
		return e.asked.Sums
	}
	return e.asked.Rows
}

// kind says which rows are exported and what the key turns to; empty where there
// is one kind.
func (e *Export) kind() (is, key string) {
	switch lacks := e.asked.Rows.Lacks; {
	case e.reads():
		return "older ones are read first", "space without them"
	case e.asked.Rest != nil:
		return "partial: " + lacks.Text, "space read older first"
	case e.asked.Sums.N > 0 && e.other:
		return "the sums of the groups", "space the cards"
	case e.asked.Sums.N > 0:
		return "one by one, with their group", "space the sums"
	case !lacks.IsWhole():
		return "partial: " + lacks.Text, ""
	}
	return "", ""
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

// Type exports by the number of a way, or turns to the other kind of rows.
func (e *Export) Type(key, _ string) Result {
	if _, turns := e.kind(); key == "space" && turns != "" {
		e.other = !e.other
		e.list()
		return Result{}
	}
	if len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < len(e.all) {
		return e.choose(int(key[0] - '1'))
	}
	return Result{}
}

func (e *Export) choose(at int) Result {
	way, rows := e.all[at], e.rows()
	write := state.WriteRows{Rows: rows, Format: way.format, Copy: way.copy}
	if _, fits := rows.CopySize(way.format); !e.reads() || way.copy && !fits {
		return Result{Close: true, Intents: []state.Intent{write}}
	}
	return Result{Close: true, Push: newReadRest(e.theme, write, e.asked), Intents: []state.Intent{state.ReadRest{Rest: *e.asked.Rest}}}
}

// View draws the box.
func (e *Export) View(w, h int) []string {
	t := e.theme
	w = min(w, max(52, widget.Width(e.dir)+len("  files in ")+3))
	inner := w - 2
	keys := []string{"enter export", "esc back"}
	var lines []string
	is, turns := e.kind()
	if turns != "" {
		keys = append(keys, turns)
	}
	if is != "" {
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Warn, Text: "  " + is}))
	}
	hints := keyLines(t, inner, keys...)
	besides := 2 + len(hints) + len(lines)
	folder := e.folder(inner-2, h-besides)
	e.table.SetStyles(widget.TableStyles{Text: t.Text, Cursor: t.Selection, CursorIdle: t.Muted, Gutter: t.Mark, Empty: t.Muted})
	e.table.SetSize(inner, min(len(e.all), max(1, h-besides-len(folder))))
	lines = append(lines, e.table.Draw(true, func(i int, w *widget.RowWriter) {
		w.Cell(t.Key, fmt.Sprint(i+1))
		w.Cell(t.Text, string(e.all[i].format))
		w.Cell(t.Muted, e.all[i].where)
	})...)
	lines = append(append(lines, folder...), hints...)
	rows := e.rows()
	return scrolled(t, fmt.Sprintf("Export %d of the %s", rows.N, rows.What), lines, w, e.table.Scroll())
}

// folder says where a file lands and who may read it, as far as h lines have
// room beside the ways.
func (e *Export) folder(w, h int) []string {
	if e.dir == "" {
		return nil
	}
	var lines []string
	for _, text := range append(widget.Wrap("files in "+e.dir, w), "a new name each time, for you alone to read") {
		lines = append(lines, widget.Spans(w+2, widget.Span{Style: e.theme.Muted, Text: "  " + text}))
	}
	return lines[:max(0, min(len(lines), h-len(e.all)))]
}
