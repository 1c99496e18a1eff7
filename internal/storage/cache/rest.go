package cache

import (
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
)

// Rest reads the cards that Load did not return.
type Rest struct {
	reader *reader
	left   int
}

// Next returns up to n more cards, and whether others follow. None follow what
// cannot be read.
func (r *Rest) Next(n int) (cards cardlist.List, more bool) {
	for range min(n, r.left) {
		var c cardlist.Card
		if card(r.reader, &c); r.reader.bad {
			r.left = 0
			break
		}
		cards.Add(c)
		r.left--
	}
	if r.left == 0 {
		r.reader = nil // It holds the file.
	}
	return cards, r.left > 0
}

// writeCards writes the cards of a snapshot in its order.
func writeCards(w *writer, s *state.Snapshot) {
	n := w.count(s.Cards.Len(), leastRecord)
	for i := range n {
		if len(s.Order) == n {
			i = int(s.Order[i])
		}
		c := s.Cards.At(i)
		card(w, &c)
	}
}
