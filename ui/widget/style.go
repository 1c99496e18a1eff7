// Package widget draws the parts of a terminal screen: fitted text, frames,
// a virtual table, input fields, bars, badges, countdowns and QR codes. It
// knows no domain words, keeps no clock and does no I/O.
//
// Everything drawn is a block: a []string of lines, each exactly as many
// cells wide as was asked for, whatever the text in it. Lines carry SGR
// sequences and nothing else a terminal would act on.
package widget

// Style is one whole SGR sequence that begins with a reset, such as
// "\x1b[0;1;38;5;75m", so that what it looks like never depends on the style
// before it. The empty Style is the terminal's own. It is an alias so that a
// theme can offer values without either package importing the other.
type Style = string

// reset returns to the terminal's own style.
const reset = "\x1b[m"

// Span is a run of plain text in one style.
type Span struct {
	Style Style
	Text  string
}

// Spans draws the spans one after another, cut or padded to exactly w cells.
func Spans(w int, spans ...Span) string {
	n := max(0, w)
	for i := range spans {
		n += len(spans[i].Style) + len(reset)
	}
	b := Buf{b: make([]byte, 0, n)}
	left := w
	for _, s := range spans {
		left -= b.Clip(s.Style, s.Text, left)
	}
	b.Pad("", left)
	b.Newline()
	return b.String()
}

// SpansWidth returns the cells that the spans need.
func SpansWidth(spans []Span) int {
	w := 0
	for _, s := range spans {
		w += Width(s.Text)
	}
	return w
}
