package app

import "runtime/debug"

// spareMemory lets the heap grow by a quarter before it is swept, not by all of
// it: the dashboard is open all day beside a browser, allocates little, and
// what it holds of 100,000 cards would take twice the room. A GOGC of the
// person's stays.
func spareMemory() {
	if was := debug.SetGCPercent(heapGrowth); was != goDefault {
		debug.SetGCPercent(was)
	}
}

const (
	heapGrowth = 25  // percent
	goDefault  = 100 // what the runtime starts with
)
