// Package widget draws the parts of a terminal screen: fitted text, frames,
// a virtual table, input fields, bars, badges, countdowns and QR codes. It
// knows no domain words, keeps no clock and does no I/O.
//
// Everything drawn is a block: a []string of lines, each exactly as many
// cells wide as was asked for, whatever the text in it. Lines carry SGR
// sequences and nothing else a terminal would act on.
package widget

import "strings"

// Align says where text stands in a field that is wider than it.
type Align uint8

// The alignments.
const (
	Left Align = iota
	Right
	Center
)

// ellipsis stands for what was cut; one cell.
const ellipsis = "…"

// Width returns the cells that plain text takes when it is drawn by this
// package. Controls count as they are drawn: a tab or a line break is one
// blank, all others are nothing.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	w := 0
	for len(s) > 0 {
		_, cells, n := next(s)
		w += cells
		s = s[n:]
	}
	return w
}

// Fit returns plain text drawn in exactly w cells: cut with an ellipsis, or
// padded by the alignment. Text that fits exactly is returned as it is.
func Fit(s string, w int, a Align) string {
	if len(s) == w && isPlain(s) {
		return s
	}
	if w <= 0 {
		return ""
	}
	f := measure(s, w)
	before, after := f.pads(w, a)
	b := make([]byte, 0, w+len(ellipsis)+f.end)
	b = appendBlanks(b, before)
	b = f.appendText(b, s)
	return string(appendBlanks(b, after))
}

// Truncate returns plain text in at most w cells, cut with an ellipsis.
func Truncate(s string, w int) string {
	if w <= 0 {
		return ""
	}
	f := measure(s, w)
	if f.plain && !f.over {
		return s
	}
	return string(f.appendText(nil, s))
}

// fitted is the outcome of measuring text against a width.
type fitted struct {
	end   int  // bytes of the text to draw
	cells int  // cells drawn, with the ellipsis
	over  bool // an ellipsis follows
	plain bool // the drawn bytes are printable ASCII
}

// measure finds how much of s fits in w cells; w is at least 1.
func measure(s string, w int) fitted {
	if probe := s[:min(len(s), w+1)]; isPlain(probe) {
		if len(s) <= w {
			return fitted{end: len(s), cells: len(s), plain: true}
		}
		return fitted{end: w - 1, cells: w, over: true, plain: true}
	}
	cells, end, kept := 0, 0, 0 // kept and end leave room for the ellipsis
	for i := 0; i < len(s); {
		_, c, n := next(s[i:])
		if cells+c > w {
			return fitted{end: end, cells: kept + 1, over: true}
		}
		cells += c
		i += n
		if cells < w {
			end, kept = i, cells
		}
	}
	return fitted{end: len(s), cells: cells}
}

func (f fitted) appendText(b []byte, s string) []byte {
	if f.plain {
		b = append(b, s[:f.end]...)
	} else {
		b = appendPlain(b, s[:f.end])
	}
	if f.over {
		b = append(b, ellipsis...)
	}
	return b
}

func (f fitted) pads(w int, a Align) (before, after int) {
	free := w - f.cells
	switch a {
	case Right:
		return free, 0
	case Center:
		return free / 2, free - free/2
	default:
		return 0, free
	}
}

// isPlain reports whether s is printable ASCII throughout.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// appendPlain appends plain text as it is drawn, whatever its width.
func appendPlain(b []byte, s string) []byte {
	if isPlain(s) {
		return append(b, s...)
	}
	for len(s) > 0 {
		text, _, n := next(s)
		b = append(b, text...)
		s = s[n:]
	}
	return b
}

const blanks = "                                                                                "

func appendBlanks(b []byte, n int) []byte {
	for n > len(blanks) {
		b = append(b, blanks...)
		n -= len(blanks)
	}
	if n > 0 {
		b = append(b, blanks[:n]...)
	}
	return b
}

// Wrap breaks plain text into lines of at most w cells, at blanks where there
// are any. Empty text is one empty line.
func Wrap(s string, w int) []string {
	w = max(w, 1)
	var lines []string
	line, cells := "", 0
	for word := range strings.FieldsSeq(s) {
		n := Width(word)
		if line != "" && cells+1+n <= w {
			line, cells = line+" "+word, cells+1+n
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for n > w {
			head, rest := breakAt(word, w)
			lines, word = append(lines, head), rest
			n = Width(word)
		}
		line, cells = word, n
	}
	if line != "" || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}

// breakAt cuts a word after as many clusters as fit in w cells, at least one.
func breakAt(word string, w int) (head, rest string) {
	at, cells := 0, 0
	for at < len(word) {
		_, c, n := next(word[at:])
		if at > 0 && cells+c > w {
			break
		}
		at, cells = at+n, cells+c
	}
	return word[:at], word[at:]
}

// Paragraph draws a text in as many lines of w cells as it takes, at most so
// many: the last shows then that it is cut.
func Paragraph(style Style, text string, w, most int) []string {
	texts := Wrap(text, max(1, w-2))
	if len(texts) > most {
		texts = append(texts[:most-1], strings.Join(texts[most-1:], " "))
	}
	lines := make([]string, 0, len(texts))
	for _, text := range texts {
		lines = append(lines, Spans(w, Span{Style: style, Text: " " + text}))
	}
	return lines
}

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

// Group puts a blank between groups of n characters, counted from the left:
// 482913 by three is "482 913", a number by four is "4111 1111 1111 1111".
// Blanks already there are dropped first, so that a copied group is the same.
func Group(s string, n int) string {
	if n <= 0 {
		return s
	}
	out := make([]rune, 0, len(s)+len(s)/n)
	count := 0
	for _, r := range s {
		if r == ' ' {
			continue
		}
		if count > 0 && count%n == 0 {
			out = append(out, ' ')
		}
		out = append(out, r)
		count++
	}
	return string(out)
}
