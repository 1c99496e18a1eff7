package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// Text is text from outside that passed [Clean]: it is one line, and holds
// nothing that a terminal would act on.
type Text string

// UnmarshalJSON decodes a JSON string and cleans it.
func (t *Text) UnmarshalJSON(b []byte) error {
	s, err := unquote(b)
	if err != nil {
		return err
	}
	*t = Clean(s)
	return nil
}

// unquote decodes a JSON string; null is "". Nearly all strings are plain ASCII
// between quotes, which costs one copy here and five in the decoder.
func unquote(b []byte) (string, error) {
	if n := len(b); n >= 2 && b[0] == '"' && b[n-1] == '"' {
		if s := string(b[1 : n-1]); plain(s) && !strings.ContainsAny(s, `"\`) {
			return s, nil
		}
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return "", errors.New("decode text: not a string")
	}
	return s, nil
}

// Limits of a [Text].
const (
	maxGraphemes    = 256
	maxMarks        = 3 // combining marks on one base
	maxClusterRunes = 8
)

// Clean is the one sanitiser of text from outside. It removes escape sequences,
// control characters, bidirectional controls, zero-width and other format characters
// and variation selectors; replaces line breaks and tabs by one space, invalid UTF-8
// and unassigned characters by U+FFFD; and limits the text to three combining marks on
// a base and 256 graphemes.
func Clean(s string) Text {
	if plain(s) {
		return Text(s)
	}
	return Text(limit(strip(s)))
}

// plain reports whether a text is short printable ASCII, as nearly all are.
func plain(s string) bool {
	if len(s) > maxGraphemes {
		return false
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// maxScan bounds the work on one text, in bytes, far beyond what 256 graphemes of any
// script need.
const maxScan = 64 << 10

func strip(s string) string {
	if len(s) > maxScan {
		s = s[:maxScan]
	}
	var out strings.Builder
	marks, based, space := 0, false, false
	for len(s) > 0 {
		if n := escapeLen(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		s = s[n:]
		switch keep := classify(r); keep {
		case dropped:
			continue
		case blank:
			if !space {
				out.WriteByte(' ')
			}
			marks, based, space = 0, true, true
			continue
		case mark:
			marks++
			if !based || marks > maxMarks {
				continue
			}
		case printed:
			marks, based = 0, true
		case unknown:
			r, marks, based = utf8.RuneError, 0, true
		}
		space = false
		out.WriteRune(r)
	}
	return out.String()
}

// class is what [Clean] does with a character.
type class int

const (
	printed class = iota
	dropped
	blank
	mark
	unknown
)

func classify(r rune) class {
	switch {
	case r == '\n', r == '\r', r == '\t', r == '\v', r == '\f', r == 0x85, r == 0x2028, r == 0x2029:
		return blank
	case unicode.In(r, unicode.Cc, unicode.Cf), invisible(r):
		return dropped
	case unicode.Is(unicode.M, r):
		return mark
	case !unicode.IsGraphic(r):
		return unknown
	}
	return printed
}

// invisible reports whether a character has no ink although Unicode does not class it
// as a format character: fillers, variation selectors and the grapheme joiner.
func invisible(r rune) bool {
	switch {
	case r == 0x034F, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x3164, r == 0xFFA0:
		return true
	case r >= 0x180B && r <= 0x180F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// limit cuts the text after the last allowed grapheme and replaces a grapheme with too
// many runes.
func limit(s string) string {
	var out strings.Builder
	it := graphemes.FromString(s)
	for n := 0; n < maxGraphemes && it.Next(); n++ {
		if g := it.Value(); utf8.RuneCountInString(g) <= maxClusterRunes {
			out.WriteString(g)
		} else {
			out.WriteRune(utf8.RuneError)
		}
	}
	return out.String()
}

// scalarText decodes a JSON string, or returns the text of a number; null is "".
func scalarText(b []byte) (Text, error) {
	b = bytes.TrimSpace(b)
	switch {
	case len(b) == 0:
	case bytes.Equal(b, []byte("null")):
		return "", nil
	case b[0] == '"':
		var t Text
		err := t.UnmarshalJSON(b)
		return t, err
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		return Clean(string(b)), nil
	}
	return "", errors.New("not a string or a number")
}

// anyText returns a JSON value of any shape as text: strings as they are, null as "",
// everything else as compact JSON.
func anyText(b []byte) Text {
	if t, err := scalarText(b); err == nil {
		return t
	}
	var compact bytes.Buffer
	if json.Compact(&compact, b) != nil {
		return ""
	}
	return Clean(compact.String())
}

// Introducers of terminal sequences (ECMA-48), in their eight-bit forms.
const (
	escByte = 0x1b
	belByte = 0x07
	c1DCS   = '\u0090'
	c1SOS   = '\u0098'
	c1CSI   = '\u009b'
	c1ST    = '\u009c'
	c1OSC   = '\u009d'
	c1PM    = '\u009e'
	c1APC   = '\u009f'
)

// escapeLen returns the length of the escape sequence at the start of s, or 0. A
// sequence without an end extends to the end of the text, as on a terminal.
func escapeLen(s string) int {
	if s[0] == escByte {
		if len(s) == 1 {
			return 1
		}
		switch s[1] {
		case '[':
			return controlLen(s, 2)
		case ']', 'P', 'X', '^', '_':
			return stringLen(s, 2)
		}
		end := 1
		for end < len(s) && s[end] >= 0x20 && s[end] <= 0x2f {
			end++
		}
		if end < len(s) && s[end] >= 0x30 && s[end] <= 0x7e {
			end++
		}
		return end
	}
	switch r, width := utf8.DecodeRuneInString(s); r {
	case c1CSI:
		return controlLen(s, width)
	case c1DCS, c1SOS, c1OSC, c1PM, c1APC:
		return stringLen(s, width)
	}
	return 0
}

// controlLen returns where a control sequence ends: after its final byte, or before a
// byte that cannot be part of one.
func controlLen(s string, at int) int {
	for ; at < len(s); at++ {
		switch c := s[at]; {
		case c >= 0x40 && c <= 0x7e:
			return at + 1
		case c < 0x20 || c > 0x3f:
			return at
		}
	}
	return at
}

// stringLen returns where a command string ends: after BEL or the string terminator.
func stringLen(s string, at int) int {
	for ; at < len(s); at++ {
		switch rest := s[at:]; {
		case rest[0] == belByte:
			return at + 1
		case strings.HasPrefix(rest, "\x1b\\"), strings.HasPrefix(rest, string(c1ST)):
			return at + 2
		}
	}
	return at
}
