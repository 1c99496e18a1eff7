package app

import "testing"

func TestASmallHeapMayGrowByMore(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 600, 1 << 20: 600, 3 << 20: 200, 12 << 20: 50, 12<<20 + 1: 10, 200 << 20: 10} {
		if got := growthFor(live); got != want {
			t.Errorf("%d MiB live: %d %%, want %d", live>>20, got, want)
		}
	}
}
