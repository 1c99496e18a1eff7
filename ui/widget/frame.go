package widget

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
