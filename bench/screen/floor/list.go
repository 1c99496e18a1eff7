package main

import "github.com/cardtop/cardtop/bench/screen/rows"

// list is the rows that a filter keeps, and a window on them.
type list struct {
	all, kept   [][]string
	cursor, top int
	height      int // rows that are visible
	filter      string
	filtering   bool
}

// press does what a key asks for.
func (l *list) press(key byte) {
	switch {
	case l.filtering && key == 0x1b:
		l.filter, l.filtering = "", false
		l.keep()
	case l.filtering && key >= ' ':
		l.filter += string(rune(key))
		l.keep()
	case key == '/':
		l.filtering = true
	case key == 'j':
		l.move(l.cursor + 1)
	case key == 'k':
		l.move(l.cursor - 1)
	case key == 6: // ctrl+f
		l.move(l.cursor + l.height)
	case key == 'g':
		l.move(0)
	case key == 'G':
		l.move(len(l.kept) - 1)
	}
}

func (l *list) keep() {
	l.kept, l.top = rows.Filter(l.all, l.filter), 0
	l.move(0)
}

// move brings the cursor to a row and the window to the cursor.
func (l *list) move(to int) {
	l.cursor = max(0, min(to, len(l.kept)-1))
	l.top = max(l.cursor-l.height+1, min(l.top, l.cursor))
}

// lines returns what the screen has to show.
func (l *list) lines(width int) []line {
	out := make([]line, 0, l.height+1)
	for y := l.top; y < l.top+l.height; y++ {
		text := ""
		if y < len(l.kept) {
			text = rows.Line(l.kept[y])
		}
		out = append(out, newLine(text, width, y == l.cursor))
	}
	foot := ""
	if l.filtering {
		foot = "/" + l.filter
	}
	return append(out, newLine(foot, width, false))
}
