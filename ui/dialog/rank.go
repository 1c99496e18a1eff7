package dialog

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// rank tells how well texts fit what was typed, and whether they do: each word
// has to be found in one of them, as it stands or letter by letter in its
// order. The texts that come first count for more.
func rank(typed string, texts ...string) (score int, ok bool) {
	for word := range strings.FieldsSeq(strings.ToLower(typed)) {
		best := 0
		for i, text := range texts {
			best = max(best, fit(word, strings.ToLower(text))-i)
		}
		if best <= 0 {
			return 0, false
		}
		score += best
	}
	return score, true
}

// What a fit is worth.
const (
	fitName    = 40  // all of the text
	fitWhole   = 10  // a word, and not the beginning of one
	fitStart   = 100 // at the beginning
	fitWord    = 80  // at the beginning of a word
	fitWithin  = 60
	fitLetters = 30 // all letters in order
	fitGap     = 3  // less this for each letter that lies between
)

// fit tells how well one word fits a text; 0 when it does not.
func fit(word, text string) int {
	best := 0
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			break
		}
		best = max(best, fitAt(word, text, from+at))
		from += at + 1
	}
	if best > 0 {
		return best
	}
	return fitSpelt(word, text)
}

// fitAt tells how well a word fits a text that holds it at a place.
func fitAt(word, text string, at int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+len(word):])
	score := fitWithin
	switch {
	case word == text:
		return fitStart + fitName
	case at == 0:
		score = fitStart
	case !unicode.IsLetter(before):
		score = fitWord
	default:
		return score
	}
	if !unicode.IsLetter(after) {
		score += fitWhole
	}
	return score
}

// fitSpelt tells how well the letters of a word fit a text that has them in
// their order.
func fitSpelt(word, text string) int {
	gaps, from := 0, -1
	for _, r := range word {
		next := strings.IndexRune(text[from+1:], r)
		if next < 0 {
			return 0
		}
		if from >= 0 {
			gaps += next
		}
		from += 1 + next
	}
	// Letters far apart spell the word by chance.
	return max(0, fitLetters-fitGap*gaps)
}
