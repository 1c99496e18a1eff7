// Package footprint keeps what the dashboard takes of the machine small: memory, and
// threads that wake each other while nobody is there.
package footprint

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	heapGrowth  = 10       // percent
	startGrowth = 400      // percent of the 4 MiB that the runtime counts for an empty heap
	smallHeap   = 12 << 20 // bytes
	leastSpare  = 2 << 20  // bytes that one may grow by
	goDefault   = 100      // percent that the runtime starts with
)

// SpareMemory lets the heap grow by a tenth before a collection, not twofold:
// the dashboard runs all day and allocates little, and 100,000 cards would need
// twice the memory. The first collection comes at 16 MiB alone: a start takes all of the
// machine, and would collect with each tenth of little. The user's GOGC goes first, which
// it reports by false.
func SpareMemory() bool {
	if was := debug.SetGCPercent(startGrowth); was != goDefault {
		debug.SetGCPercent(was)
		return false
	}
	runtime.AddCleanup(new(*byte), func(started int) {
		if was := debug.SetGCPercent(heapGrowth); was != started {
			debug.SetGCPercent(was) // It rests already.
		}
	}, startGrowth)
	return true
}

// Rest returns what makes the program do with less while it is quiet: one thread
// does everything, because two wake each other for every request and every
// frame; what the heap needs no more goes back to the system, and so do the
// pages of the program that only its start needed; and a small heap may grow by
// more than a tenth, because it would be collected every second.
// spares reports whether the memory is the program's to spare.
func Rest(spares bool) func(quiet bool) {
	threads := runtime.GOMAXPROCS(0)
	return func(quiet bool) {
		if !quiet {
			runtime.GOMAXPROCS(threads)
			return
		}
		runtime.GOMAXPROCS(1)
		if spares {
			debug.SetGCPercent(growthFor(liveHeap()))
			go giveBack()
		}
	}
}

// giveBack returns memory that is not in use to the system.
func giveBack() {
	debug.FreeOSMemory()
	// Where that fails the pages stay, as they do on other systems: nothing else follows
	// from it, and it would be reported every time that the program rests.
	_ = releaseProgram()
}

// growthFor returns by how much a heap of live bytes may grow, in percent.
func growthFor(live uint64) int {
	if live > smallHeap {
		return heapGrowth
	}
	return int(100 * leastSpare / max(live, 1<<20))
}

// liveHeap is what the last collection left, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}
