package cardlist

import (
	"iter"
	"slices"

	"github.com/cardtop/cardtop/api"
)

// List is cards in the order they were added. It is read from one goroutine,
// and so is a share of it from another. The zero value is empty.
type List struct {
	blocks []*block
	shared []bool // the blocks that a share may refer to as well
	n      int
}

// block is what is copied when a card changes that a share refers to.
type block [blockRows]Row

// blockRows fill 32 kB, the largest that the runtime allocates by size.
const blockRows = 240

// ListOf returns a list of cards.
func ListOf(cards ...Card) List {
	var l List
	for _, c := range cards {
		l.Add(c)
	}
	return l
}

// Len is how many cards there are.
func (l *List) Len() int { return l.n }

// At returns the card in a place, counted from 0.
func (l *List) At(i int) Card { return l.row(i).Card() }

// Row returns the row in a place for reading.
func (l *List) Row(i int) *Row { return l.row(i) }

// ID returns the id of the card in a place, without the rest of the card.
func (l *List) ID(i int) api.CardID { return l.row(i).ID }

// Label returns the label of the card in a place.
func (l *List) Label(i int) api.Text { return l.row(i).Label }

// Last4 returns the last digits of the card in a place.
func (l *List) Last4(i int) api.Text { return l.row(i).Last4.Text() }

// Status returns the status of the card in a place.
func (l *List) Status(i int) api.CardStatus { return l.row(i).Status() }

// Balance returns the balance of the card in a place, USD cents.
func (l *List) Balance(i int) api.USD { return l.row(i).Balance }

// All returns the cards with their places.
func (l *List) All() iter.Seq2[int, Card] {
	return func(yield func(int, Card) bool) {
		for i := range l.n {
			if !yield(i, l.At(i)) {
				return
			}
		}
	}
}

// Add adds a card at the end.
func (l *List) Add(c Card) {
	if l.n%blockRows == 0 {
		l.blocks, l.shared = append(l.blocks, new(block)), append(l.shared, false)
	}
	l.n++
	*l.own(l.n - 1) = rowOf(c)
}

// Share returns the cards as they are now. It copies none: a block is copied at
// its first change afterwards, once more than needed when the share is gone by
// then.
func (l *List) Share() List {
	for i := range l.shared {
		l.shared[i] = true
	}
	return List{blocks: slices.Clone(l.blocks), shared: slices.Clone(l.shared), n: l.n}
}

// row returns a row for reading.
func (l *List) row(i int) *Row { return &l.blocks[i/blockRows][i%blockRows] }

// own returns a row for writing: a shared block is copied first.
func (l *List) own(i int) *Row {
	b := i / blockRows
	if l.shared[b] {
		l.blocks[b], l.shared[b] = new(*l.blocks[b]), false
	}
	return l.row(i)
}

// filter removes the rows that do not stay; the others move up.
func (l *List) filter(stays func(*Row) bool) {
	n := 0
	for i := range l.n {
		r := l.row(i)
		if !stays(r) {
			continue
		}
		if i != n {
			*l.own(n) = *r
		}
		n++
	}
	for i := n; i < min(l.n, (n+blockRows-1)/blockRows*blockRows); i++ {
		*l.own(i) = Row{}
	}
	blocks := (n + blockRows - 1) / blockRows
	clear(l.blocks[blocks:])
	l.blocks, l.shared, l.n = l.blocks[:blocks], l.shared[:blocks], n
}
