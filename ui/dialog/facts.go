package dialog

import (
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// factCells is the width of the names' column in a box of w cells.
func factCells(w int) int {
	if w < 50 {
		return 13
	}
	return 16
}

// fact is a name and what it is, in a column of its own.
func fact(t *theme.Theme, w int, name string, spans ...widget.Span) string {
	all := append([]widget.Span{{Style: t.Muted, Text: " " + widget.Fit(name, factCells(w)-2, widget.Left) + " "}}, spans...)
	return widget.Spans(w, all...)
}

// facts is fact for text, which goes on below where a line is too short.
func facts(t *theme.Theme, w int, name, style, text string) []string {
	room := max(8, w-factCells(w)-1)
	var out []string
	for i, part := range widget.Wrap(text, room) {
		if i > 0 {
			name = ""
		}
		out = append(out, fact(t, w, name, widget.Span{Style: style, Text: part}))
	}
	return out
}

// paragraph is text over the whole width.
func paragraph(w int, style, text string) []string {
	var out []string
	for _, part := range widget.Wrap(text, max(8, w-2)) {
		out = append(out, widget.Spans(w, widget.Span{Style: style, Text: " " + part}))
	}
	return out
}
