package guard

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
)

// TestClocksJump moves either clock at any moment, as sleep and people do. What
// was copied goes with the next look when its time is over by either clock, and
// a wall clock that is set back keeps it no longer.
func TestClocksJump(t *testing.T) {
	const rounds = 100
	rng := rand.New(rand.NewPCG(9, 9))
	good := 0
	for range rounds {
		ttl := time.Second + time.Duration(rng.Int64N(int64(59*time.Second)))
		at := time.Duration(rng.Int64N(int64(ttl - 200*time.Millisecond)))
		jump := ttl + time.Duration(rng.Int64N(int64(8*time.Hour)))
		synctest.Test(t, func(t *testing.T) {
			f := &fakeBoard{lost: make(chan uint64, 1)}
			b := newBench(t, f)
			defer b.leave()
			b.copy(1, "123", ttl)
			b.expect(at)
			left := ttl - at
			switch rng.IntN(3) {
			case 0:
				b.boot.Add(int64(jump))
				left = 0
			case 1:
				b.wall.Add(int64(jump))
				left = 0
			default:
				b.wall.Add(-int64(jump))
			}
			if said := fmt.Sprint(b.after(left + 101*time.Millisecond)); said == "[cleared 1]" && f.get() == "" {
				good++
			} else {
				t.Errorf("%v into %v: %s, and the clipboard holds %q", at, ttl, said, f.get())
			}
		})
	}
	t.Logf("%-44s %d of %d", "a clock jumps: cleared with the next look", good, rounds)
}
