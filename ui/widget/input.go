package widget

import (
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
	Error       Style
	// Words translate what the field says of its text; nil for English.
	Words interface{ T(text string) string }
}

// T translates a text.
func (s InputStyles) T(text string) string {
	if s.Words == nil {
		return text
	}
	return s.Words.T(text)
}

// Input is a text field of one line. It takes keys by name and text as it
// was typed, so that it knows no terminal. It is not safe for concurrent use.
type Input struct {
	Placeholder string
	// Limit bounds the length in Unicode code points; 0 is no bound.
	Limit int
	// Mask is drawn instead of each character when it is not empty.
	Mask string
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
// run of letters and digits; a masked text is one word.
func (in *Input) wordBefore() int {
	if in.Mask != "" {
		return 0
	}
	head := strings.TrimRightFunc(in.value[:in.cursor], isNotWord)
	return in.before(len(strings.TrimRightFunc(head, isWord)) + 1)
}

// wordAfter returns the end of the word after the cursor.
func (in *Input) wordAfter() int {
	if in.Mask != "" {
		return len(in.value)
	}
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
