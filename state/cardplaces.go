package state

import (
	"hash/maphash"

	"github.com/cardtop/cardtop/api"
)

// cardPlaces finds the cards of a table by their ids. It holds their places
// and no id, in a tenth of the room of a map of ids.
type cardPlaces struct {
	seed maphash.Seed
	// slots are places counted from 1, each in the first free slot from the one
	// that its id says; their number is a power of two.
	slots []int32
	n     int
}

func newCardPlaces() cardPlaces {
	return cardPlaces{seed: maphash.MakeSeed(), slots: make([]int32, 64)}
}

// find gives the place of a card.
func (p *cardPlaces) find(t *PackedCards, id api.CardID) (int, bool) {
	slot := p.slot(t, id)
	return int(p.slots[slot]) - 1, p.slots[slot] != 0
}

// slot is where a card's place stands, or is to stand.
func (p *cardPlaces) slot(t *PackedCards, id api.CardID) int {
	last := len(p.slots) - 1
	slot := int(maphash.String(p.seed, string(id))) & last
	for p.slots[slot] != 0 && t.row(int(p.slots[slot])-1).id != id {
		slot = (slot + 1) & last
	}
	return slot
}

// add takes in the last card of a table.
func (p *cardPlaces) add(t *PackedCards) {
	if p.n++; p.n > len(p.slots)*4/5 {
		p.slots = make([]int32, 2*len(p.slots))
		p.fill(t)
		return
	}
	p.slots[p.slot(t, t.row(t.Len()-1).id)] = int32(t.Len())
}

// reset takes in the cards of a table anew.
func (p *cardPlaces) reset(t *PackedCards) {
	clear(p.slots)
	p.n = t.Len()
	p.fill(t)
}

func (p *cardPlaces) fill(t *PackedCards) {
	for i, r := range t.rows() {
		p.slots[p.slot(t, r.id)] = int32(i) + 1
	}
}
