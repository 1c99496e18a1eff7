package sandbox

import (
	"fmt"
	"sync"
	"testing"
)

// TestStatementsAreKeptWithinBounds: what is asked for again is prepared once,
// also by several at a time, and what is asked for once fills no memory.
func TestStatementsAreKeptWithinBounds(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", t.TempDir() + "/world.db"} {
		c := open(t, Config{Quiet: true, NoLimits: true, Cards: -1, Path: path})
		s := c.server.db.reader
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 2 * maxStatements {
					var n int
					if err := s.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d + ?", i), 1).Scan(&n); err != nil || n != i+1 {
						t.Errorf("%d: %d, %v", i, n, err)
					}
				}
			})
		}
		wg.Wait()
		if n := len(s.known); n != maxStatements {
			t.Errorf("%d statements are kept", n)
		}
		if err := s.QueryRowContext(t.Context(), "SELECT nothing FROM nowhere").Scan(new(int)); err == nil {
			t.Error("what cannot be prepared is no error")
		}
	}
}
