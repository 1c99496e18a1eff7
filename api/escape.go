package api

import (
	"strings"
	"unicode/utf8"
)

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

// escapeLen is the length of the escape sequence at the start of s, 0 when
// there is none. A sequence that never ends takes the rest of the text, as it
// would on a terminal.
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

// controlLen ends a control sequence at its final byte. A byte that cannot be
// part of one ends it too, and stays.
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

// stringLen ends a command string at BEL or at the string terminator.
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
