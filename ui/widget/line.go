package widget

import "strings"

// LineWidth returns the cells of a styled line.
func LineWidth(line string) int {
	w, _ := scan(line)
	return w
}

// FitLine returns a styled line cut or padded to exactly w cells. A line
// that already is as wide is returned as it is.
func FitLine(line string, w int) string {
	if got, clean := scan(line); clean && got == w {
		return line
	}
	return Cut(line, 0, w)
}

// Cut returns the cells from (inclusive) to (exclusive) of a styled line,
// exactly to-from cells wide: half of a wide glyph becomes a blank, what lies
// past the end is blank, and the result ends in the terminal's own style.
func Cut(line string, from, to int) string {
	return string(appendCut(nil, line, from, to))
}

// Strip returns the text of a styled line without its styles.
func Strip(line string) string {
	if isPlain(line) {
		return line
	}
	b := make([]byte, 0, len(line))
	for len(line) > 0 {
		if n, _ := sequence(line); n > 0 {
			line = line[n:]
			continue
		}
		text, _, n := next(line)
		b = append(b, text...)
		line = line[n:]
	}
	return string(b)
}

// scan returns the cells of a line, and whether it can be drawn as it is:
// only styles and settled text, ending in the terminal's own style.
func scan(line string) (cells int, clean bool) {
	clean, open := true, false
	for i := 0; i < len(line); {
		c := line[i]
		if c >= 0x20 && c < 0x7f && (i+1 == len(line) || line[i+1] < 0x80) {
			cells++
			i++
			continue
		}
		if n, sgr := sequence(line[i:]); n > 0 {
			clean = clean && sgr
			open = !isReset(line[i : i+n])
			i += n
			continue
		}
		text, w, n := next(line[i:])
		clean = clean && text == line[i:i+n]
		cells += w
		i += n
	}
	return cells, clean && !open
}

// sequence returns the length of the escape sequence that s begins with, 0
// when there is none, and whether it is a style. String sequences (OSC, DCS)
// are measured to their terminator, so that nothing of them is drawn.
func sequence(s string) (n int, sgr bool) {
	if s[0] != 0x1b {
		return 0, false
	}
	if len(s) == 1 {
		return 1, false
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1, s[i] == 'm'
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return i, false
			}
		}
		return len(s), false
	case ']', 'P', 'X', '^', '_':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return i + 1, false
			}
			if s[i] == 0x1b {
				return min(i+2, len(s)), false
			}
		}
		return len(s), false
	default:
		return 2 - b2i(s[1] < 0x20 || s[1] > 0x7e), false
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// isReset reports whether a style returns to the terminal's own.
func isReset(seq string) bool { return seq == reset || seq == "\x1b[0m" }

// startsOver reports whether a style forgets those before it.
func startsOver(seq string) bool {
	return isReset(seq) || strings.HasPrefix(seq, "\x1b[0;") || strings.HasPrefix(seq, "\x1b[;")
}

// appendCut appends the cells from..to of a styled line.
func appendCut(dst []byte, line string, from, to int) []byte {
	if to <= from {
		return dst
	}
	pos, started := 0, false
	var room [96]byte
	active := room[:0] // the styles active since the last reset
	at := max(from, 0)
	dst = appendBlanks(dst, min(to, 0)-min(from, 0))
	for i := 0; i < len(line) && pos < to; {
		if n, sgr := sequence(line[i:]); n > 0 {
			if seq := line[i : i+n]; sgr {
				active = follow(active, seq)
				if started {
					dst = append(dst, seq...)
				}
			}
			i += n
			continue
		}
		text, w, n := next(line[i:])
		i += n
		end := pos + w
		if w > 0 && end > at {
			if !started {
				dst, started = append(dst, active...), true
			}
			if pos >= at && end <= to {
				dst = append(dst, text...)
			} else {
				dst = appendBlanks(dst, min(end, to)-max(pos, at))
			}
		}
		pos = end
	}
	if started && len(active) > 0 {
		dst = append(dst, reset...)
	}
	return appendBlanks(dst, to-max(min(pos, to), at))
}

// follow returns the styles active after one more.
func follow(active []byte, seq string) []byte {
	if startsOver(seq) {
		active = active[:0]
	}
	if isReset(seq) {
		return active
	}
	return append(active, seq...)
}
