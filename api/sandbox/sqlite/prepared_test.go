package sqlite

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
		db, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s := db.Reader
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for i := range 2 * maxPrepared {
					var n int
					if err := s.QueryRowContext(t.Context(), fmt.Sprintf("SELECT %d + ?", i), 1).Scan(&n); err != nil || n != i+1 {
						t.Errorf("%d: %d, %v", i, n, err)
					}
				}
			})
		}
		wg.Wait()
		if n := len(s.statements); n != maxPrepared {
			t.Errorf("%d statements are kept", n)
		}
		if err := s.QueryRowContext(t.Context(), "SELECT nothing FROM nowhere").Scan(new(int)); err == nil {
			t.Error("what cannot be prepared is no error")
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}
