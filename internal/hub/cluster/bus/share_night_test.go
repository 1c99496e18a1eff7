//go:build night

package bus_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// follow has a hub follow the changes, and counts what it has.
func follow(t *testing.T, b *bus.Bus, k *seal.Keys) (*replica.Replica, *atomic.Int64) {
	t.Helper()
	ctx := within(t)
	f, err := b.Feed(ctx)
	must(t, err)
	s, err := b.Snapshots(ctx)
	must(t, err)
	var n atomic.Int64
	r := replica.New(replica.Config{Feed: f, Snapshots: s, Keys: k, Clock: lease.SystemClock(), Changed: func(items []replica.Item) { n.Add(int64(len(items))) }})
	following, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go r.Follow(following, func(error) {})
	return r, &n
}

// until waits until something holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ctx := within(t)
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("%s: not within a minute", what)
		case <-time.After(time.Millisecond):
		}
	}
}

// TestAHubIsReadySoon joins at 10,000 cards, half of which are in the snapshot, over
// three servers; then a server is killed, and the next change comes all the same.
func TestAHubIsReadySoon(t *testing.T) {
	const cards, batch = 10_000, 100
	c := natstest.Start(t, natstest.BuildServer(t, false), 3, nil)
	var addrs []string
	for _, n := range c.Nodes {
		addrs = append(addrs, n.Addr())
	}
	ctx := within(t)
	k := newKeys(t)
	leader, own := follow(t, connect(t, 3, addrs...), k)
	p, err := leader.Lead(ctx, 1)
	must(t, err)
	for i := 0; i < cards; i += batch {
		var items []replica.Item
		for n := range batch {
			id := fmt.Sprintf("card_%06d", i+n)
			item, err := replica.Put(id, api.CardSummary{ID: api.CardID(id), Status: api.CardActive, Label: "fb campaign 12 eu", Metadata: api.Metadata{"team": "a"}})
			must(t, err)
			items = append(items, item)
		}
		must(t, p.Publish(ctx, items...))
		if i == cards/2 {
			until(t, "the own changes", func() bool { return own.Load() == int64(i+batch) })
			must(t, p.Snapshot(ctx))
		}
	}
	b := connect(t, 3, addrs...)
	must(t, b.Ready(ctx))
	began := time.Now() //nolint:forbidigo // A figure measures real time.
	r, n := follow(t, b, k)
	<-r.Ready()
	took := time.Since(began) //nolint:forbidigo // as above
	t.Logf("a hub is ready with %d cards after %v", n.Load(), took.Round(time.Millisecond))
	if n.Load() != cards || took > 2*time.Second {
		t.Errorf("%d cards after %v", n.Load(), took)
	}
	c.Nodes[1].Kill()
	until(t, "a change without one server", func() bool {
		call, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		return p.Publish(call, replica.Item{Kind: replica.Card, ID: "card_000001", Gone: true}) == nil
	})
	until(t, "the change", func() bool { return n.Load() > cards })
}

func TestWritesGoFromHubToHub(t *testing.T) {
	c := natstest.Start(t, natstest.BuildServer(t, false), 1, nil)
	a, b := connect(t, 1, c.Nodes[0].Addr()), connect(t, 1, c.Nodes[0].Addr())
	ctx := within(t)
	for _, conn := range []*bus.Bus{a, b} {
		until(t, "a connection", func() bool { return conn.Ready(ctx) == nil })
	}
	keys := newKeys(t)
	asks, serves := pass.NewChannel(a.Line(), keys, lease.SystemClock()), pass.NewChannel(b.Line(), keys, lease.SystemClock())
	fund := pass.Request{Method: http.MethodPost, URI: "/v1/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)}
	if answer, err := asks.Ask(ctx, 7, fund); !errors.Is(err, pass.ErrNobody) {
		t.Errorf("nobody leads: %v, %v", answer, err)
	}
	stop, err := serves.Serve(t.Context(), 7, func(_ context.Context, r pass.Request) (pass.Answer, bool) {
		return pass.Answer{Status: http.StatusOK, Body: append([]byte{}, r.Body...)}, true
	})
	must(t, err)
	must(t, b.Ready(ctx))
	if answer, err := asks.Ask(ctx, 7, fund); err != nil || answer.Status != http.StatusOK || string(answer.Body) != `{"amount":5.00}` {
		t.Errorf("passed: %v, %v", answer, err)
	}
	must(t, stop())
}

func newKeys(t *testing.T) *seal.Keys {
	t.Helper()
	text, err := seal.NewKey()
	must(t, err)
	file := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	k, err := seal.Load(file, "test")
	must(t, err)
	return k
}
