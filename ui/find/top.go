package find

import (
	"bytes"
	"cmp"
	"slices"
)

// hit is an item that matches. text is nil where equal ones stay in their order.
type hit struct {
	place, score int32
	text         []byte
}

// compare orders hits: the best first, then the shortest, then by their texts.
func (h hit) compare(o hit) int {
	switch {
	case h.score != o.score:
		return cmp.Compare(o.score, h.score)
	case len(h.text) != len(o.text):
		return cmp.Compare(len(h.text), len(o.text))
	}
	if c := bytes.Compare(h.text, o.text); c != 0 {
		return c
	}
	return cmp.Compare(h.place, o.place)
}

// most is how many results there are at most, of all kinds and of each.
const most = 50

// top are the best hits of a kind, in order.
type top struct{ hits []hit }

// add takes a hit that is among the best.
func (t *top) add(h hit) {
	if n := len(t.hits); n == most {
		if h.compare(t.hits[n-1]) >= 0 {
			return
		}
		t.hits = t.hits[:n-1]
	}
	at, _ := slices.BinarySearchFunc(t.hits, h, hit.compare)
	t.hits = slices.Insert(t.hits, at, h)
}

// The first hits of a kind keep their score. Each further one loses some, so that
// the good ones of other kinds are not below all of a kind that has many.
const (
	crowdFree = 4
	crowdLoss = 3
)

// result is a hit among those of other kinds.
type result struct {
	hit
	kind Kind
	rank int32
}

// mix makes one list of the best of each kind, less what some lose.
func mix(tops *[kinds]top, loss func(kind Kind, place int32) int32) []result {
	var all []result
	for kind := range tops {
		for i, h := range tops[kind].hits {
			all = append(all, result{h, Kind(kind), h.score - crowdLoss*int32(max(0, i+1-crowdFree)) - loss(Kind(kind), h.place)})
		}
	}
	slices.SortStableFunc(all, func(x, y result) int {
		return cmp.Or(cmp.Compare(y.rank, x.rank), cmp.Compare(x.kind, y.kind))
	})
	return all[:min(len(all), most)]
}
