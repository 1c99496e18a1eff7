package app

import (
	"runtime"
	"runtime/debug"
)

// spareMemory lets the heap grow by a quarter before a collection, not twofold:
// the dashboard runs all day and allocates little, and 100,000 cards would need
// twice the memory. The user's GOGC goes first. What it returns counts as heap
// and is never written to, so that it takes no memory: a small heap grows by a
// quarter of it as well, and is not collected every second.
func spareMemory() (ballast []byte) {
	if was := debug.SetGCPercent(heapGrowth); was != goDefault {
		debug.SetGCPercent(was)
		return nil
	}
	return make([]byte, ballastSize)
}

const (
	heapGrowth  = 25  // percent
	goDefault   = 100 // what the runtime starts with
	ballastSize = 16 << 20
)

// quietThreads returns what lets one thread do everything while the program is
// quiet. Two would wake each other for every request and every frame.
func quietThreads() func(quiet bool) {
	all := runtime.GOMAXPROCS(0)
	return func(quiet bool) {
		if quiet {
			runtime.GOMAXPROCS(1)
		} else {
			runtime.GOMAXPROCS(all)
		}
	}
}
