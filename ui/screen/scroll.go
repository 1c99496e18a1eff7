package screen

import "strconv"

// leastScroll is how many rows have to move for scrolling to pay: each spares
// the cells of a line, and the sequences cost as much as a few.
const leastScroll = 4

// scroll finds rows that stand a little higher or lower in a frame than on the
// screen, lets the terminal move them, and notes that they are there.
func (w *writer) scroll(lines []string) {
	top, bottom, n := w.moved(lines)
	if n == 0 {
		return
	}
	w.style(0) // What comes in is in the pen's ground.
	w.b = append(w.b, "\x1b["...)
	w.b = strconv.AppendInt(w.b, int64(top+1), 10)
	w.b = append(w.b, ';')
	w.b = strconv.AppendInt(w.b, int64(bottom), 10)
	w.b = append(w.b, "r\x1b["...)
	final, by := byte('S'), n
	if n < 0 {
		final, by = 'T', -n
	}
	if by > 1 {
		w.b = strconv.AppendInt(w.b, int64(by), 10)
	}
	w.b = append(w.b, final)
	w.b = append(w.b, "\x1b[r"...)
	w.x = -1 // Setting the region moves the cursor.
	w.shown.shift(top, bottom, n)
}

// moved returns the longest run of rows that the frame shows n rows higher
// than the screen does (lower for a negative n), as the region from top to
// bottom that the terminal would move; n is 0 when none is worth it.
func (w *writer) moved(lines []string) (top, bottom, n int) {
	shown, h := w.shown.lines, min(len(lines), w.shown.h)
	changed := 0
	for y, line := range lines[:h] {
		if shown[y] != line {
			changed++
		}
	}
	if changed < leastScroll {
		return 0, 0, 0
	}
	clear(w.places)
	for y, line := range shown {
		if _, twice := w.places[line]; twice || line == "" {
			y = -1
		}
		w.places[line] = y
	}
	best := leastScroll - 1
	for y := 0; y < h; y++ {
		from, ok := w.places[lines[y]]
		if !ok || from < 0 || from == y || shown[y] == lines[y] {
			continue
		}
		by, run := from-y, 1
		for y+run < h && y+run+by < w.shown.h && lines[y+run] == shown[y+run+by] && lines[y+run] != shown[y+run] {
			run++
		}
		if run > best {
			best, n = run, by
			top, bottom = min(y, from), max(y, from)+run
		}
		y += run - 1
	}
	return top, bottom, n
}
