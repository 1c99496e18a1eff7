//go:build long

package bus_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
)

// TestAQuietStreamOfChangesIsReadOn for longer than it is asked after: the reading goes on,
// and brings what comes later.
func TestAQuietStreamOfChangesIsReadOn(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 1, nil)
	b := connect(t, 1, c.Nodes[0].Addr())
	f, err := b.Feed(within(t))
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	got, over := make(chan string, 9), make(chan error, 1)
	go func() {
		over <- f.Read(ctx, 0, func(_ uint64, data []byte) error {
			got <- string(data)
			return nil
		})
	}()
	select {
	case err := <-over:
		t.Fatalf("it ended: %v", err)
	case <-time.After(6 * time.Second): // A second more than until it is asked after.
	}
	_, err = f.Publish(within(t), []byte("later"))
	must(t, err)
	for _, want := range []string{"", "later"} { // First that there was nothing.
		if is := <-got; is != want {
			t.Errorf("read %q, want %q", is, want)
		}
	}
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
