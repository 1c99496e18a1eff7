package cards

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/state/cardlist"
)

// ranks are what the cards are sorted by, by their places in the store: numbers
// or texts, or neither where the labels decide.
type ranks struct {
	by column
	// figures are asked where the column is one.
	figures func(row int32) *figure
	numbers []int64
	texts   []string
}

// reset ranks all cards by a column.
func (r *ranks) reset(by column, all *cardlist.List, figures func(row int32) *figure) {
	*r = ranks{by: by, figures: figures}
	r.grow(all.Len())
	if by.figure != nil {
		for row := range r.numbers {
			r.numbers[row] = r.figure(int32(row))
		}
		return
	}
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
	case r.numeric():
		had := len(r.numbers)
		r.numbers = slices.Grow(r.numbers, n-had)[:n]
		clear(r.numbers[had:])
	case r.by.text != nil:
		had := len(r.texts)
		r.texts = slices.Grow(r.texts, n-had)[:n]
		clear(r.texts[had:])
	}
}

func (r *ranks) numeric() bool { return r.by.number != nil || r.by.figure != nil }

func (r *ranks) figure(row int32) int64 {
	return r.by.figure(r.figures(row))
}

// set ranks a card, and reports whether it had another rank.
func (r *ranks) set(row int32, c *cardlist.Card) (changed bool) {
	switch {
	case r.by.figure != nil:
		n := r.figure(row)
		changed, r.numbers[row] = n != r.numbers[row], n
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
	case r.numeric():
		return cmp.Compare(r.numbers[a], r.numbers[b])
	case r.by.text != nil:
		return strings.Compare(r.texts[a], r.texts[b])
	}
	return 0
}
