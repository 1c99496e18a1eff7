package main

import (
	"fmt"
	"slices"
)

// line is a line of cells, all in one style.
type line struct {
	cells    []rune
	selected bool
}

func newLine(text string, width int, selected bool) line {
	l := line{make([]rune, 0, width), selected}
	for _, r := range text {
		if len(l.cells) < width {
			l.cells = append(l.cells, r)
		}
	}
	for len(l.cells) < width {
		l.cells = append(l.cells, ' ')
	}
	return l
}

// screen is what the terminal shows.
type screen struct {
	shown []line
	out   []byte
}

func newScreen(width, height int) *screen {
	s := &screen{}
	for range height {
		s.shown = append(s.shown, newLine("", width, false))
	}
	return s
}

// draw returns what brings the terminal to the lines: of each line the cells from
// the first that differs to the last.
func (s *screen) draw(lines []line) []byte {
	s.out = s.out[:0]
	for y, l := range lines {
		was := s.shown[y]
		s.shown[y] = l
		from, to := 0, len(l.cells)
		if l.selected == was.selected {
			if slices.Equal(l.cells, was.cells) {
				continue
			}
			for l.cells[from] == was.cells[from] {
				from++
			}
			for l.cells[to-1] == was.cells[to-1] {
				to--
			}
		}
		style := "\x1b[m"
		if l.selected {
			style = "\x1b[7m"
		}
		s.out = fmt.Appendf(s.out, "\x1b[%d;%dH%s%s", y+1, from+1, style, string(l.cells[from:to]))
	}
	return s.out
}
