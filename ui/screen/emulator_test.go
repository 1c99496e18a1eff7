package screen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// emulator is a terminal that takes nothing but what the screen is meant to
// send: any other sequence, and any byte outside of the screen, is an error.
type emulator struct {
	w, h        int
	cells       []shownCell
	x, y        int
	wrapped     bool // something was written in the last column
	pen         style
	top, bottom int
	modes       map[string]bool
	title       string
	titles      []string // that were kept
	updating    bool
	err         error
	// spread is how many cells it takes for a cluster of marks that have their own; 0 for one.
	spread int
}

// spreading is a letter with a mark that some terminals draw beside it.
const spreading = "हि"

// firstCluster measures as terminals do that know clusters.
func firstCluster(s string) (text string, cells, n int) {
	if r, size := utf8.DecodeRuneInString(s); r == utf8.RuneError && size <= 1 {
		return string(utf8.RuneError), 1, 1
	}
	text, cells = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return text, cells, len(text)
}

type shownCell struct {
	text  string // empty for the second cell of a wide one
	style style
}

func newEmulator(w, h int) *emulator {
	e := &emulator{modes: map[string]bool{"?7": true, "?25": true}, title: "shell"}
	e.resize(w, h)
	return e
}

// resize leaves what was there where it was, as no two terminals do alike.
func (e *emulator) resize(w, h int) {
	e.w, e.h, e.top, e.bottom, e.x, e.y = w, h, 0, h, 0, 0
	e.cells = make([]shownCell, w*h)
	for i := range e.cells {
		e.cells[i] = shownCell{text: "#"}
	}
}

func (e *emulator) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
}

func (e *emulator) Write(b []byte) (int, error) {
	for s := string(b); s != "" && e.err == nil; {
		switch c := s[0]; {
		case c == 0x1b:
			s = e.escape(s)
		case c < 0x20 || c == 0x7f:
			e.fail("control character %#x", c)
		default:
			text, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			if r, _ := utf8.DecodeRuneInString(text); r >= 0x80 && r < 0xa0 {
				e.fail("C1 character %#x", r)
			}
			if text == spreading {
				w = max(w, e.spread)
			}
			e.put(text, w)
			s = s[len(text):]
		}
	}
	return len(b), e.err
}

func (e *emulator) put(text string, w int) {
	switch {
	case e.wrapped:
		e.fail("text %q after the last column", text)
	case e.x < 0 || e.x+w > e.w || e.y >= e.h:
		e.fail("text %q outside, at %d %d", text, e.x, e.y)
	case w == 0:
		e.fail("text %q without width", text)
	case !e.updating && e.modes["?2026 known"]:
		e.fail("text %q outside of an update", text)
	}
	if e.err != nil {
		return
	}
	for i := range w {
		e.erase(e.x+i, e.y)
	}
	e.cells[e.y*e.w+e.x] = shownCell{text, e.pen}
	for i := 1; i < w; i++ {
		e.cells[e.y*e.w+e.x+i] = shownCell{"", e.pen}
	}
	e.x += w
	e.wrapped = e.x == e.w
}

// erase blanks a cell, and the other half of what it was a half of.
func (e *emulator) erase(x, y int) {
	row := e.cells[y*e.w : (y+1)*e.w]
	if row[x].text == "" && x > 0 {
		row[x-1] = shownCell{" ", row[x-1].style}
	}
	if x+1 < e.w && row[x+1].text == "" {
		row[x+1] = shownCell{" ", row[x+1].style}
	}
	row[x] = shownCell{" ", e.pen}
}

func (e *emulator) escape(s string) string {
	if len(s) < 2 {
		e.fail("an escape at the end")
		return ""
	}
	if s[1] == ']' {
		end := strings.IndexAny(s, "\a")
		if end < 0 {
			e.fail("an OSC without an end")
			return ""
		}
		if rest, ok := strings.CutPrefix(s[2:end], "2;"); ok {
			e.title = rest
		} else if s[2:end] != "11;?" {
			e.fail("OSC %q", s[2:end])
		}
		return s[end+1:]
	}
	if s[1] != '[' {
		e.fail("escape %q", s[:2])
		return ""
	}
	i := 2
	for i < len(s) && (s[i] < 0x40 || s[i] > 0x7e) {
		i++
	}
	if i == len(s) {
		e.fail("a CSI without an end")
		return ""
	}
	e.csi(s[2:i], s[i])
	return s[i+1:]
}

func (e *emulator) csi(params string, final byte) {
	n := func(i int) int {
		p := strings.Split(params, ";")
		if i >= len(p) || p[i] == "" {
			return 1
		}
		v, err := strconv.Atoi(p[i])
		if err != nil {
			e.fail("CSI %s%c", params, final)
		}
		return v
	}
	switch final {
	case 'm':
		if !strings.HasPrefix(params, ">") {
			e.pen = applySGR(e.pen, params)
		}
	case 'H':
		e.y, e.x, e.wrapped = n(0)-1, n(1)-1, false
		if e.x >= e.w || e.y >= e.h {
			e.fail("the cursor goes to %d %d", e.x, e.y)
		}
	case 'G':
		if e.x, e.wrapped = n(0)-1, false; e.x >= e.w {
			e.fail("the cursor goes to %d", e.x)
		}
	case 'C':
		if e.wrapped {
			e.fail("a step from the edge")
		}
		if e.x += n(0); e.x >= e.w {
			e.fail("a step over the edge")
		}
	case 'K':
		if params != "" || e.wrapped || e.pen != (style{}) {
			e.fail("erases a line with %q", params)
			return
		}
		for x := e.x; x < e.w; x++ {
			e.erase(x, e.y)
		}
	case 'X':
		if e.wrapped || e.pen != (style{}) || e.x+n(0) > e.w {
			e.fail("erases %s cells from %d on", params, e.x)
			return
		}
		for x := e.x; x < e.x+n(0); x++ {
			e.erase(x, e.y)
		}
	case 'J':
		if params != "2" || e.pen != (style{}) {
			e.fail("erases the screen with %q", params)
		}
		for i := range e.cells {
			e.cells[i] = shownCell{text: " "}
		}
	case 'r':
		e.top, e.bottom, e.x, e.y, e.wrapped = 0, e.h, 0, 0, false
		if params != "" {
			e.top, e.bottom = n(0)-1, n(1)
		}
	case 'S':
		e.scroll(n(0))
	case 'T':
		e.scroll(-n(0))
	case 'h', 'l':
		for p := range strings.SplitSeq(params, ";") {
			e.modes["?"+strings.TrimPrefix(p, "?")] = final == 'h'
		}
		e.updating = e.modes["?2026"]
	case 't':
		switch params {
		case "22;2":
			e.titles = append(e.titles, e.title)
		case "23;2":
			e.title, e.titles = e.titles[len(e.titles)-1], e.titles[:len(e.titles)-1]
		default:
			e.fail("CSI %st", params)
		}
	case 'c', 'p', 'u': // questions
	default:
		e.fail("CSI %s%c", params, final)
	}
}

func (e *emulator) scroll(by int) {
	if e.pen != (style{}) || e.top >= e.bottom || e.bottom > e.h || by >= e.bottom-e.top || -by >= e.bottom-e.top {
		e.fail("scrolls by %d from %d to %d", by, e.top, e.bottom)
		return
	}
	was := append([]shownCell(nil), e.cells...)
	for y := e.top; y < e.bottom; y++ {
		for x := range e.w {
			c := shownCell{text: " "}
			if from := y + by; from >= e.top && from < e.bottom {
				c = was[from*e.w+x]
			}
			e.cells[y*e.w+x] = c
		}
	}
}

// text returns what is on the screen, and how.
func (e *emulator) text() string {
	var b strings.Builder
	for y := range e.h {
		var at style
		for x := range e.w {
			c := e.cells[y*e.w+x]
			if c.text == " " {
				c.style = c.style.ofBlank()
			}
			if c.style != at {
				fmt.Fprintf(&b, "{%x %x %x}", c.style.fg, c.style.bg, c.style.attrs)
				at = c.style
			}
			b.WriteString(c.text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// caret says where the cursor is shown; empty when it is not.
func (e *emulator) caret() string {
	if !e.modes["?25"] {
		return ""
	}
	return fmt.Sprint("caret at ", e.x, e.y)
}
