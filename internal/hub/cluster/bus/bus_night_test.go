//go:build night

package bus_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func connect(t *testing.T, replicas int, servers ...string) *bus.Bus {
	t.Helper()
	var urls []string
	for _, s := range servers {
		urls = append(urls, "nats://"+s)
	}
	b, err := bus.Connect(bus.Config{Servers: urls, Account: "test", Hub: "a", Replicas: replicas, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(b.Close)
	return b
}

// within is a context for the slowest of machines.
func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestThreeServersAndTheLossOfOne(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 3, nil)
	var addrs []string
	for _, n := range c.Nodes {
		addrs = append(addrs, n.Addr())
	}
	b := connect(t, 3, addrs...)
	ctx := within(t)
	r, err := b.Register(ctx, "leader")
	must(t, err)
	s, err := b.Log(ctx)
	must(t, err)

	data, revision, err := r.Load(ctx)
	if err != nil || revision != 0 || data != nil {
		t.Errorf("an empty register is %q at %d, %v", data, revision, err)
	}
	first, err := r.Swap(ctx, 0, []byte("a"))
	must(t, err)
	if _, err := r.Swap(ctx, 0, []byte("b")); !errors.Is(err, lease.ErrMoved) {
		t.Errorf("made twice: %v", err)
	}
	second, err := r.Swap(ctx, first, []byte("c"))
	if err != nil || second <= first {
		t.Errorf("%d after %d, %v", second, first, err)
	}
	if _, err := r.Swap(ctx, first, []byte("d")); !errors.Is(err, lease.ErrMoved) {
		t.Errorf("an old revision: %v", err)
	}

	last := uint64(0)
	var took time.Duration
	for i := range 100 {
		if _, err := s.Append(ctx, last+7, "op.x", []byte("wrong")); !errors.Is(err, lease.ErrMoved) {
			t.Fatalf("it follows nothing: %v", err)
		}
		began := time.Now() //nolint:forbidigo // A figure measures real time.
		last = added(ctx, t, s, last, fmt.Sprintf("op.%d", i%60), fmt.Appendf(nil, "m%d", i))
		took += time.Since(began) //nolint:forbidigo // as above
		if i == 50 {
			c.Nodes[0].Kill() // Perhaps the one that is connected to, or leads.
			for b.Ready(ctx) != nil && ctx.Err() == nil {
				continue
			}
			last = newest(ctx, t, s, last)
		}
	}
	c.Nodes[0].Start()
	t.Logf("an append took %v on average", took/100)
	for _, after := range []uint64{0, last - 3, last} {
		got, end, err := messages(ctx, s, after)
		for err != nil && ctx.Err() == nil { // The server that came back may lead before it knows all.
			got, end, err = messages(ctx, s, after)
		}
		if err != nil || end != last || len(got) < int(min(60, last-after)) || after < last && got[len(got)-1] != last {
			t.Errorf("after %d: %v up to %d of %d, %v", after, got, end, last, err)
		}
	}
	must(t, s.Remove(ctx, "op.50", last))
	n := 0
	for n != 59 && ctx.Err() == nil { // A server may be behind.
		if got, _, err := messages(ctx, s, 0); err == nil {
			n = len(got)
		}
	}
	if n != 59 {
		t.Errorf("%d messages after one was removed", n)
	}
}

// added appends a message. After the loss of a server some are not answered, and may be
// stored: what is newest is read then, as a hub does that leads anew.
func added(ctx context.Context, t *testing.T, s oplog.Stream, last uint64, subject string, data []byte) uint64 {
	t.Helper()
	for ctx.Err() == nil {
		call, cancel := context.WithTimeout(ctx, 5*time.Second)
		n, err := s.Append(call, last, subject, data)
		cancel()
		if err == nil {
			return n
		}
		t.Logf("%s: %v", subject, err)
		last = newest(ctx, t, s, last)
	}
	t.Fatalf("%s is not appended", subject)
	return 0
}

// messages reads the sequences of what the stream has after one.
func messages(ctx context.Context, s oplog.Stream, after uint64) (got []uint64, end uint64, err error) {
	end, err = s.Read(ctx, after, func(sequence uint64, _ []byte) error {
		got = append(got, sequence)
		return nil
	})
	return got, end, err
}

// newest reads the sequence of the newest message once the servers agree on a leader.
func newest(ctx context.Context, t *testing.T, s oplog.Stream, after uint64) uint64 {
	t.Helper()
	for ctx.Err() == nil {
		if _, n, err := messages(ctx, s, after); err == nil {
			return n
		}
	}
	t.Fatal("the servers do not agree on a leader")
	return 0
}

func TestAStreamThatKeepsLessIsRefused(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 1, nil)
	ctx := within(t)
	_, err := connect(t, 1, c.Nodes[0].Addr()).Log(ctx)
	must(t, err)
	b := connect(t, 3, c.Nodes[0].Addr())
	if _, err := b.Log(ctx); err == nil || ctx.Err() != nil {
		t.Errorf("one server does for three: %v", err)
	}
	if _, err := bus.Connect(bus.Config{Account: "a.b"}); err == nil {
		t.Error("a name with a dot is taken")
	}
}

// TestAServerThatIsCutOffIsLeft cuts off one server after the other, whichever is
// connected to: it keeps its connections, and stores nothing.
func TestAServerThatIsCutOffIsLeft(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 3, nil)
	var addrs []string
	for _, n := range c.Nodes {
		addrs = append(addrs, n.Addr())
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	r, err := connect(t, 3, addrs...).Register(ctx, "leader")
	must(t, err)
	revision := uint64(0)
	swap := func() bool {
		call, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if _, at, err := r.Load(call); err == nil {
			revision = max(revision, at)
		}
		next, err := r.Swap(call, revision, []byte("x"))
		revision = max(revision, next)
		return err == nil
	}
	for i := range c.Nodes {
		c.Isolate(i, i == 1)
		until(t, "a write without a server", swap)
		c.Heal(i)
		until(t, "a write with all servers", swap)
	}
}
