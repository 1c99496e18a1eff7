package widget

import "slices"

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
