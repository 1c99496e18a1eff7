package cache

import (
	"encoding/binary"
	"strings"

	"github.com/cardtop/cardtop/api"
)

// writer appends what it is passed.
type writer struct {
	out   []byte
	words map[string]uint64
}

func newWriter(header []byte) *writer {
	return &writer{out: header, words: make(map[string]uint64)}
}

func (w *writer) number(v int64) int64 {
	w.out = binary.AppendVarint(w.out, v)
	return v
}

func (w *writer) name(v string) string { return w.text(v) }

func (w *writer) text(v string) string {
	w.out = binary.AppendUvarint(w.out, uint64(len(v)))
	w.out = append(w.out, v...)
	return v
}

// word writes a text the first time and its number from then on.
func (w *writer) word(v string) string {
	n := w.words[v]
	w.out = binary.AppendUvarint(w.out, n)
	if n == 0 {
		w.words[v] = uint64(len(w.words)) + 1
		w.text(v)
	}
	return v
}

func (w *writer) count(n, _ int) int {
	w.out = binary.AppendUvarint(w.out, uint64(n))
	return n
}

// reader reads the values that a writer wrote. After the first
// invalid one it returns zeros.
type reader struct {
	rest  string
	words []string
	kept  strings.Builder
	bad   bool
}

func (r *reader) fail() { r.rest, r.bad = "", true }

// number undoes the zigzag that keeps small negative numbers short.
func (r *reader) number(int64) int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

func (r *reader) uvarint() uint64 {
	var v uint64
	for i := range min(len(r.rest), binary.MaxVarintLen64) {
		b := r.rest[i]
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
	r.fail()
	return 0
}

func (r *reader) raw() string {
	n := r.uvarint()
	if n > uint64(len(r.rest)) {
		r.fail()
		return ""
	}
	var s string
	s, r.rest = r.rest[:n], r.rest[n:]
	return s
}

// name accepts printable ASCII without blanks, as all identifiers are.
func (r *reader) name(string) string {
	s := r.raw()
	if s == "" || strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c > '~' }) {
		r.fail()
		return ""
	}
	return r.keep(s)
}

// keptTogether is how many bytes of text are one piece of memory: 100,000 identifiers and
// labels of their own would take the collector a third longer to look at.
const keptTogether = 4 << 10

// keep copies what stays when the rest of the file does not.
func (r *reader) keep(s string) string {
	if r.kept.Cap()-r.kept.Len() < len(s) {
		r.kept = strings.Builder{}
		r.kept.Grow(max(len(s), keptTogether))
	}
	from := r.kept.Len()
	r.kept.WriteString(s)
	return r.kept.String()[from:]
}

// text sanitises what it reads, like all text that is decoded.
func (r *reader) text(string) string { return r.keep(string(api.Clean(r.raw()))) }

func (r *reader) word(string) string {
	n := r.uvarint()
	switch {
	case n > uint64(len(r.words)):
		r.fail()
		return ""
	case n > 0:
		return r.words[n-1]
	}
	r.words = append(r.words, r.text(""))
	return r.words[len(r.words)-1]
}

// count refuses more records than the rest has bytes for.
func (r *reader) count(_, size int) int {
	n := r.uvarint()
	if n > uint64(len(r.rest)/size) {
		r.fail()
		return 0
	}
	return int(n)
}
