package hub

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestAHubWithoutSSHGoesOn: nothing ends that was never asked for.
func TestAHubWithoutSSHGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- (*shell)(nil).serve(ctx) }()
		time.Sleep(time.Hour) //nolint:forbidigo // virtual time in a bubble
		select {
		case err := <-ended:
			t.Errorf("it ended: %v", err)
		default:
		}
		cancel()
		synctest.Wait()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
