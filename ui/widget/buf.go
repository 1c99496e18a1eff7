package widget

// Buf is a cell writer: it appends text to lines and switches style only
// when the style changes. The zero value is ready; Reset keeps its memory,
// so that drawing a block costs two allocations whatever its size.
type Buf struct {
	b    []byte
	ends []int
	cur  Style
}

// Reset empties the buffer.
func (b *Buf) Reset() {
	b.b, b.ends, b.cur = b.b[:0], b.ends[:0], ""
}

// Set switches to a style for what is written next.
func (b *Buf) Set(s Style) {
	if s == b.cur {
		return
	}
	b.cur = s
	if s == "" {
		s = reset
	}
	b.b = append(b.b, s...)
}

// Raw writes a literal of the program's own, such as a border glyph. Text
// that came from elsewhere goes through Fit or Clip.
func (b *Buf) Raw(s Style, literal string) {
	if literal == "" {
		return
	}
	b.Set(s)
	b.b = append(b.b, literal...)
}

// Repeat writes a literal n times.
func (b *Buf) Repeat(s Style, literal string, n int) {
	for range n {
		b.Raw(s, literal)
	}
}

// Pad writes n blanks.
func (b *Buf) Pad(s Style, n int) {
	if n <= 0 {
		return
	}
	b.Set(s)
	b.b = appendBlanks(b.b, n)
}

// Fit writes plain text in exactly w cells; the padding is in the style
// ground, so that an underline ends with the text.
func (b *Buf) Fit(ground, s Style, text string, w int, a Align) {
	if w <= 0 {
		return
	}
	f := measure(text, w)
	before, after := f.pads(w, a)
	b.Pad(ground, before)
	if f.cells > 0 {
		b.Set(s)
		b.b = f.appendText(b.b, text)
	}
	b.Pad(ground, after)
}

// Clip writes plain text in at most w cells and returns the cells written.
func (b *Buf) Clip(s Style, text string, w int) int {
	if w <= 0 || text == "" {
		return 0
	}
	f := measure(text, w)
	if f.cells > 0 {
		b.Set(s)
		b.b = f.appendText(b.b, text)
	}
	return f.cells
}

// Line writes a styled line cut or padded to exactly w cells.
func (b *Buf) Line(line string, w int) {
	b.Set("")
	if got, clean := scan(line); clean && got == w {
		b.b = append(b.b, line...)
		return
	}
	b.b = appendCut(b.b, line, 0, w)
}

// Newline ends the line in the terminal's own style.
func (b *Buf) Newline() {
	b.Set("")
	b.ends = append(b.ends, len(b.b))
}

// Lines returns the lines written. They share one allocation and stay valid
// after Reset.
func (b *Buf) Lines() []string {
	s := string(b.b)
	lines := make([]string, len(b.ends))
	start := 0
	for i, end := range b.ends {
		lines[i] = s[start:end]
		start = end
	}
	return lines
}

// lineLike returns a line, and by how many lines it has moved; by is how many
// the line above it has. A line that is as before, or as one a line above or
// below, as in a list that scrolls, is the one from before and not allocated.
func (b *Buf) lineLike(line []byte, before []string, i, by int) (same string, moved int) {
	for _, d := range [...]int{0, by, 1, -1} {
		if at := i + d; at >= 0 && at < len(before) && before[at] == string(line) {
			return before[at], d
		}
	}
	return string(line), by
}

// String returns all that was written as one line.
func (b *Buf) String() string { return string(b.b) }
