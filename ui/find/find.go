// Package find looks for what a user types among commands, cards, campaigns,
// merchants, transactions, settings and accounts, and ranks what matches. It reads
// the store and changes nothing.
package find

import (
	"bytes"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cardtop/cardtop/internal/lang"
)

// Kind is what is found. Of equal matches the earlier kind comes first.
type Kind uint8

// The kinds.
const (
	Command Kind = iota
	Card
	Campaign
	Merchant
	Transaction
	Setting
	Account
	kinds
)

// String returns the word for the kind.
func (k Kind) String() string {
	return [kinds]string{
		lang.N("command"), lang.N("card"), lang.N("campaign"), lang.N("merchant"), lang.N("txn"), lang.N("setting"), lang.N("profile"),
	}[k]
}

// private reports whether a private screen does not show the kind.
func (k Kind) private() bool { return k >= Card && k <= Transaction }

// Item identifies what was found: ID is of its kind, the name where there is no
// other. At is when a transaction was made, by which it is looked up.
type Item struct {
	Kind Kind
	ID   string
	At   time.Time
}

// recentKept is how many items Recent remembers.
const recentKept = 8

// Recent is what was chosen lately, the last first. The zero value is empty.
type Recent struct{ items []Item }

// Add notes that an item was chosen.
func (r *Recent) Add(it Item) {
	items := append(make([]Item, 0, recentKept), it)
	for _, old := range r.items {
		if old != it && len(items) < recentKept {
			items = append(items, old)
		}
	}
	r.items = items
}

// Items returns them.
func (r *Recent) Items() []Item {
	if r == nil {
		return nil
	}
	return r.items
}

// end is what follows each field of an item.
const end = 0

// texts are the texts of the items of a kind, by their places, in lower case and
// in one piece: they are looked through at every key.
type texts struct {
	weights []int // of the fields
	ordered bool  // equal matches stay in their order: otherwise the shortest is first
	buf     []byte
	spans   []span
	masks   []uint64
}

// usual is how many bytes most items have at most.
const usual = 32

// span is where the fields of an item are.
type span struct{ from, to uint32 }

// set puts the fields of an item in its place, which may be the next one.
func (t *texts) set(place int, fields ...string) {
	from := len(t.buf)
	for _, f := range fields {
		t.buf = append(append(t.buf, strings.ToLower(f)...), end)
	}
	s, mask := span{uint32(from), uint32(len(t.buf))}, maskOf(t.buf[from:])
	if place == len(t.spans) {
		t.spans, t.masks = append(t.spans, s), append(t.masks, mask)
		return
	}
	t.spans[place], t.masks[place] = s, mask
}

func (t *texts) len() int { return len(t.spans) }

// reset forgets all items, of which there will be so many.
func (t *texts) reset(items int) {
	t.buf, t.spans, t.masks = t.buf[:0], t.spans[:0], t.masks[:0]
	if cap(t.spans) < items {
		t.spans, t.masks, t.buf = make([]span, 0, items), make([]uint64, 0, items), make([]byte, 0, items*usual)
	}
}

// search adds to the best those of some items that match.
func (t *texts) search(what *typed, from, to int, best *top) {
	for place := from; place < to; place++ {
		if !may(what.masks, t.masks[place]) {
			continue
		}
		s := t.spans[place]
		if score, ok := what.score(t.buf[s.from:s.to], t.weights); ok {
			h := hit{place: int32(place), score: int32(score)}
			if !t.ordered {
				h.text = t.buf[s.from:s.to]
			}
			best.add(h)
		}
	}
}

// may reports whether a text has all letters of all words.
func may(words []uint64, text uint64) bool {
	for _, w := range words {
		if w&^text != 0 {
			return false
		}
	}
	return true
}

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
