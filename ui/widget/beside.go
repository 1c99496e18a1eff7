package widget

import (
	"slices"
	"strings"
)

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
