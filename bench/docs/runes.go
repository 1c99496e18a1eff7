package main

import (
	"io"
	"unicode/utf8"
)

// runes reads text and holds back a rune that is cut in two, which the emulator would
// drop.
type runes struct {
	from io.Reader
	buf  [1 << 14]byte
	kept int
}

func newRunes(from io.Reader) *runes { return &runes{from: from} }

func (r *runes) next() ([]byte, error) {
	n, err := r.from.Read(r.buf[r.kept:])
	n += r.kept
	whole := n
	for i := n - 1; i >= max(0, n-utf8.UTFMax); i-- {
		if utf8.RuneStart(r.buf[i]) {
			if !utf8.FullRune(r.buf[i:n]) {
				whole = i
			}
			break
		}
	}
	text := append([]byte(nil), r.buf[:whole]...)
	r.kept = copy(r.buf[:], r.buf[whole:n])
	return text, err
}
