package footprint

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestASmallHeapMayGrowByMore(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 200, 1 << 20: 200, 3 << 20: 66, 12 << 20: 16, 12<<20 + 1: 10, 200 << 20: 10} {
		if got := growthFor(live); got != want {
			t.Errorf("%d MiB live: %d %%, want %d", live>>20, got, want)
		}
	}
}

// The percent of collections is the process's: no other test runs beside this one.
func TestTheFirstCollectionComesLate(t *testing.T) {
	was := debug.SetGCPercent(goDefault)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	if !SpareMemory() {
		t.Fatal("the memory is not the program's to spare")
	}
	percent := func() int {
		now := debug.SetGCPercent(startGrowth)
		debug.SetGCPercent(now)
		return now
	}
	if got := percent(); got != startGrowth {
		t.Errorf("the heap grows by %d %% at the start, want %d", got, startGrowth)
	}
	for range 10_000 { // Where others keep the processors, it takes its turn late.
		if runtime.GC(); percent() == heapGrowth {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("the heap grows by %d %% after a collection, want %d", percent(), heapGrowth)
}

func TestTheUsersPercentOfCollectionsStays(t *testing.T) {
	was := debug.SetGCPercent(50)
	t.Cleanup(func() { debug.SetGCPercent(was) })
	if SpareMemory() {
		t.Error("it is the user's, and taken for the program's to spare")
	}
	if got := debug.SetGCPercent(50); got != 50 {
		t.Errorf("the user's 50 %% became %d", got)
	}
}
