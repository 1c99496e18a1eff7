package find

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The scores of a match of one word.
const (
	fitName    = 40  // added for the full text
	fitWhole   = 10  // added for a full word
	fitStart   = 100 // at the start
	fitWord    = 80  // at the start of a word
	fitWithin  = 60
	fitLetters = 30 // all letters in order
	fitGap     = 3  // subtracted for each letter in between
)

// typed is what a text is searched for: words in lower case, each of which has to
// match, and the letters that they have. Of figures the letters in order say
// nothing.
type typed struct {
	words   [][]byte
	masks   []uint64
	figures []bool
}

// read takes what a user typed apart.
func read(text string) typed {
	var t typed
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if word = plain(word); word != "" {
			t.words, t.masks = append(t.words, []byte(word)), append(t.masks, maskOf(word))
			t.figures = append(t.figures, isFigure(word))
		}
	}
	return t
}

// plain is a word as the texts have it: digits of a card without the dots before
// them, an amount without its currency and thousands, and with a point.
func plain(word string) string {
	word = strings.TrimLeft(word, "•")
	amount := strings.TrimLeft(word, "-$")
	if _, last, ok := strings.Cut(amount, ","); ok && len(last) < 3 {
		amount = strings.Replace(amount, ",", ".", 1)
	}
	amount = strings.ReplaceAll(amount, ",", "")
	if isFigure(amount) {
		return amount
	}
	return word
}

func isFigure(word string) bool { return word != "" && strings.Trim(word, "0123456789.") == "" }

// maskOf is which letters a text has, a bit each: a text cannot match a word that
// has others.
func maskOf[T string | []byte](text T) uint64 {
	var mask uint64
	for i := range len(text) {
		switch c := text[i]; {
		case c >= 'a' && c <= 'z':
			mask |= 1 << (c - 'a')
		case c >= '0' && c <= '9':
			mask |= 1 << (26 + c - '0')
		case c >= utf8.RuneSelf:
			mask |= 1 << (56 + c&7)
		case c != end:
			mask |= 1 << (36 + c%20)
		}
	}
	return mask
}

// score scores how well an item matches, and reports whether it does: each word
// has to be in one of its fields, as it is or with its letters in order. weights
// are subtracted from what is found in a field. end is behind each field.
func (t *typed) score(item []byte, weights []int) (score int, ok bool) {
	for i, word := range t.words {
		best := fit(word, item, weights)
		if best <= 0 && !t.figures[i] {
			best = fitLettersOf(word, item, weights)
		}
		if best <= 0 {
			return 0, false
		}
		score += best
	}
	return score, true
}

// fit scores a word that is in a field of an item as it is; 0 when it is in none.
func fit(word, item []byte, weights []int) int {
	best, field, counted := 0, 0, 0
	for from := 0; best < fitStart+fitName; {
		next := bytes.Index(item[from:], word)
		if next < 0 {
			break
		}
		at := from + next
		if len(weights) > 1 {
			field, counted = field+bytes.Count(item[counted:at], []byte{end}), at
		}
		best = max(best, fitAt(word, item, at)-weights[field])
		from = at + 1
	}
	return best
}

// fitAt scores a word at a place of an item.
func fitAt(word, item []byte, at int) int {
	stop := at + len(word)
	full := item[stop] == end
	score := fitStart
	if at > 0 && item[at-1] != end {
		if !begins(item, at) {
			return fitWithin
		}
		score = fitWord
	} else if full {
		return fitStart + fitName
	}
	if full || ends(item, stop) {
		score += fitWhole
	}
	return score
}

// begins reports whether a word begins at a place of a text that is not its
// start: after what is no letter or digit, and between letters and digits.
func begins(text []byte, at int) bool {
	before, after := around(text, at)
	return before == other || after != other && before != after
}

// ends reports whether a word ends before a place of a text.
func ends(text []byte, at int) bool {
	before, after := around(text, at)
	return before == other || before != after
}

// The classes of runes.
const (
	other = iota
	letter
	digit
)

// around returns the classes of the runes before and after a place of a text.
func around(text []byte, at int) (before, after int) {
	a, b := text[at-1], text[at]
	if a < utf8.RuneSelf && b < utf8.RuneSelf {
		return ascii(a), ascii(b)
	}
	r, _ := utf8.DecodeLastRune(text[:at])
	s, _ := utf8.DecodeRune(text[at:])
	return class(r), class(s)
}

func ascii(c byte) int {
	switch {
	case c-'a' < 26:
		return letter
	case c-'0' < 10:
		return digit
	}
	return other
}

func class(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		return ascii(byte(r))
	case unicode.IsLetter(r):
		return letter
	case unicode.IsDigit(r):
		return digit
	}
	return other
}

// fitLettersOf scores the letters of a word that are in a field of an item in
// their order.
func fitLettersOf(word, item []byte, weights []int) int {
	best := 0
	for _, weight := range weights {
		stop := bytes.IndexByte(item, end)
		best = max(best, fitLettersIn(word, item[:stop])-weight)
		item = item[stop+1:]
	}
	return best
}

// fitLettersIn takes the first place in a text where the letters are close
// together.
func fitLettersIn(word, text []byte) int {
	first, _ := utf8.DecodeRune(word)
	for at := 0; at < len(text); at++ {
		next := bytes.IndexRune(text[at:], first)
		if next < 0 {
			break
		}
		at += next
		if score := fitSpelt(word, text, at); score > 0 {
			return score
		}
	}
	return 0
}

// fitSpelt scores the letters of a word in a text that has the first of them in a
// place. What is left out up to the beginning of a word counts as one letter.
func fitSpelt(word, text []byte, at int) int {
	gaps := 0
	_, n := utf8.DecodeRune(word)
	for at += n; n < len(word); {
		r, size := utf8.DecodeRune(word[n:])
		next := bytes.IndexRune(text[at:], r)
		if next < 0 {
			return 0
		}
		if at += next; next > 0 && begins(text, at) {
			next = 1
		}
		if gaps += next; gaps*fitGap >= fitLetters { // Letters far apart match by chance.
			return 0
		}
		n, at = n+size, at+size
	}
	return fitLetters - fitGap*gaps
}
