//go:build night

package bus_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

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

// TestALostConsumerIsNoticed kills the server that has it, not the one that the reader is
// connected to: nobody tells the reader. It brings what comes later, or ends.
func TestALostConsumerIsNoticed(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 3, nil)
	b := connect(t, 3, c.Nodes[0].Addr())
	f, err := b.Feed(within(t))
	must(t, err)
	at := 0
	var got chan string
	var over chan error
	for at == 0 { // The servers choose which has it.
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		got, over = make(chan string, 9), make(chan error, 1)
		go func() {
			over <- f.Read(ctx, 0, func(_ uint64, data []byte) error {
				got <- string(data)
				return nil
			})
		}()
		<-got // That there is nothing yet.
		if at = consumerAt(t, c.Nodes[0].Addr()); at == 0 {
			cancel()
			if err := <-over; !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
	}
	c.Nodes[at].Kill()
	until(t, "a change without one server", func() bool {
		call, cancel := context.WithTimeout(within(t), time.Second)
		defer cancel()
		_, err := f.Publish(call, []byte("later"))
		return err == nil
	})
	select {
	case is := <-got:
		if is != "later" {
			t.Errorf("read %q", is)
		}
	case err := <-over:
		if err == nil {
			t.Error("it ended without a reason")
		}
	case <-time.After(20 * time.Second):
		t.Error("it hears nothing, and does not end")
	}
}

// consumerAt is the number of the server that has the newest consumer of the changes.
func consumerAt(t *testing.T, addr string) (node int) {
	t.Helper()
	conn, err := nats.Connect("nats://" + addr)
	must(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	must(t, err)
	until(t, "the consumer", func() bool {
		s, err := js.Stream(within(t), "cardtop-test-changes")
		if err != nil {
			return false
		}
		var newest *jetstream.ConsumerInfo
		for info := range s.ListConsumers(within(t)).Info() {
			if newest == nil || info.Created.After(newest.Created) {
				newest = info
			}
		}
		if newest == nil || newest.Cluster == nil || newest.Cluster.Leader == "" {
			return false
		}
		node, err = strconv.Atoi(strings.TrimPrefix(newest.Cluster.Leader, "n"))
		return err == nil
	})
	return node
}
