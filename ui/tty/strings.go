package tty

import (
	"io"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// wholeStrings reads keys and answers so that the two bytes that end a string come together: the library takes the first
// for all of the end, and the other for a key.
type wholeStrings struct {
	io.Reader
	now func() time.Time

	inside bool // a string has begun and not ended
	esc    bool // the byte before is an escape
	held   bool // that escape is not passed on yet
	last   time.Time
}

// Read passes on what is read, but for an escape at its end within a string, which comes with the next byte.
func (s *wholeStrings) Read(p []byte) (int, error) {
	if len(p) < 2 {
		return s.Reader.Read(p)
	}
	at := 0
	if s.held {
		p[0], at, s.held = escape, 1, false
	}
	n, err := s.Reader.Read(p[at:])
	now := s.now()
	if now.Sub(s.last) > uv.DefaultEscTimeout { // The library waits no longer either: what began was a key.
		s.inside, s.esc = false, false
	}
	if n > 0 {
		s.last = now
	}
	for _, b := range p[at : at+n] {
		s.pass(b)
	}
	n += at
	if err == nil && s.inside && s.esc {
		s.held = true
		if n--; n == 0 {
			return s.Read(p)
		}
	}
	return n, err
}

const escape = 0x1b

// pass notes a byte.
func (s *wholeStrings) pass(b byte) {
	switch {
	case s.esc && (b == ']' || b == 'P' || b == '_' || b == '^' || b == 'X'):
		s.inside = true
	case s.esc, b == '\a', b == 0x18, b == 0x1a: // It ends, or is given up.
		s.inside = false
	}
	s.esc = b == escape
}
