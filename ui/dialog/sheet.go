package dialog

import (
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// sheet is text that is taller than its box may be: it scrolls.
type sheet struct{ top int }

// key scrolls.
func (s *sheet) key(key string) {
	switch key {
	case "down", "j":
		s.top++
	case "up", "k":
		s.top--
	case "pgdown":
		s.top += 8
	case "pgup":
		s.top -= 8
	}
}

// part gives at most h of the lines.
func (s *sheet) part(lines []string, h int) ([]string, widget.Scroll) {
	h = max(1, min(h, len(lines)))
	s.top = max(0, min(s.top, len(lines)-h))
	if len(lines) == 0 {
		return nil, widget.Scroll{}
	}
	return lines[s.top : s.top+h], widget.Scroll{Offset: s.top, Visible: h, Total: len(lines)}
}

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
