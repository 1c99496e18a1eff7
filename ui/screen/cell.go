package screen

import "unicode/utf8"

// cell is one place of the screen, in eight bytes so that two are compared at
// once.
type cell struct {
	// glyph is a rune, or the number of a cluster of several, from -1 down.
	glyph rune
	style styleID
	// width is how many cells the glyph takes; 0 for the second cell of a wide one.
	width uint8
}

var blank = cell{glyph: ' ', width: 1}

// clusters numbers what is drawn in one place and is more than one rune.
type clusters struct {
	all []string
	ids map[string]rune
}

// maxClusters bounds the table: the screen holds no more at once.
const maxClusters = 1 << 14

func newClusters() *clusters { return &clusters{ids: make(map[string]rune)} }

// glyph returns the number of a cluster. One too many is drawn as a question
// mark.
func (t *clusters) glyph(s string) rune {
	if id, ok := t.ids[s]; ok {
		return id
	}
	if len(t.all) >= maxClusters {
		return '?'
	}
	t.all = append(t.all, s)
	id := rune(-len(t.all))
	t.ids[t.all[len(t.all)-1]] = id
	return id
}

func (t *clusters) append(b []byte, glyph rune) []byte {
	if glyph < 0 {
		return append(b, t.all[-glyph-1]...)
	}
	return utf8.AppendRune(b, glyph)
}

// parser turns lines into cells.
type parser struct {
	measure  func(s string) (text string, cells, n int)
	styles   *styles
	clusters *clusters
	caret    int // where the last line has the caret; -1 where it has none
}

// line fills a row with a line's cells. What is wider is cut, what is shorter
// is padded. Escape sequences other than SGR and control characters are left
// out: they would act on the terminal.
func (p *parser) line(row []cell, line string) {
	at, x := styleID(0), 0
	p.caret = -1
	for i := 0; i < len(line) && x < len(row); {
		c := line[i]
		switch {
		case c >= 0x20 && c < 0x7f && (i+1 == len(line) || line[i+1] < utf8.RuneSelf):
			row[x] = p.cell(rune(c), at)
			i, x = i+1, x+1
		case c == 0x1b:
			var params string
			var sgr bool
			params, sgr, i = escape(line, i)
			if sgr {
				if at = p.styles.apply(at, params); p.styles.all[at].attrs&caret != 0 {
					p.caret = x
				}
			}
		case c < 0x20 || c == 0x7f:
			i++
		default:
			var n int
			n, x = p.cluster(row, x, line[i:], at)
			i += n
		}
	}
	for ; x < len(row); x++ {
		row[x] = blank
	}
}

// cell is one of a rune that takes one cell. Of a blank only what shows counts.
func (p *parser) cell(r rune, at styleID) cell {
	if r == ' ' {
		at = p.styles.blanks[at]
	}
	return cell{glyph: r, style: at, width: 1}
}

// cluster puts the first grapheme cluster of s at x and returns its bytes and
// where the next goes. A wide one that would be cut is a blank.
func (p *parser) cluster(row []cell, x int, s string, at styleID) (n, next int) {
	text, w, n := p.measure(s)
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case w <= 0 || r >= 0x80 && r < 0xa0:
		return n, x
	case x+w > len(row):
		row[x] = p.cell(' ', at)
		return n, x + 1
	}
	glyph := r
	if size < len(text) {
		glyph = p.clusters.glyph(text)
	}
	row[x] = cell{glyph: glyph, style: at, width: uint8(w)}
	for i := 1; i < w; i++ {
		row[x+i] = cell{style: at}
	}
	return n, x + w
}

// escape reads the sequence that begins at i and returns where it ends, and the
// parameters of one that sets a style.
func escape(s string, i int) (params string, sgr bool, end int) {
	if i+1 >= len(s) {
		return "", false, len(s)
	}
	switch s[i+1] {
	case '[':
		j := i + 2
		for j < len(s) && (s[j] < 0x40 || s[j] > 0x7e) {
			j++
		}
		if j == len(s) {
			return "", false, j
		}
		plain := i+2 == j || s[i+2] >= '0' && s[i+2] <= ';'
		return s[i+2 : j], s[j] == 'm' && plain, j + 1
	case ']', 'P', '_', '^', 'X':
		for j := i + 2; j < len(s); j++ {
			if s[j] == '\a' {
				return "", false, j + 1
			}
			if s[j] == 0x1b && j+1 < len(s) && s[j+1] == '\\' {
				return "", false, j + 2
			}
		}
		return "", false, len(s)
	default:
		return "", false, i + 2
	}
}
