package screen

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// writer makes the bytes that bring a terminal from what it shows to a frame.
type writer struct {
	parser
	shown   *grid
	scratch []cell         // the row that is read
	places  map[string]int // of the lines that are shown once, while rows are looked for that moved
	b       []byte
	// x and y are where the cursor is; x is -1 when that is not known. pen is the
	// style it writes in.
	x, y int
	pen  styleID
	// typing says that the terminal shows its cursor, at caretX and caretY.
	typing         bool
	caretX, caretY int
	// noScroll says that the terminal's scrolling is not to be used.
	noScroll bool
}

func newWriter(cluster func(string) (string, int, int), noScroll bool) *writer {
	return &writer{parser: parser{measure: cluster, styles: newStyles(), clusters: newClusters()}, shown: newGrid(0, 0), places: make(map[string]int), noScroll: noScroll, x: -1}
}

// forget makes the next frame be written whole: what the terminal shows is not
// known.
func (w *writer) forget() {
	w.shown = newGrid(0, 0)
	w.styles, w.clusters = newStyles(), newClusters()
}

// frame returns what is to be written for lines on a screen of this size. The
// bytes are valid until the next call.
func (w *writer) frame(lines []string, width, height int) []byte {
	if w.b, w.x = w.b[:0], -1; w.typing {
		w.x, w.y = w.caretX, w.caretY
	}
	if w.shown.w != width || w.shown.h != height || len(w.clusters.all) > maxClusters/2 {
		w.forget()
		w.shown, w.scratch = newGrid(width, height), make([]cell, width)
		w.b, w.pen = append(w.b, "\x1b[?25l\x1b[m\x1b[2J\x1b[H"...), 0
		w.x, w.y, w.typing = 0, 0, false
	} else if !w.noScroll {
		w.scroll(lines)
	}
	for y := range height {
		line := ""
		if y < len(lines) {
			line = lines[y]
		}
		w.line(y, line)
	}
	w.showCaret()
	return w.b
}

// showCaret brings the terminal's cursor to the caret, or hides it where the frame has none. Where it stands already
// nothing is written.
func (w *writer) showCaret() {
	y := len(w.shown.carets) - 1
	for y >= 0 && w.shown.carets[y] < 0 {
		y--
	}
	switch {
	case y < 0 && w.typing:
		w.b, w.typing = append(w.b, "\x1b[?25l"...), false
	case y < 0:
	case w.typing && len(w.b) == 0 && w.caretX == w.shown.carets[y] && w.caretY == y:
	default:
		w.caretX, w.caretY = w.shown.carets[y], y
		w.move(w.caretX, y)
		if !w.typing {
			w.b, w.typing = append(w.b, "\x1b[?25h"...), true
		}
	}
}

// line brings one row up to date.
func (w *writer) line(y int, line string) {
	if w.shown.lines[y] == line {
		return
	}
	w.parser.line(w.scratch, line)
	w.row(y, w.shown.row(y), w.scratch)
	w.shown.lines[y], w.shown.carets[y] = line, w.caret
}

// row writes the cells that differ.
func (w *writer) row(y int, old, row []cell) {
	end := len(row)
	for end > 0 && old[end-1] == row[end-1] {
		end--
	}
	tail := end // from here on the row is blank
	for tail > 0 && row[tail-1] == blank {
		tail--
	}
	for x := 0; x < end; x++ {
		if old[x] == row[x] {
			continue
		}
		if x >= tail && end-x > eraseFrom && clears(row[end:]) {
			w.move(x, y)
			w.style(0)
			w.b = append(w.b, "\x1b[K"...)
			break
		}
		if row[x].width == 0 {
			continue // It comes with the cell before.
		}
		w.move(x, y)
		if n := blanks(row[x:end]); n > w.eraseCost(n, x+n == end) {
			w.erase(n)
			x += n - 1
			continue
		}
		w.put(row[x])
	}
	copy(old, row)
}

// blanks is how many of the first cells are blank.
func blanks(row []cell) int {
	n := 0
	for n < len(row) && row[n] == blank {
		n++
	}
	return n
}

// eraseCost is how many bytes it takes to erase n cells and to step over them;
// last says that nothing is written after them.
func (w *writer) eraseCost(n int, last bool) int {
	cost := forwardCost(n)
	if !last {
		cost *= 2
	}
	if w.pen != 0 {
		cost += len(plain)
	}
	return cost
}

// erase blanks n cells from the cursor on, which stays. Terminals differ in what
// they fill them with unless the style is their own.
func (w *writer) erase(n int) {
	w.style(0)
	w.b = append(w.b, "\x1b["...)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
	w.b = append(w.b, 'X')
}

// eraseFrom is how many blanks are worth a sequence that erases.
const eraseFrom = 3

// clears reports whether erasing to the end of the line does not harm the
// cells that stay.
func clears(rest []cell) bool {
	for _, c := range rest {
		if c != blank {
			return false
		}
	}
	return true
}

func (w *writer) put(c cell) {
	if !w.fits(c) {
		w.style(c.style)
	}
	if c.glyph < 0 && c.width > 1 { // A terminal may draw it in fewer cells than are kept for it.
		w.b = append(w.b, "        "[:c.width]...)
		w.b = append(w.b, "\x1b["...)
		w.b = append(strconv.AppendInt(w.b, int64(w.x+1), 10), 'G')
	}
	w.b = w.clusters.append(w.b, c.glyph)
	if w.x += int(c.width); w.x >= w.shown.w || c.glyph < 0 {
		// At the edge terminals differ, and after a cluster they may.
		w.x = -1
	}
}

func (w *writer) style(id styleID) {
	if id != w.pen {
		w.b, w.pen = append(w.b, w.styles.change(w.pen, id)...), id
	}
}

// fits reports whether a cell looks the same in the pen's style.
func (w *writer) fits(c cell) bool {
	return c.style == w.pen || c.glyph == ' ' && c.style == w.styles.blanks[w.pen]
}

// move brings the cursor to a place by the fewest bytes: over a few cells that
// stay by writing them again.
func (w *writer) move(x, y int) {
	if w.x == x && w.y == y {
		return
	}
	if w.x >= 0 && w.y == y && x > w.x {
		gap := x - w.x
		if w.rewrite(x, y, forwardCost(gap)) {
			return
		}
		w.b = append(w.b, "\x1b["...)
		if gap > 1 {
			w.b = strconv.AppendInt(w.b, int64(gap), 10)
		}
		w.b, w.x = append(w.b, 'C'), x
		return
	}
	w.b = append(w.b, "\x1b["...)
	w.b = strconv.AppendInt(w.b, int64(y+1), 10)
	if x > 0 {
		w.b = append(w.b, ';')
		w.b = strconv.AppendInt(w.b, int64(x+1), 10)
	}
	w.b, w.x, w.y = append(w.b, 'H'), x, y
}

// forwardCost is how many bytes a step forward takes.
func forwardCost(gap int) int {
	switch {
	case gap == 1:
		return 3
	case gap < 10:
		return 4
	case gap < 100:
		return 5
	default:
		return 6
	}
}

// rewrite writes the cells up to x again when they are in the pen's style and
// take no more bytes than a step does.
func (w *writer) rewrite(x, y, cost int) bool {
	if x-w.x > cost {
		return false
	}
	row := w.scratch
	bytes := 0
	for _, c := range row[w.x:x] {
		if !w.fits(c) || c.width != 1 || c.glyph < 0 {
			return false
		}
		if bytes++; c.glyph >= 0x80 {
			bytes += 2
		}
	}
	if bytes > cost {
		return false
	}
	for _, c := range row[w.x:x] {
		w.b = w.clusters.append(w.b, c.glyph)
	}
	w.x, w.y = x, y
	return true
}

// begin takes the terminal: the alternate screen, no cursor, no wrapping at the
// edge, pasted text marked as such, focus, size and light or dark told, keys told apart where
// the terminal can. Some things it is asked, and last what every terminal answers.
func begin(ask string) string {
	return pushTitle + ansi.SetModeAltScreenSaveCursor + ansi.ResetModeTextCursorEnable + ansi.ResetModeAutoWrap +
		ansi.SetModeBracketedPaste + ansi.SetModeFocusEvent +
		ansi.SetModifyOtherKeys2 + ansi.PushKittyKeyboard(keys) + ansi.RequestKittyKeyboard +
		ansi.SetModeLightDark + ansi.SetModeInBandResize + ask + ansi.RequestPrimaryDeviceAttributes
}

// end restores the terminal, with nothing of the program on it. keepPaste leaves pasted text marked.
func end(keepPaste bool) string {
	paste := ansi.ResetModeBracketedPaste
	if keepPaste {
		paste = ""
	}
	return "\x1b[m\x1b[r" + ansi.EraseEntireScreen + ansi.CursorHomePosition +
		mouse(false) + ansi.ResetModeFocusEvent + paste + ansi.ResetModeLightDark + ansi.ResetModeInBandResize +
		ansi.ResetModifyOtherKeys + ansi.PopKittyKeyboard(1) + ansi.SetModeAutoWrap +
		ansi.ResetModeAltScreenSaveCursor + ansi.SetModeTextCursorEnable + ansi.ResetModeUnicodeCore + title("") + popTitle
}

// The title of the window is the shell's before and after, where the terminal keeps it; without a title where not.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// keys is what a terminal is asked to tell of keys: all apart, and of those that are no text the one in their place
// on the US layout.
const keys = ansi.KittyDisambiguateEscapeCodes | ansi.KittyReportAlternateKeys

func mouse(on bool) string {
	if on {
		return ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr
	}
	return ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent + ansi.ResetModeMouseExtSgr
}

// title sets the title of the window. It must not end its own sequence.
func title(s string) string {
	return ansi.SetWindowTitle(strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s))
}

// questions returns what a terminal of an environment is asked at the start:
// its background, and whether it knows synchronized updates and clusters. Some
// terminals write a question that they do not know on the screen; Apple's and
// unknown ones behind ssh are not asked.
func questions(env func(string) string) string {
	ask := ansi.RequestBackgroundColor
	program, remote := env("TERM_PROGRAM"), env("SSH_TTY") != ""
	known := env("WT_SESSION") != ""
	for _, name := range []string{"ghostty", "wezterm", "alacritty", "kitty", "rio", "foot"} {
		known = known || strings.Contains(env("TERM"), name)
	}
	if known || !remote && !strings.Contains(program, "Apple") {
		ask += ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore
	}
	return ask
}
