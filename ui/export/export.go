// Package export has the dialog that writes rows to a file.
package export

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/internal/lang"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/rows"
	"github.com/cardtop/cardtop/state/txns"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Export asks for the format and the destination of exported rows. A key
// switches between two sets of rows where there are two: without or with older
// ones, single rows or the sums of their groups.
type Export struct {
	dialog.Inert
	theme *theme.Theme
	asked pane.ExportRows
	other bool // the other set of rows
	dir   string
	dialog.Cursored
	all []exportWay
}

// exportWay is one row of the dialog.
type exportWay struct {
	format rows.Format
	copy   bool
	where  string
}

// NewExport makes the dialog. Files land in dir.
func NewExport(t *theme.Theme, in pane.ExportRows, dir string) *Export {
	e := &Export{theme: t, asked: in, dir: dir, other: in.Wanted && (in.Rest != nil || in.Sums.N > 0)}
	e.Table = widget.NewTable(widget.TableConfig{Gap: 2, Columns: []widget.Column{{Min: 1, Max: 1}, {Min: 10, Max: 10}, {Min: 12, Weight: 1}}})
	e.list()
	return e
}

// list lists the formats and destinations.
func (e *Export) list() {
	e.all = e.all[:0]
	for _, clipboard := range []bool{false, true} {
		for _, f := range []rows.Format{rows.CSV, rows.TSV, rows.JSON, rows.JSONLines} {
			way := exportWay{f, clipboard, e.theme.Words.T("file")}
			if clipboard {
				size, fits := e.rows().CopySize(e.theme.Words, f)
				if way.where = e.theme.Words.Tf("clipboard: %s", size); fits && e.reads() {
					way.where = e.theme.Words.Tf("clipboard: %s or more", size)
				}
			}
			e.all = append(e.all, way)
		}
	}
	e.Table.SetRows(len(e.all))
}

// reads reports whether older rows are read first.
func (e *Export) reads() bool { return e.other && e.asked.Rest != nil }

// rows returns the rows to export, as far as they are read.
func (e *Export) rows() rows.Rows {
	if e.other && e.asked.Rest == nil {
		return e.asked.Sums
	}
	return e.asked.Rows
}

// kind says which rows are exported and what the key switches to; empty where
// there is one set.
func (e *Export) kind() (is, key string) {
	w := e.theme.Words
	switch lacks := e.asked.Rows.Lacks; {
	case e.reads():
		return w.T("older rows are read first"), "space " + w.T("skip older")
	case e.asked.Rest != nil:
		return w.Tf("partial: %s", w.T(lacks.Text)), "space " + w.T("read older first")
	case e.asked.Sums.N > 0 && e.other:
		return w.T("sums of the groups"), "space " + w.T("cards")
	case e.asked.Sums.N > 0:
		return w.T("cards with their group"), "space " + w.T("sums")
	case !lacks.IsWhole():
		return w.Tf("partial: %s", w.T(lacks.Text)), ""
	}
	return "", ""
}

// Traits implements Dialog.
func (e *Export) Traits() dialog.Traits {
	return dialog.Traits{Context: keymap.Form, Move: e.Move}
}

// Act moves, exports, or closes.
func (e *Export) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.NextField:
		e.Table.Move(1)
	case keymap.PrevField:
		e.Table.Move(-1)
	case keymap.Cancel:
		return dialog.Result{Close: true}
	case keymap.Confirm:
		at, _ := e.Table.Cursor()
		return e.choose(at)
	default:
	}
	return dialog.Result{}
}

// Type exports by number, or switches to the other set of rows.
func (e *Export) Type(key, _ string) dialog.Result {
	if _, turns := e.kind(); key == "space" && turns != "" {
		e.other = !e.other
		e.list()
		return dialog.Result{}
	}
	if len(key) == 1 && key[0] >= '1' && int(key[0]-'1') < len(e.all) {
		return e.choose(int(key[0] - '1'))
	}
	return dialog.Result{}
}

func (e *Export) choose(at int) dialog.Result {
	way, rows := e.all[at], e.rows()
	write := state.WriteRows{Rows: rows, Format: way.format, Copy: way.copy}
	if _, fits := rows.CopySize(e.theme.Words, way.format); !e.reads() || way.copy && !fits {
		return dialog.Result{Close: true, Intents: []kernel.Intent{write}}
	}
	return dialog.Result{Close: true, Push: newReadRest(e.theme, write, e.asked), Intents: []kernel.Intent{txns.ReadRest{Rest: *e.asked.Rest}}}
}

// View draws the box.
func (e *Export) View(w, h int) []string {
	t := e.theme
	w = min(w, max(52, widget.Width(t.Words.Tf("files in %s", e.dir))+5))
	inner := w - 2
	keys := []string{"enter " + t.Words.T("export"), "esc " + t.Words.T("back")}
	var lines []string
	is, turns := e.kind()
	if turns != "" {
		keys = append(keys, turns)
	}
	if is != "" {
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Warn, Text: "  " + is}))
	}
	hints := dialog.KeyLines(t, inner, keys...)
	besides := 2 + len(hints) + len(lines)
	folder := e.folder(inner-2, h-besides)
	e.Table.SetStyles(dialog.TableStyles(t))
	e.Table.SetSize(inner, min(len(e.all), max(1, h-besides-len(folder))))
	lines = append(lines, e.Table.Draw(true, func(i int, w *widget.RowWriter) {
		w.Cell(t.Key, fmt.Sprint(i+1))
		w.Cell(t.Text, formatName(t.Words, e.all[i].format))
		w.Cell(t.Muted, e.all[i].where)
	})...)
	lines = append(append(lines, folder...), hints...)
	return dialog.Scrolled(t, exportTitle(t.Words, e.rows()), lines, w, e.Table.Scroll())
}

// exportTitle says what is exported.
func exportTitle(w *lang.Words, r rows.Rows) string {
	switch r.What {
	case "history":
		return w.Tn(r.N, "Export %d row of the history", "Export %d rows of the history")
	case "timeline":
		return w.Tn(r.N, "Export %d row of the timeline", "Export %d rows of the timeline")
	}
	title, known := map[string]string{
		"cards": lang.N("Export %d cards"), "groups": lang.N("Export %d groups"), "transactions": lang.N("Export %d transactions"),
		"requests": lang.N("Export %d requests"), "alerts": lang.N("Export %d alerts"), "BINs": lang.N("Export %d BINs"),
		"code times": lang.N("Export %d code times"), "webhooks": lang.N("Export %d webhooks"), "deposits": lang.N("Export %d deposits"),
		"campaigns": lang.N("Export %d campaigns"), "merchants": lang.N("Export %d merchants"),
	}[r.What]
	if !known {
		title = lang.N("Export %d rows")
	}
	return w.Tf(title, r.N)
}

// folder draws where files go, as far as h lines have room.
func (e *Export) folder(w, h int) []string {
	if e.dir == "" {
		return nil
	}
	var lines []string
	for _, text := range append(widget.Wrap(e.theme.Words.Tf("files in %s", e.dir), w), e.theme.Words.T("new private file")) {
		lines = append(lines, widget.Spans(w+2, widget.Span{Style: e.theme.Muted, Text: "  " + text}))
	}
	return lines[:max(0, min(len(lines), h-len(e.all)))]
}

// ReadRest shows the progress of reading older rows, and exports them when they
// are complete.
type ReadRest struct {
	dialog.Inert
	theme *theme.Theme
	write state.WriteRows
	again func() rows.Rows
	from  time.Time // how far back to read; zero for the beginning
	first time.Time // how far back was read at the start
	read  txns.RestRead
	begun bool // the store started to read
	// shown is the progress on screen, and since when; with reduced motion it
	// changes once a second.
	shown txns.Older
	since time.Time
}

func newReadRest(t *theme.Theme, write state.WriteRows, in pane.ExportRows) *ReadRest {
	return &ReadRest{theme: t, write: write, again: in.Again, from: in.Rest.From}
}

// Sync makes the dialog read the store again.
func (r *ReadRest) Sync(s *state.Store, _ kernel.Topic) {
	r.read = s.Past.RestRead()
	r.begun = r.begun || r.read.On
	if r.first.IsZero() {
		r.first = r.read.Older.Back
	}
	if now := s.Now(); !r.theme.Still || now.Sub(r.since) >= time.Second {
		r.shown, r.since = r.read.Older, now
	}
}

// ready exports the rows when they are complete.
func (r *ReadRest) ready() (dialog.Result, bool) {
	if !r.begun || r.read.On {
		return dialog.Result{}, false
	}
	return r.finish(), true
}

// finish exports the rows that were read.
func (r *ReadRest) finish() dialog.Result {
	write := r.write
	write.Rows = r.again()
	return dialog.Result{Close: true, Intents: []kernel.Intent{txns.EndRest{}, write}}
}

// Traits implements Dialog.
func (r *ReadRest) Traits() dialog.Traits {
	return dialog.Traits{Question: true, Ready: r.ready}
}

// Act exports what was read, or stops and exports nothing.
func (r *ReadRest) Act(a keymap.Action) dialog.Result {
	switch a {
	case keymap.Confirm:
		return r.finish()
	case keymap.Cancel:
		return dialog.Result{Close: true, Intents: []kernel.Intent{txns.EndRest{}}, Told: r.theme.Words.T("stopped: nothing was exported")}
	default:
		return dialog.Result{}
	}
}

// barCells is the width of the progress bar.
const barCells = 20

// readCells is the width of the names in it.
const readCells = 14

// View draws the box.
func (r *ReadRest) View(w, _ int) []string {
	t := r.theme
	w = min(w, 60)
	inner := w - 2
	back, upTo := r.shown.Back, t.Words.T("the beginning")
	if !r.from.IsZero() {
		upTo = t.Words.Time(r.from.Local(), moment)
	}
	at := t.Words.T("not started")
	if !back.IsZero() {
		at = t.Words.Time(back.Local(), moment)
	}
	lines := []string{
		widget.Spans(inner),
		dialog.Pair(t, inner, dialog.Pad(t.Words.T("read back to"), readCells), widget.Span{Style: t.Text, Text: at}),
		dialog.Pair(t, inner, dialog.Pad(t.Words.T("requested"), readCells), widget.Span{Style: t.Text, Text: upTo}),
	}
	if !r.from.IsZero() && r.first.After(r.from) {
		done := float64(r.first.Sub(back)) / float64(r.first.Sub(r.from))
		lines = append(lines, widget.Spans(inner, widget.Span{Style: t.Accent, Text: " " + widget.BarText(done, min(barCells, inner-8))}, widget.Span{Style: t.Muted, Text: fmt.Sprintf(" %d%%", int(100*min(max(done, 0), 1)))}))
	}
	if why := r.shown.Why; why != "" {
		lines = append(lines, dialog.Paragraph(inner, t.Warn, t.Words.Tf("%s · retrying", why))...)
	}
	lines = append(lines, widget.Spans(inner))
	lines = append(lines, dialog.KeyLines(t, inner, "esc "+t.Words.T("stop, no file"), "enter "+t.Words.T("export what was read"))...)
	return dialog.Box(t, t.Words.T("Reading older transactions"), lines, w)
}

// moment is the format of a past time.
const moment = "Jan 2 15:04"

// formatName is a format in the language of the screen: most are abbreviations.
func formatName(w *lang.Words, f rows.Format) string {
	if f == rows.JSONLines {
		return w.T("JSON lines")
	}
	return string(f)
}
