package widget

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// InputStyles are the styles of a field.
type InputStyles struct {
	Text        Style
	Placeholder Style
	Cursor      Style // the cell under the cursor, usually reversed
	Selected    Style // what the next key takes the place of
	// Words translate what the field says of its text; nil for English.
	Words interface{ T(text string) string }
}

// T translates a text.
func (st InputStyles) T(text string) string {
	if st.Words == nil {
		return text
	}
	return st.Words.T(text)
}

// Input is a text field of one line. It takes keys by name and text as it
// was typed, so that it knows no terminal. It is not safe for concurrent use.
type Input struct {
	Placeholder string
	// Limit bounds the length in Unicode code points; 0 is no bound.
	Limit int
	// Styles are the styles of the field.
	Styles InputStyles

	value  string
	cursor int // bytes before the cursor, at a cluster's start
	offset int // bytes scrolled off on the left
	err    string
	// selected: what is typed or removed next takes the place of all of the value.
	selected bool
}

// Cursor returns how many bytes stand before the cursor.
func (in *Input) Cursor() int { return in.cursor }

// After returns the end of the character that begins at byte i.
func (in *Input) After(i int) int { return in.after(i) }

// Value returns the text as it was typed.
func (in *Input) Value() string { return in.value }

// SetValue replaces the text, cut to the limit, with the cursor at its end.
func (in *Input) SetValue(s string) {
	in.value, in.cursor, in.offset, in.selected = "", 0, 0, false
	in.Insert(s)
}

// Select selects all of the value, until a key moves the cursor.
func (in *Input) Select() { in.selected = in.value != "" }

// Err returns the text of the error line.
func (in *Input) Err() string { return in.err }

// SetErr shows a text on the error line; the next change of the value or an
// empty text removes it.
func (in *Input) SetErr(text string) { in.err = text }

// Insert puts text at the cursor: typed or pasted. Line breaks and tabs
// become blanks, controls are dropped, and what exceeds the limit is cut. It
// reports whether all of it was taken.
func (in *Input) Insert(text string) bool {
	clean := oneLine(text)
	if clean != "" && in.selected {
		in.SetValue("")
	}
	fits := clean
	if in.Limit > 0 {
		fits = firstRunes(clean, in.Limit-utf8.RuneCountInString(in.value))
	}
	if fits != "" {
		in.value = in.value[:in.cursor] + fits + in.value[in.cursor:]
		in.cursor += len(fits)
		in.changed()
	}
	return len(fits) == len(clean)
}

// Key handles an editing key by its name, such as "left" or "ctrl+w", and
// inserts text for all others. It reports whether the key was used.
func (in *Input) Key(key, text string) bool {
	switch key {
	case "left", "ctrl+b":
		in.cursor = in.before(in.cursor)
	case "right", "ctrl+f":
		in.cursor = in.after(in.cursor)
	case "home", "ctrl+a":
		in.cursor = 0
	case "end", "ctrl+e":
		in.cursor = len(in.value)
	case "alt+left", "ctrl+left", "alt+b":
		in.cursor = in.wordBefore()
	case "alt+right", "ctrl+right", "alt+f":
		in.cursor = in.wordAfter()
	case "backspace", "ctrl+h", "shift+backspace":
		in.remove(in.before(in.cursor), in.cursor)
	case "delete", "ctrl+d":
		in.remove(in.cursor, in.after(in.cursor))
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		in.remove(in.wordBefore(), in.cursor)
	case "alt+d", "ctrl+delete", "alt+delete":
		in.remove(in.cursor, in.wordAfter())
	case "ctrl+u":
		in.remove(0, in.cursor)
	case "ctrl+k":
		in.remove(in.cursor, len(in.value))
	default:
		if oneLine(text) == "" {
			return false
		}
		in.Insert(text)
	}
	in.selected = false
	return true
}

// remove deletes the bytes from..to of the value, or all that is selected.
func (in *Input) remove(from, to int) {
	if in.selected {
		from, to = 0, len(in.value)
	}
	if from >= to {
		return
	}
	in.value = in.value[:from] + in.value[to:]
	in.cursor = from
	in.changed()
}

// changed clears the error and puts the cursor after a cluster that the
// change made of what stood before and after it.
func (in *Input) changed() {
	in.err = ""
	in.cursor = in.boundary(in.cursor)
	in.offset = min(in.offset, in.cursor)
}

// after returns the end of the cluster that begins at i.
func (in *Input) after(i int) int {
	if i >= len(in.value) {
		return len(in.value)
	}
	_, _, n := next(in.value[i:])
	return i + n
}

// boundary returns the first start of a cluster that is not before i.
func (in *Input) boundary(i int) int {
	at := 0
	for at < min(i, len(in.value)) {
		at = in.after(at)
	}
	return at
}

// before returns the last start of a cluster before i.
func (in *Input) before(i int) int {
	start := 0
	for at := 0; at < min(i, len(in.value)); at = in.after(at) {
		start = at
	}
	return start
}

// wordBefore returns the start of the word before the cursor. A word is a
// run of letters and digits.
func (in *Input) wordBefore() int {
	head := strings.TrimRightFunc(in.value[:in.cursor], isNotWord)
	return in.before(len(strings.TrimRightFunc(head, isWord)) + 1)
}

// wordAfter returns the end of the word after the cursor.
func (in *Input) wordAfter() int {
	tail := strings.TrimLeftFunc(in.value[in.cursor:], isNotWord)
	return in.boundary(len(in.value) - len(strings.TrimLeftFunc(tail, isWord)))
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

func isNotWord(r rune) bool { return !isWord(r) }

// oneLine returns text as a field of one line holds it.
func oneLine(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\r\n", " ")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, text)
}

// firstRunes returns the first n code points of s.
func firstRunes(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// View draws the field in exactly w cells. With the focus the cursor is a
// cell of its own style, and the text scrolls so that it is on screen.
func (in *Input) View(w int, focused bool) string {
	var b Buf
	switch {
	case w <= 0:
	case in.value == "":
		in.viewEmpty(&b, w, focused)
	default:
		in.viewText(&b, w, focused)
	}
	b.Newline()
	return b.String()
}

func (in *Input) viewEmpty(b *Buf, w int, focused bool) {
	if !focused {
		b.Fit("", in.Styles.Placeholder, in.Placeholder, w, Left)
		return
	}
	b.Pad(in.Styles.Cursor, 1)
	b.Fit("", in.Styles.Placeholder, in.Placeholder, w-1, Left)
}

func (in *Input) viewText(b *Buf, w int, focused bool) {
	cursor := -1
	if focused {
		in.scroll(w)
		cursor = in.cursor
	} else {
		in.offset = 0
	}
	left := w
	for i := in.offset; i < len(in.value); {
		text, cells, n := next(in.value[i:])
		style := in.Styles.Text
		if focused && in.selected {
			style = in.Styles.Selected
		}
		if i == cursor {
			style = in.Styles.Cursor
			if cells == 0 || cells > left { // nothing to stand on
				text, cells = " ", 1
			}
		}
		if cells > left {
			break
		}
		b.Raw(style, text)
		left -= cells
		i += n
	}
	if cursor == len(in.value) && left > 0 {
		b.Pad(in.Styles.Cursor, 1)
		left--
	}
	b.Pad("", left)
}

// scroll moves the offset so that the cursor's cell is within w cells.
func (in *Input) scroll(w int) {
	in.offset = min(in.offset, in.cursor)
	for in.offset < in.cursor && in.cells(in.offset, in.cursor)+in.cursorCells() > w {
		in.offset = in.after(in.offset)
	}
	// Text that was scrolled off comes back when there is room for it.
	for in.offset > 0 && in.cells(in.before(in.offset), len(in.value))+1 <= w {
		in.offset = in.before(in.offset)
	}
}

// cursorCells returns the cells of what is under the cursor.
func (in *Input) cursorCells() int {
	if in.cursor == len(in.value) {
		return 1
	}
	_, cells, _ := next(in.value[in.cursor:])
	return max(cells, 1)
}

func (in *Input) cells(from, to int) int {
	sum := 0
	for from < to {
		_, cells, n := next(in.value[from:])
		sum += cells
		from += n
	}
	return sum
}

// maxWhole bounds the digits before the dot, far below what cents in an
// int64 hold.
const maxWhole = 9

// maxAmount bounds what is kept of an amount, in code points.
const maxAmount = 24

// Amount is a field for an amount with at most two decimals. What is typed
// stays, also what is no amount: then the field says why and has no value. An
// amount is never guessed from the keys that happened to fit.
type Amount struct {
	in       Input
	decimals int // at most
}

// The decimals that amounts have: a dollar's and, at most, a coin's.
const (
	centDecimals = 2
	coinDecimals = 18
)

// maxCoin bounds what is kept of an amount in a coin's unit, in code points.
const maxCoin = maxWhole + 1 + coinDecimals + 2

// NewCoins returns an empty field for an amount in the unit of a coin, which
// has more decimals than a dollar and no cents.
func NewCoins(styles InputStyles) *Amount {
	return &Amount{in: Input{Limit: maxCoin, Styles: styles}, decimals: coinDecimals}
}

// NewAmount returns an empty field.
func NewAmount(styles InputStyles) *Amount {
	return &Amount{in: Input{Placeholder: "0.00", Limit: maxAmount, Styles: styles}, decimals: centDecimals}
}

// Value returns the text as it was typed.
func (a *Amount) Value() string { return a.in.Value() }

// SetValue replaces the text.
func (a *Amount) SetValue(s string) { a.in.SetValue(s) }

// Select selects all of the text as Input.Select does.
func (a *Amount) Select() { a.in.Select() }

// SetStyles replaces the styles.
func (a *Amount) SetStyles(s InputStyles) { a.in.Styles = s }

// SetPlaceholder replaces the text shown while nothing is typed.
func (a *Amount) SetPlaceholder(s string) { a.in.Placeholder = s }

// Err returns why the text is no amount, or what SetErr said.
func (a *Amount) Err() string {
	if problem := a.in.Styles.amountProblem(a.in.value, a.decimals); problem != "" {
		return problem
	}
	return a.in.Err()
}

// SetErr shows a text on the error line until the value changes.
func (a *Amount) SetErr(text string) { a.in.SetErr(text) }

// Cents returns the amount in cents, false while there is none: nothing
// typed, a dot alone, or what Err complains of.
func (a *Amount) Cents() (int64, bool) { return parseCents(a.in.Value()) }

// Key handles an editing key or typed text as Input.Key does.
func (a *Amount) Key(key, text string) bool { return a.in.Key(key, text) }

// Paste inserts a pasted amount; blanks around it are dropped.
func (a *Amount) Paste(text string) { a.in.Insert(strings.TrimSpace(text)) }

// View draws the field in exactly w cells.
func (a *Amount) View(w int, focused bool) string { return a.in.View(w, focused) }

// amountProblem says why s is not the start of an amount, "" when it is.
func (st InputStyles) amountProblem(s string, most int) string {
	if most == centDecimals {
		s = unprinted(s)
	}
	for _, r := range s {
		if problem := st.runeProblem(r); problem != "" {
			return problem
		}
	}
	whole, decimals, dotted := strings.Cut(s, ".")
	switch {
	case strings.Contains(decimals, "."):
		return st.T("more than one dot")
	case dotted && len(decimals) > most && most == centDecimals:
		return st.T("more than two decimals")
	case dotted && len(decimals) > most:
		return fmt.Sprintf(st.T("more than %d decimals"), most)
	case len(whole) > maxWhole:
		return st.T("too long: nine digits before the dot is the most")
	}
	return ""
}

func (st InputStyles) runeProblem(r rune) string {
	switch {
	case r >= '0' && r <= '9' || r == '.':
		return ""
	case strings.ContainsRune(",٫，", r):
		return st.T("comma: the decimals follow a dot, as in 1250.00")
	case strings.ContainsRune("-−–", r):
		return st.T("minus: the amount has no sign")
	case r == '+':
		return st.T("plus: the amount has no sign")
	case strings.ContainsRune(" \u00a0\u202f_'’", r):
		return st.T("digits are not grouped, as in 1250.00")
	case unicode.Is(unicode.Sc, r):
		return st.T("no currency sign: digits and one dot")
	case r == 'e' || r == 'E':
		return st.T("no exponent: digits and one dot")
	}
	return st.T("digits and one dot, as in 1250.00")
}

// blanksOfScreens are what screens print between thousands and before a currency sign.
const blanksOfScreens = " \u00a0\u202f"

// unprinted returns an amount in dollars without what screens of any language print in it: a currency sign, blanks or,
// before a dot, commas between thousands, and a comma instead of the dot when at most two digits follow. What could
// be read as another amount stays as it is, which is none.
func unprinted(s string) string {
	s = strings.Trim(s, blanksOfScreens)
	s = strings.TrimPrefix(s, "$")
	s = strings.Trim(strings.TrimSuffix(s, "$"), blanksOfScreens)
	whole, decimals, thousands := s, "", blanksOfScreens
	if at := strings.LastIndexByte(s, ','); at >= 0 && len(s)-at-1 <= centDecimals {
		whole, decimals = s[:at], "."+s[at+1:]
	}
	if at := strings.IndexByte(s, '.'); at >= 0 {
		whole, decimals, thousands = s[:at], s[at:], thousands+","
	}
	for _, by := range thousands {
		groups := strings.Split(whole, string(by))
		if len(groups) > 1 && grouped(groups) {
			whole = strings.Join(groups, "")
			break
		}
	}
	return whole + decimals
}

// grouped reports whether digits stand in threes, the first of them in at most three.
func grouped(groups []string) bool {
	for i, g := range groups {
		if g == "" || len(g) > 3 || i > 0 && len(g) < 3 || strings.Trim(g, "0123456789") != "" {
			return false
		}
	}
	return true
}

// parseCents returns the cents of digits with at most two decimals.
func parseCents(s string) (int64, bool) {
	if (InputStyles{}).amountProblem(s, centDecimals) != "" || strings.Trim(unprinted(s), ".") == "" {
		return 0, false
	}
	whole, decimals, _ := strings.Cut(unprinted(s), ".")
	var cents int64
	for _, c := range []byte(whole + (decimals + "00")[:2]) {
		cents = cents*10 + int64(c-'0')
	}
	return cents, true
}
