// Package cardlist holds many cards in little memory, in the order they were
// first seen. A List can be read and shared, a Table also finds cards by their
// ids and records which of them changed.
package cardlist

import (
	"fmt"
	"iter"
	"slices"
	"time"

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

// Card is what the list knows of one card.
type Card struct {
	ID        api.CardID
	BIN       api.BINID
	Network   api.Text
	Last4     api.Text
	Label     api.Text
	Status    api.CardStatus
	Balance   api.USD
	CreatedAt time.Time
	// Spent24h is what settled on the card in the last 24 hours, net of
	// refunds, as far as it was read. LastUsed is when its latest transaction was made
	// that is no refund, of all that this run or an earlier one read.
	Spent24h api.USD
	LastUsed time.Time
	// Month is what settled in the calendar month, net of refunds, as far as it
	// was read, and Limit the monthly limit, USD; both 0 while nothing shows
	// them, and the limit while it was not read.
	Month, Limit api.USD
	// ExpiresAt is on the server's clock; zero while it was not read: lists do not
	// have it. Expired reports whether it has passed.
	ExpiresAt time.Time
	Expired   bool
	// Cached reports whether all this is from an earlier run, and no answer of
	// this one was about the card yet.
	Cached bool

	number int32 // Row.Number
}

// Shown returns the status that people, filters and other programs get of a card: one
// that the API calls active has expired when its expiry has passed (ASSUMED 34).
// Card.Status is the API's, which operations are resolved by.
func Shown(status api.CardStatus, expired bool) api.CardStatus {
	if expired && status == api.CardActive {
		return api.CardExpired
	}
	return status
}

// Shown returns the status to show of the card.
func (c *Card) Shown() api.CardStatus { return Shown(c.Status, c.Expired) }

// ExpiresIn returns how long the card is valid, less than zero for one that has
// expired; false when that is not known, and where the card has ended before.
func (c *Card) ExpiresIn(now time.Time) (time.Duration, bool) {
	return c.ExpiresAt.Sub(now), !c.ExpiresAt.IsZero() && c.Status != api.CardTerminated
}

// Name returns the card's label and last digits.
func (c Card) Name() string { return Name(c.Label, c.Last4) }

// Alias stands for the name where names are hidden.
func (c Card) Alias() string { return fmt.Sprintf("card %d", c.number) }

// LimitUse returns how much of its monthly limit the card has used, in percent;
// false when that is not known.
func (c *Card) LimitUse() (percent int, known bool) {
	switch {
	case c.Month <= 0:
		return 0, true
	case c.Limit <= 0:
		return 0, false
	}
	return int(c.Month * 100 / c.Limit), true
}

// Name returns the name of a card with a label and last digits.
func Name(label, last4 api.Text) string {
	if label == "" {
		return "••" + string(last4)
	}
	return string(label) + " ••" + string(last4)
}

// StatusChange is a card's state that was another when it was read before, and
// that nothing done from here explains.
type StatusChange struct {
	Card     api.CardID
	From, To api.CardStatus
	// At is when it was seen, on the server's clock. It changed before.
	At time.Time
	// Away reports whether the state before is from an earlier run.
	Away bool
}
