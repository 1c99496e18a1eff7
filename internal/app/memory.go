package app

import "runtime/debug"

// spareMemory lets the heap grow by a quarter before a collection, not twofold:
// the dashboard runs all day and allocates little, and 100,000 cards would need
// twice the memory. The user's GOGC goes first.
func spareMemory() {
	if was := debug.SetGCPercent(heapGrowth); was != goDefault {
		debug.SetGCPercent(was)
	}
}

const (
	heapGrowth = 25  // percent
	goDefault  = 100 // what the runtime starts with
)
