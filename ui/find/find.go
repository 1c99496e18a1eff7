// Package find looks for what a user types among commands, cards, campaigns,
// merchants, transactions, settings and accounts, and ranks what matches. It reads
// the store and changes nothing.
package find

import (
	"time"

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
