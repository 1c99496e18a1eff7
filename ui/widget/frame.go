package widget

import (
	"slices"
	"strings"
)

// FrameStyles are the styles of a frame.
type FrameStyles struct {
	Border        Style
	BorderFocused Style
	Thumb         Style
}

// Scroll is the part of a list that is on screen, in rows.
type Scroll struct {
	Offset, Visible, Total int
}

// Frame is a rounded box with texts in its borders. When the texts do not
// fit, the right and the bottom one go first, then the title is cut, and how it
// is left goes last.
type Frame struct {
	Title   []Span // after the top left corner
	Right   []Span // before the top right corner
	Leave   []Span // how it is left, in the place of Right
	Foot    []Span // before the bottom right corner
	Focused bool   // draws the border brighter, and a mark before the title
	Scroll  Scroll // draws a thumb on the right border when not all is visible
	Styles  FrameStyles
}

// focusMark stands before the title of a focused frame, for those who do not
// see the colour of its border.
const focusMark = "▸"

// leastTitle is how much of a title is worth more than how the frame is left.
const leastTitle = 8

// Room returns the cells that the title may have in a frame of w cells.
func (f Frame) Room(w int) int {
	room := w - 4
	if n := SpansWidth(f.Leave); n > 0 && room-n-ruleCells >= leastTitle {
		room -= n + ruleCells
	}
	return room
}

// Draw returns the frame around body, h lines of w cells. The body is fitted
// to w-2 cells and h-2 lines.
func (f Frame) Draw(body []string, w, h int) []string {
	if w < 2 || h < 2 {
		return Blank(w, h)
	}
	border := f.border()
	var b Buf
	b.b = make([]byte, 0, (w+2*len(border)+16)*h*2)
	f.top(&b, border, w-2)
	first, last := f.Scroll.thumb(h - 2)
	for y := range h - 2 {
		line := ""
		if y < len(body) {
			line = body[y]
		}
		sides(&b, border, f.Styles.Thumb, line, w-2, y >= first && y < last)
	}
	f.bottom(&b, border, w-2)
	return b.Lines()
}

func (f Frame) border() Style {
	if f.Focused {
		return f.Styles.BorderFocused
	}
	return f.Styles.Border
}

// sides draws a line of the body between the borders.
func sides(b *Buf, border, thumb Style, line string, inner int, covered bool) {
	b.Raw(border, "│")
	b.Line(line, inner)
	if covered {
		b.Raw(thumb, "┃")
	} else {
		b.Raw(border, "│")
	}
	b.Newline()
}

func (f Frame) bottom(b *Buf, border Style, inner int) {
	b.Raw(border, "╰")
	rule(b, border, inner, f.Foot)
	b.Raw(border, "╯")
	b.Newline()
}

func (f Frame) top(b *Buf, border Style, inner int) {
	b.Raw(border, "╭")
	free := inner
	if title := SpansWidth(f.Title); title > 0 && inner >= 3 {
		mark := " "
		if f.Focused {
			mark = focusMark
		}
		b.Raw(border, mark)
		left := min(title, f.Room(inner+2))
		free = inner - 2 - left
		for _, s := range f.Title {
			left -= b.Clip(s.Style, s.Text, left)
		}
		b.Pad("", left+1)
	}
	if len(f.Leave) > 0 {
		rule(b, border, free, f.Leave)
	} else {
		rule(b, border, free, f.Right)
	}
	b.Raw(border, "╮")
	b.Newline()
}

// ruleCells is what a text in a border takes besides its own cells.
const ruleCells = 4

// rule draws a horizontal border of w cells with a text near its right end.
func rule(b *Buf, border Style, w int, text []Span) {
	need := SpansWidth(text)
	if need == 0 || need+ruleCells > w {
		b.Repeat(border, "─", w)
		return
	}
	b.Repeat(border, "─", w-need-3)
	b.Pad(border, 1)
	left := need
	for _, s := range text {
		left -= b.Clip(s.Style, s.Text, left)
	}
	b.Pad("", left+1)
	b.Raw(border, "─")
}

// thumb returns the lines [first, last) of a track that the thumb covers.
func (s Scroll) thumb(track int) (first, last int) {
	if s.Total <= s.Visible || s.Visible <= 0 || track <= 0 {
		return 0, 0
	}
	size := max(1, track*s.Visible/s.Total)
	span := s.Total - s.Visible
	first = (min(max(s.Offset, 0), span)*(track-size) + span/2) / span
	return first, first + size
}

// Framing draws a frame, time after time. A line whose part of the body is that of the
// time before, or of the line above or below it there, is not put together again: most
// of a list stays as it is, and what scrolls moves by a line. The zero value is ready.
type Framing struct {
	buf         Buf
	before, now framed
}

// framed is how a frame was drawn.
type framed struct {
	w, h          int
	border, thumb Style
	first, last   int      // the lines of the body that the thumb covers
	body          []string // a line each, empty where the body had ended
	lines         []string
}

// Draw returns what Frame.Draw does.
func (d *Framing) Draw(f Frame, body []string, w, h int) []string {
	if w < 2 || h < 2 {
		*d = Framing{}
		return Blank(w, h)
	}
	was, now := &d.before, &d.now
	now.begin(f, body, w, h)
	if was.w != w || was.h != h || was.border != now.border || was.thumb != now.thumb {
		*was = framed{}
	}
	d.buf.Reset()
	f.top(&d.buf, now.border, w-2)
	now.lines[0] = d.line(0)
	by := 0
	for y := range now.body {
		by = d.side(y, by)
	}
	d.buf.Reset()
	f.bottom(&d.buf, now.border, w-2)
	now.lines[h-1] = d.line(h - 1)
	d.before, d.now = *now, *was
	return slices.Clone(d.before.lines)
}

// begin takes over what a frame is drawn of, in the memory of an earlier one.
func (f *framed) begin(of Frame, body []string, w, h int) {
	f.w, f.h, f.border, f.thumb = w, h, of.border(), of.Styles.Thumb
	f.first, f.last = of.Scroll.thumb(h - 2)
	f.body, f.lines = slices.Grow(f.body[:0], h-2)[:h-2], slices.Grow(f.lines[:0], h)[:h]
	clear(f.body[copy(f.body, body):])
}

// side puts a line of the body between the borders, and returns by how many lines it
// has moved; by is how many the line above it has.
func (d *Framing) side(y, by int) (moved int) {
	was, now := &d.before, &d.now
	for _, n := range [...]int{0, by, 1, -1} {
		if at := y + n; at >= 0 && at < len(was.body) && was.body[at] == now.body[y] && was.covered(at) == now.covered(y) {
			now.lines[y+1] = was.lines[at+1]
			return n
		}
	}
	d.buf.Reset()
	sides(&d.buf, now.border, now.thumb, now.body[y], now.w-2, now.covered(y))
	now.lines[y+1] = d.buf.String()
	return by
}

// covered reports whether the thumb covers a line of the body.
func (f *framed) covered(y int) bool { return y >= f.first && y < f.last }

// line returns what was drawn for a border: the line from before where it is the same.
func (d *Framing) line(y int) string {
	line, _ := d.buf.lineLike(d.buf.b, d.before.lines, y, 0)
	return line
}

// Beside puts blocks side by side, frame after frame. A line whose parts are those of
// the frame before is not put together again: most of a screen stays as it is. The
// zero value is ready.
type Beside struct {
	parts [][]string // of each line
	lines []string
}

// Join puts equally high blocks side by side. A block that ends early is continued
// with blanks as wide as its first line. The slice is the caller's.
func (j *Beside) Join(blocks ...[]string) []string {
	height := 0
	for _, b := range blocks {
		height = max(height, len(b))
	}
	for len(j.lines) < height {
		j.parts, j.lines = append(j.parts, nil), append(j.lines, "")
	}
	j.parts, j.lines = j.parts[:height], j.lines[:height]
	for y := range height {
		j.line(y, blocks)
	}
	return slices.Clone(j.lines)
}

// line puts a line together if a part of it is another.
func (j *Beside) line(y int, blocks [][]string) {
	was := j.parts[y]
	same, size := len(was) == len(blocks), 0
	for i, b := range blocks {
		part := partOf(b, y)
		size += len(part)
		if same && was[i] != part {
			same = false
		}
	}
	if same {
		return
	}
	var out strings.Builder
	out.Grow(size)
	was = was[:0]
	for _, b := range blocks {
		part := partOf(b, y)
		out.WriteString(part)
		was = append(was, part)
	}
	j.parts[y], j.lines[y] = was, out.String()
}

// partOf is a line of a block, or as many blanks.
func partOf(block []string, y int) string {
	switch {
	case y < len(block):
		return block[y]
	case len(block) > 0:
		return string(appendBlanks(nil, LineWidth(block[0])))
	}
	return ""
}
