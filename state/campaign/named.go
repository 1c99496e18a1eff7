package campaign

import (
	"cmp"
	"slices"

	"github.com/cardtop/cardtop/api"
)

// Named are the campaigns of cards as their metadata tells them. The zero value has none.
type Named struct {
	names map[api.CardID]string
	// recalled are those of an earlier run that this one has not read.
	recalled map[api.CardID]bool
}

// Name is the campaign of a card.
type Name struct {
	Card api.CardID
	Name string
}

// Of returns the campaign of a card; empty for none, and while it is not known.
func (n *Named) Of(id api.CardID) string { return n.names[id] }

// Set sets the campaign of a card that was read.
func (n *Named) Set(id api.CardID, name string) {
	n.set(id, name)
	delete(n.recalled, id)
}

func (n *Named) set(id api.CardID, name string) {
	if n.names == nil {
		n.names = make(map[api.CardID]string)
	}
	n.names[id] = name
}

// Recall takes over campaigns of an earlier run, of cards that this one has not read.
func (n *Named) Recall(list []Name) {
	for _, c := range list {
		if n.Known(c.Card) {
			continue
		}
		n.set(c.Card, c.Name)
		if n.recalled == nil {
			n.recalled = make(map[api.CardID]bool)
		}
		n.recalled[c.Card] = true
	}
}

// Known reports whether the campaign of a card is known, Recalled whether that is of an
// earlier run.
func (n *Named) Known(id api.CardID) bool {
	_, ok := n.names[id]
	return ok
}

// Recalled is explained at Known.
func (n *Named) Recalled(id api.CardID) bool { return n.recalled[id] }

// All returns what is known, by card.
func (n *Named) All() []Name {
	out := make([]Name, 0, len(n.names))
	for id, name := range n.names {
		out = append(out, Name{id, name})
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Card, b.Card) })
	return out
}
