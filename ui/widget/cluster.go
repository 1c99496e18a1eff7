package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const (
	// maxSpread bounds the cells that a base and its marks take.
	maxSpread = 4
	// replacement stands for what no two terminals draw alike; one cell.
	replacement = "\uFFFD"
	// maxClusterRunes bounds the runes stacked in one cell.
	maxClusterRunes = 8
)

// Cluster returns what is drawn for the first grapheme cluster of s, the cells that are kept for it and the bytes it took.
func Cluster(s string) (text string, cells, n int) { return next(s) }

// next returns what is drawn for the first grapheme cluster of s, its cells
// and the bytes it took. A cluster on which grapheme-aware and older
// terminals disagree (a joined emoji, a stack of marks) is reduced to its
// first rune, so that a row is equally wide on both; a letter with marks beside it, as Hindi and Thai
// have, keeps the cells of the wider one.
func next(s string) (text string, cells, n int) {
	c := s[0]
	if c < utf8.RuneSelf {
		return nextASCII(s, c)
	}
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size <= 1 {
		return replacement, 1, 1
	}
	if cells = simple(r); cells > 0 && endsCluster(s[size:]) {
		return s[:size], cells, size
	}
	return nextCluster(s)
}

func nextASCII(s string, c byte) (text string, cells, n int) {
	switch {
	case c == '\t' || c == '\n' || c == '\r':
		return " ", 1, 1
	case c < 0x20 || c == 0x7f:
		return "", 0, 1
	case endsCluster(s[1:]):
		return s[:1], 1, 1
	}
	return nextCluster(s)
}

// simple returns the cells of a rune of the common scripts and drawings that
// never joins the rune after it unless that one is a mark, 0 for all others.
func simple(r rune) int {
	switch {
	case r >= 0xa1 && r < 0x300 && r != 0xad, r >= 0x400 && r <= 0x481, r >= 0x48a && r <= 0x52f,
		r >= 0x2010 && r <= 0x2027, r >= 0x2500 && r <= 0x25fc, r >= 0x2800 && r <= 0x28ff:
		return 1
	case r >= 0x3041 && r <= 0x3096, r >= 0x30a1 && r <= 0x30fa, r >= 0x4e00 && r <= 0x9fff, r >= 0xff01 && r <= 0xff5e:
		return 2
	}
	return 0
}

// endsCluster reports whether what follows surely begins a cluster.
func endsCluster(s string) bool {
	if s == "" || s[0] < utf8.RuneSelf {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	return simple(r) > 0
}

// nextCluster returns the cluster that s begins with, which ends at the first
// byte that is not UTF-8.
func nextCluster(s string) (text string, cells, n int) {
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	if !utf8.ValidString(cluster) {
		valid := 0
		for {
			r, size := utf8.DecodeRuneInString(s[valid:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			valid += size
		}
		cluster, _ = ansi.FirstGraphemeCluster(s[:valid], ansi.GraphemeWidth)
	}
	text, cells = settle(cluster)
	return text, cells, len(cluster)
}

// settle returns the part of a cluster that all terminals draw alike. What
// has no width of its own is not drawn: it would change its neighbour.
func settle(cluster string) (string, int) {
	if utf8.RuneCountInString(cluster) <= maxClusterRunes {
		if w, ok := agreed(cluster); ok {
			return cluster[:len(cluster)*min(w, 1)], w
		}
		if w := spread(cluster); w > 0 {
			return cluster, w
		}
	}
	_, size := utf8.DecodeRuneInString(cluster)
	if w, ok := agreed(cluster[:size]); ok {
		return cluster[:size*min(w, 1)], w
	}
	return replacement, 1
}

// agreed returns the width of a cluster when both ways of measuring give the
// same and a neighbour cannot join it.
func agreed(cluster string) (int, bool) {
	w := ansi.StringWidth(cluster)
	const joiner = "\u200d"
	if w != byRunes(cluster) || w > 2 || strings.HasSuffix(cluster, joiner) {
		return 0, false
	}
	return w, w == 0 || standsAlone(cluster)
}

// spread returns how many cells a letter and its marks take where each has its own; 0 where that is no such cluster.
// Who draws it goes on behind these cells, wherever the terminal says that it is.
func spread(cluster string) int {
	const joiner = "\u200d"
	w := byRunes(cluster)
	if w > maxSpread || ansi.StringWidth(cluster) != 1 || strings.Contains(cluster, joiner) || !standsAlone(cluster) {
		return 0
	}
	return w
}

// byRunes returns the width of a cluster on a terminal that knows no clusters: each
// rune moves the cursor. It is what ansi.StringWidthWc returns, without the table of
// 2 MB that this fills.
func byRunes(cluster string) (cells int) {
	for _, r := range cluster {
		switch {
		case r >= firstRegional && r <= lastRegional:
			cells++ // Two of them are a flag.
		case !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, newMarks):
			cells += ansi.StringWidth(string(r))
		}
	}
	return cells
}

// The letters that flags are made of.
const firstRegional, lastRegional = '\U0001f1e6', '\U0001f1ff'

// newMarks are the marks of Unicode 16 and 17 that the tables of Go do not have yet.
var newMarks = &unicode.RangeTable{
	R16: []unicode.Range16{{0x0897, 0x0897, 1}, {0x0cf3, 0x0cf3, 1}, {0x1acf, 0x1add, 1}, {0x1ae0, 0x1aeb, 1}},
	R32: []unicode.Range32{
		{0x10d69, 0x10d6d, 1},
		{0x10efa, 0x10efc, 1},
		{0x113bb, 0x113c0, 1},
		{0x113ce, 0x113ce, 1},
		{0x113d0, 0x113d0, 1},
		{0x113d2, 0x113d2, 1},
		{0x113e1, 0x113e2, 1},
		{0x11b60, 0x11b60, 1},
		{0x11b62, 0x11b64, 1},
		{0x11b66, 0x11b66, 1},
		{0x11f5a, 0x11f5a, 1},
		{0x1611e, 0x16129, 1},
		{0x1612d, 0x1612f, 1},
		{0x1d165, 0x1d166, 1},
		{0x1d16d, 0x1d172, 1},
		{0x1e5ee, 0x1e5ef, 1},
		{0x1e6e3, 0x1e6e3, 1},
		{0x1e6e6, 0x1e6e6, 1},
		{0x1e6ee, 0x1e6ef, 1},
		{0x1e6f5, 0x1e6f5, 1},
	},
}

// standsAlone reports whether a cluster joins nothing before or after it. It
// is tried against a letter and a Hangul syllable; the ranges are the common
// ones for which this is known without trying.
func standsAlone(cluster string) bool {
	switch r, _ := utf8.DecodeRuneInString(cluster); {
	case r < 0x300, r >= 0x2010 && r <= 0x2027, r >= 0x2100 && r <= 0x2fff,
		r >= 0x30a0 && r <= 0x9fff, r >= 0xac00 && r <= 0xd7a3, r >= 0x1f400 && r <= 0x1faff:
		return true
	}
	var room [64]byte
	for _, other := range [...]string{"a", "가"} {
		pair := append(append(room[:0], other...), cluster...)
		if c, _ := ansi.FirstGraphemeCluster(pair, ansi.GraphemeWidth); len(c) != len(other) {
			return false
		}
		pair = append(append(room[:0], cluster...), other...)
		if c, _ := ansi.FirstGraphemeCluster(pair, ansi.GraphemeWidth); len(c) != len(cluster) {
			return false
		}
	}
	return true
}
