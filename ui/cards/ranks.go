package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state"
)

// ranks are what the cards are sorted by, by their places in the store: numbers
// or texts, or neither where the labels decide.
type ranks struct {
	by      column
	numbers []int64
	texts   []string
}

// reset ranks all cards by a column.
func (r *ranks) reset(by column, all *state.PackedCards) {
	*r = ranks{by: by}
	r.grow(all.Len())
	if by.number == nil && by.text == nil {
		return
	}
	for i, c := range all.All() {
		r.set(int32(i), &c)
	}
}

// grow makes room for more cards.
func (r *ranks) grow(n int) {
	switch {
	case r.by.number != nil:
		had := len(r.numbers)
		r.numbers = slices.Grow(r.numbers, n-had)[:n]
		clear(r.numbers[had:])
	case r.by.text != nil:
		had := len(r.texts)
		r.texts = slices.Grow(r.texts, n-had)[:n]
		clear(r.texts[had:])
	}
}

// set ranks a card, and reports whether it had another rank.
func (r *ranks) set(row int32, c *state.Card) (changed bool) {
	switch {
	case r.by.number != nil:
		n := r.by.number(c)
		changed, r.numbers[row] = n != r.numbers[row], n
	case r.by.text != nil:
		t := r.by.text(c)
		changed, r.texts[row] = t != r.texts[row], t
	}
	return changed
}

func (r *ranks) compare(a, b int32) int {
	switch {
	case r.by.number != nil:
		return cmp.Compare(r.numbers[a], r.numbers[b])
	case r.by.text != nil:
		return strings.Compare(r.texts[a], r.texts[b])
	}
	return 0
}
