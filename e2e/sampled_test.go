package e2e

import (
	"iter"
	"maps"
	"slices"

	"github.com/cardtop/cardtop/internal/nighttest"
)

// sampled gives every third of the cases, in the order of their names, and all of them in
// the long tests.
func sampled[V any](cases map[string]V) iter.Seq2[string, V] {
	return func(yield func(string, V) bool) {
		for i, name := range slices.Sorted(maps.Keys(cases)) {
			if !nighttest.On && i%3 > 0 {
				continue
			}
			if !yield(name, cases[name]) {
				return
			}
		}
	}
}
