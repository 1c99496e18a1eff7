package footprint

import "testing"

func TestASmallHeapMayGrowByMore(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{0: 200, 1 << 20: 200, 3 << 20: 66, 12 << 20: 16, 12<<20 + 1: 10, 200 << 20: 10} {
		if got := growthFor(live); got != want {
			t.Errorf("%d MiB live: %d %%, want %d", live>>20, got, want)
		}
	}
}
