package dialog

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Export asks in which format rows are exported and where to. A key turns
// between two kinds of rows, where there are two: as they are or with those that
// are read first, one by one or the sums of their groups.
type Export struct {
	inert
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
		for _, f := range []state.Format{state.CSV, state.TSV, state.JSON, state.JSONLines} {
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

// Traits tells what the stack needs to know of the dialog.
func (e *Export) Traits() Traits {
	return Traits{Context: keymap.Form, Move: e.Move}
}

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

// ReadRest shows how far the rest of a list was read, and has it written when it
// is there.
type ReadRest struct {
	inert
	theme *theme.Theme
	write state.WriteRows
	again func() state.Rows
	from  time.Time // how far back is asked for; zero for the beginning
	first time.Time // how far back was read when it began
	read  state.RestRead
	begun bool // the store reads
	// shown is how far it is on the screen, since when; it follows by the second
	// where little is to move.
	shown state.Older
	since time.Time
}

func newReadRest(t *theme.Theme, write state.WriteRows, in state.ExportRows) *ReadRest {
	return &ReadRest{theme: t, write: write, again: in.Again, from: in.Rest.From}
}

// Sync makes the dialog look at the store again.
func (r *ReadRest) Sync(s *state.Store) {
	r.read = s.Older.RestRead()
	r.begun = r.begun || r.read.On
	if r.first.IsZero() {
		r.first = r.read.Older.Back
	}
	if now := s.Now(); !r.theme.Still || now.Sub(r.since) >= time.Second {
		r.shown, r.since = r.read.Older, now
	}
}

// ready has the rows written when they are there.
func (r *ReadRest) ready() (Result, bool) {
	if !r.begun || r.read.On {
		return Result{}, false
	}
	return r.finish(), true
}

// finish has the rows written that are there.
func (r *ReadRest) finish() Result {
	write := r.write
	write.Rows = r.again()
	return Result{Close: true, Intents: []state.Intent{state.EndRest{}, write}}
}

// Traits tells what the stack needs to know of the dialog.
func (r *ReadRest) Traits() Traits {
	return Traits{Question: true, Ready: r.ready}
}

// Act writes what there is, or stops and writes nothing.
func (r *ReadRest) Act(a keymap.Action) Result {
	switch a {
	case keymap.Confirm:
		return r.finish()
	case keymap.Cancel:
		return Result{Close: true, Intents: []state.Intent{state.EndRest{}}, Told: "stopped: nothing was written"}
	default:
		return Result{}
	}
}

// barCells is the width of the bar of how far it is.
const barCells = 20

// View draws the box.
func (r *ReadRest) View(w, _ int) []string {
	t := r.theme
	w = min(w, 60)
	inner := w - 2
	back, upTo := r.shown.Back, "the beginning"
	if !r.from.IsZero() {
		upTo = r.from.Local().Format(moment)
	}
	at := "not begun"
	if !back.IsZero() {
		at = back.Local().Format(moment)
	}
	lines := []string{
		widget.Spans(inner),
		pair(t, inner, "read back to  ", widget.Span{Style: t.Text, Text: at}),
		pair(t, inner, "asked for     ", widget.Span{Style: t.Text, Text: upTo}),
	}
	if !r.from.IsZero() && r.first.After(r.from) {
		done := float64(r.first.Sub(back)) / float64(r.first.Sub(r.from))
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Accent, Text: " " + widget.BarText(done, min(barCells, inner-8))}, widget.Span{Style: t.Muted, Text: fmt.Sprintf(" %d%%", int(100*min(max(done, 0), 1)))}))
	}
	if why := r.shown.Why; why != "" {
		lines = append(lines, paragraph(inner, t.Warn, why+" · asked again by itself")...)
	}
	lines = append(lines, widget.Spans(inner))
	lines = append(lines, keyLines(t, inner, "esc stop, no file", "enter write what was read")...)
	return box(t, "Reading older transactions", lines, w)
}

// moment is how a time of the past is written in a sentence.
const moment = "Jan 2 15:04"
