package dialog

import (
	"fmt"
	"time"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// ReadRest shows how far the rest of a list was read, and has it written when it
// is there.
type ReadRest struct {
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

// Ready has the rows written when they are there.
func (r *ReadRest) Ready() (Result, bool) {
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

// Question is true: a key can end the reading.
func (*ReadRest) Question() bool { return true }

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

// Type does nothing.
func (*ReadRest) Type(_, _ string) Result { return Result{} }

// Paste does nothing.
func (*ReadRest) Paste(string) {}

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
