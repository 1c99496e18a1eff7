package spending

import (
	"cmp"
	"slices"
	"strings"
)

// names put what the rows are called in order, by their places in the ledger. Only names
// that are new or changed are compared with others.
type names struct {
	texts []string // in lower case
	order []uint32 // places
	// ranks are the places in that order; the same for names that are the same.
	ranks []uint32
	// fresh are the places whose names have no place in the order yet.
	fresh map[uint32]bool
}

// read takes the names of places that are new. name returns one in lower case.
func (n *names) read(places int, name func(place uint32) string) {
	for at := len(n.texts); at < places; at++ {
		n.texts = append(n.texts, name(uint32(at)))
		n.changed(uint32(at))
	}
}

// set takes a name that may have changed.
func (n *names) set(place uint32, name string) {
	if int(place) < len(n.texts) && n.texts[place] != name {
		n.texts[place] = name
		n.changed(place)
	}
}

func (n *names) changed(place uint32) {
	if n.fresh == nil {
		n.fresh = make(map[uint32]bool)
	}
	n.fresh[place] = true
}

func (n *names) compare(a, b uint32) int {
	return cmp.Or(strings.Compare(n.texts[a], n.texts[b]), cmp.Compare(a, b))
}

// rank brings the ranks up to date.
func (n *names) rank() {
	if len(n.fresh) == 0 {
		return
	}
	others := slices.DeleteFunc(n.order, func(at uint32) bool { return n.fresh[at] })
	fresh := make([]uint32, 0, len(n.fresh))
	for at := range n.fresh {
		fresh = append(fresh, at)
	}
	slices.SortFunc(fresh, n.compare)
	n.order = n.merged(others, fresh)
	n.fresh = nil
	n.ranks = slices.Grow(n.ranks[:0], len(n.order))[:len(n.order)]
	rank := uint32(0)
	for i, at := range n.order {
		if i > 0 && n.texts[at] != n.texts[n.order[i-1]] {
			rank++
		}
		n.ranks[at] = rank
	}
}

// merged puts places in order among others that are.
func (n *names) merged(others, fresh []uint32) []uint32 {
	out := make([]uint32, 0, len(others)+len(fresh))
	for _, at := range fresh {
		i, _ := slices.BinarySearchFunc(others, at, n.compare)
		out = append(append(out, others[:i]...), at)
		others = others[i:]
	}
	return append(out, others...)
}
