package widget

import "strings"

// bigFont holds the digits as five rows of three dots.
func bigFont(r rune) (rows [5]string, ok bool) {
	switch r {
	case '0':
		return [5]string{"###", "# #", "# #", "# #", "###"}, true
	case '1':
		return [5]string{" # ", "## ", " # ", " # ", "###"}, true
	case '2':
		return [5]string{"###", "  #", "###", "#  ", "###"}, true
	case '3':
		return [5]string{"###", "  #", " ##", "  #", "###"}, true
	case '4':
		return [5]string{"# #", "# #", "###", "  #", "  #"}, true
	case '5':
		return [5]string{"###", "#  ", "###", "  #", "###"}, true
	case '6':
		return [5]string{"###", "#  ", "###", "# #", "###"}, true
	case '7':
		return [5]string{"###", "  #", " # ", " # ", " # "}, true
	case '8':
		return [5]string{"###", "# #", "###", "# #", "###"}, true
	case '9':
		return [5]string{"###", "# #", "###", "  #", "###"}, true
	case ' ':
		return [5]string{" ", " ", " ", " ", " "}, true
	}
	return rows, false
}

// BigRows is how many lines BigDigits takes: three small, five large.
func BigRows(large bool) int {
	if large {
		return 5
	}
	return 3
}

// BigDigits draws digits and blanks large, for reading across a desk: a dot
// is half a line high, or a whole line and two cells wide when large. What
// holds anything but digits and blanks cannot be drawn so.
func BigDigits(digits string, large bool) (lines []string, ok bool) {
	var dots [5]string
	for i, r := range digits {
		glyph, known := bigFont(r)
		if !known {
			return nil, false
		}
		for y := range dots {
			if i > 0 {
				dots[y] += " "
			}
			dots[y] += glyph[y]
		}
	}
	if large {
		for _, row := range dots {
			lines = append(lines, strings.NewReplacer("#", "██", " ", "  ").Replace(row))
		}
		return lines, true
	}
	for y := 0; y < len(dots); y += 2 {
		lines = append(lines, halves(dots[y], lower(dots[:], y)))
	}
	return lines, true
}

// lower is the row of dots in the lower half of a line.
func lower(dots []string, y int) string {
	if y+1 < len(dots) {
		return dots[y+1]
	}
	return strings.Repeat(" ", len(dots[y]))
}

// halves joins two rows of dots in one line.
func halves(top, bottom string) string {
	var b strings.Builder
	for i := range len(top) {
		switch {
		case top[i] == '#' && bottom[i] == '#':
			b.WriteRune('█')
		case top[i] == '#':
			b.WriteRune('▀')
		case bottom[i] == '#':
			b.WriteRune('▄')
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
