package dialog

import (
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// Bare tells whether a dialog shows nothing of the account, so that it may
// stay on a private screen. One that does not say so is covered.
func Bare(d Dialog) bool {
	b, ok := d.(interface{ Bare() bool })
	return ok && b.Bare()
}

// Holds tells whether closing a dialog would lose what nobody has seen yet, so
// that it does not close while it is covered.
func Holds(d Dialog) bool {
	h, ok := d.(interface{ Holds() bool })
	return ok && h.Holds()
}

// Bare is true: the keys are everybody's.
func (*Help) Bare() bool { return true }

// Bare is true: the reasons it gives are made with names as they may be read.
func (*Palette) Bare() bool { return true }

// Bare is true: it counts requests.
func (*Requests) Bare() bool { return true }

// Bare is true: it counts writes.
func (*Leave) Bare() bool { return true }

// Cover draws what stands in place of a dialog, or over everything, when
// nothing of the account may be read. Each line is cut to the box.
func Cover(t *theme.Theme, title string, text []string, w int) []string {
	width := widget.Width(title) + 4
	for _, s := range text {
		width = max(width, widget.Width(s)+4)
	}
	w = min(w, width)
	lines := make([]string, 0, len(text)+2)
	lines = append(lines, widget.Spans(w-2))
	for _, s := range text {
		lines = append(lines, widget.Spans(w-2, widget.Span{Style: t.Text, Text: " " + s}))
	}
	return box(t, title, append(lines, widget.Spans(w-2)), w)
}
