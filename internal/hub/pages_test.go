package hub

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestWhatIsOfOneAloneIsMadeForEach: an answer with a secret, an error and one whose maker
// panics go to nobody else, and nobody waits for them for ever.
func TestWhatIsOfOneAloneIsMadeForEach(t *testing.T) {
	t.Parallel()
	failed := errors.New("failed")
	for name, handle := range map[string]func() (answer, error){
		"a secret": func() (answer, error) { return answer{memory: true, wipe: true}, nil },
		"an error": func() (answer, error) { return answer{memory: true}, failed },
		"a panic":  func() (answer, error) { panic("no") },
	} {
		synctest.Test(t, func(t *testing.T) {
			var p pages
			var made atomic.Int32
			goOn := make(chan struct{})
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					defer func() { _ = recover() }() // As the server does.
					_, kept, _ := p.find(t.Context(), "k", func() (answer, error) {
						made.Add(1)
						<-goOn
						return handle()
					})
					if kept {
						t.Errorf("%s is given to another", name)
					}
				})
			}
			synctest.Wait()
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, _, err := p.find(gone, "k", handle); !errors.Is(err, context.Canceled) {
				t.Errorf("who has gone waits: %v", err)
			}
			close(goOn)
			all.Wait()
			if made.Load() != 3 || len(p.entries) != 0 {
				t.Errorf("%s: %d were made, %d kept", name, made.Load(), len(p.entries))
			}
		})
	}
}
