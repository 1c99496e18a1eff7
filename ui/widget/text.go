package widget

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
