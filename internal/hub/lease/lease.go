// Package lease lets one person at a time move the money of a card.
package lease

import (
	"sync"

	"github.com/cardtop/cardtop/api"
)

// Holder is what holds a lease: an operation and who asked for it.
type Holder struct {
	Key  api.IdempotencyKey
	Name string
	// What is the operation, such as "fund".
	What string
}

// Leases are those of one hub. It may be used from several goroutines.
type Leases struct {
	mu   sync.Mutex
	held map[api.CardID]Holder
}

// New returns no leases.
func New() *Leases { return &Leases{held: make(map[api.CardID]Holder)} }

// Take takes the lease of a card; when another operation has it, it returns that one
// and false.
func (l *Leases) Take(card api.CardID, h Holder) (other Holder, taken bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if other, held := l.held[card]; held && other.Key != h.Key {
		return other, false
	}
	l.held[card] = h
	return Holder{}, true
}

// Release lets the lease of a card go if the operation of a key has it.
func (l *Leases) Release(card api.CardID, key api.IdempotencyKey) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held[card].Key == key {
		delete(l.held, card)
	}
}
