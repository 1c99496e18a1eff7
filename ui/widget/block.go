package widget

import (
	"slices"
	"strings"
)

// Blank returns a block of h empty lines of w cells.
func Blank(w, h int) []string {
	line := strings.Repeat(" ", max(w, 0))
	block := make([]string, max(h, 0))
	for i := range block {
		block[i] = line
	}
	return block
}

// FitBlock returns a block of exactly h lines of exactly w cells.
func FitBlock(block []string, w, h int) []string {
	out := Blank(w, h)
	for i, line := range block[:min(len(block), len(out))] {
		out[i] = FitLine(line, w)
	}
	return out
}

// JoinHorizontal puts equally high blocks side by side. A block that ends
// early is continued with blanks as wide as its first line.
func JoinHorizontal(blocks ...[]string) []string {
	height, size := 0, 0
	for _, b := range blocks {
		height = max(height, len(b))
		if len(b) > 0 {
			size += len(b[0]) + len(b[0])/4
		}
	}
	var buf Buf
	buf.b = make([]byte, 0, size*height)
	for y := range height {
		for _, b := range blocks {
			switch {
			case y < len(b):
				buf.b = append(buf.b, b[y]...)
			case len(b) > 0:
				buf.Pad("", LineWidth(b[0]))
			}
		}
		buf.Newline()
	}
	return buf.Lines()
}

// JoinVertical puts equally wide blocks below each other.
func JoinVertical(blocks ...[]string) []string {
	n := 0
	for _, b := range blocks {
		n += len(b)
	}
	out := make([]string, 0, n)
	for _, b := range blocks {
		out = append(out, b...)
	}
	return out
}

// Dimmed keeps the lines of a block in one style, of which most are as they were the last time. The zero value is
// ready.
type Dimmed struct {
	style      Style
	was, lines []string
}

// Lines returns a block in one style.
func (d *Dimmed) Lines(block []string, style Style) []string {
	if d.style != style || len(d.was) != len(block) {
		*d = Dimmed{style: style, was: make([]string, len(block)), lines: make([]string, len(block))}
	}
	for i, line := range block {
		if d.lines[i] == "" || d.was[i] != line {
			d.was[i], d.lines[i] = line, dim(line, style)
		}
	}
	return slices.Clone(d.lines)
}

func dim(line string, style Style) string {
	var b Buf
	b.Raw(style, Strip(line))
	b.Newline()
	return b.Lines()[0]
}

// Over lays a block over another, x cells from its left and y lines from its
// top. What lies outside it is not drawn.
func Over(under, block []string, x, y int) []string {
	out := append([]string(nil), under...)
	for i, line := range block {
		if y+i < 0 || y+i >= len(out) {
			continue
		}
		w := LineWidth(out[y+i])
		from, to := min(max(x, 0), w), min(max(x+LineWidth(line), 0), w)
		b := appendCut(make([]byte, 0, len(out[y+i])+len(line)), out[y+i], 0, from)
		b = appendCut(b, line, from-x, to-x)
		out[y+i] = string(appendCut(b, out[y+i], to, w))
	}
	return out
}
