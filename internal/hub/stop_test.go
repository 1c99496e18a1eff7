package hub

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
)

// TestACallThatWasTakenIsWaitedFor holds that who dispatched something is not told that
// nothing was: the hub ends between the two.
func TestACallThatWasTakenIsWaitedFor(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Server{calls: make(chan loop.Call), stopped: make(chan struct{})}
		ran := false
		go func() {
			call := <-s.calls
			close(s.stopped)
			synctest.Wait()
			call(nil)
		}()
		if err := s.read(t.Context(), func(*state.Store) { ran = true }); err != nil || !ran {
			t.Errorf("ran %v, answered %v", ran, err)
		}
		if err := s.read(t.Context(), func(*state.Store) {}); !errors.Is(err, errStopped) {
			t.Errorf("once it has ended: %v", err)
		}
	})
}
