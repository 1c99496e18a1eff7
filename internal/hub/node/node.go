// Package node is one hub of several. One leads: it polls, receives and writes, and
// tells the others what it has read. They answer from that, and pass to it what they
// cannot answer.
package node

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/push/endpoint"
)

// Connect makes the engine of a term as leader, and returns what closes it. Its writes
// go to a journal, through a client that limit limits. Webhooks come to address.
type Connect func(j engine.Journal, h func(engine.History) engine.History, address engine.Push, limit func(*client.Config)) (*engine.Engine, func(), error)

// OpenPush returns the address of webhooks of a term as leader, and what closes it. The
// address is nil where none is to be received.
type OpenPush func(endpoint.Secrets) (*endpoint.Endpoint, func())

// Config is what a node is made of.
type Config struct {
	Bus  cluster.Bus
	Keys *seal.Keys
	// Name is the hub's, shown by the others.
	Name string
	// TTL is for how long the lease lasts.
	TTL time.Duration
	// Clock is monotonic; it counts while the machine is suspended.
	Clock   lease.Clock
	Connect Connect
	// OpenPush may be nil: then no webhooks are received. PushURL is where they are
	// delivered to.
	OpenPush OpenPush
	PushURL  string
	// Hub is what the hub is made of, but for engine, pending operations, Pushed and
	// Several.
	Hub hub.Config
	Log *slog.Logger
}

// Node is a hub of several. Its methods may be called from several goroutines.
type Node struct {
	cfg     Config
	mirror  *mirror
	clocks  *clocks
	replica *replica.Replica
	channel *pass.Channel
	// seen is the number of the lease that was last seen of another hub.
	seen   atomic.Uint64
	leader atomic.Pointer[hub.Server] // nil while another hub leads
	reader atomic.Pointer[hub.Server] // nil before a leader told anything
}

// New makes a node. It answers once Run runs.
func New(cfg Config) *Node {
	n := &Node{cfg: cfg, mirror: newMirror(cfg.Keys, cfg.Clock, cfg.Hub.Now), clocks: newClocks(cfg.Keys, cfg.Hub.Now), channel: pass.NewChannel(cfg.Bus.Line, cfg.Keys, cfg.Clock)}
	n.replica = replica.New(replica.Config{Feed: cfg.Bus.Feed, Snapshots: cfg.Bus.Snapshots, Keys: cfg.Keys, Changed: n.mirror.changed, Clock: cfg.Clock})
	return n
}

// Run takes part until the context ends.
func (n *Node) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var parts sync.WaitGroup
	defer parts.Wait()
	defer cancel()
	parts.Go(func() {
		n.replica.Follow(ctx, func(err error) {
			n.cfg.Log.Warn("what the leader tells was not read", slog.Any("error", err))
		})
	})
	parts.Go(func() { n.mirror.tell(ctx.Done(), func(is news) { n.tell(ctx, is) }) })
	parts.Go(func() { n.read(ctx) })
	return cluster.Run(ctx, cluster.Config{
		Lease: lease.Config{Register: n.cfg.Bus.Register, Name: n.cfg.Name, TTL: n.cfg.TTL, Clock: n.cfg.Clock, Seen: n.sees, Note: n.clocks.tell, Noted: n.clocks.told},
		Log:   oplog.Signed(n.cfg.Bus.Log, n.cfg.Keys), Logger: n.cfg.Log, Now: n.cfg.Hub.Now,
	}, n.lead)
}

func (n *Node) sees(h lease.Holder) {
	n.seen.Store(h.Number)
	n.cfg.Hub.Tell(h.Name + " leads")
}

// read serves what leaders tell, from the first time one does until ctx ends.
func (n *Node) read(ctx context.Context) {
	select {
	case <-n.mirror.heard:
	case <-ctx.Done():
		return
	}
	cfg := n.cfg.Hub
	cfg.Keep, cfg.Pushed = nil, nil // It decides nothing, and only the leader receives.
	cfg.Act, cfg.Suggest, cfg.Store.Rules, cfg.Store.SpendHourly, cfg.Store.FindFundings = nil, nil, nil, 0, false
	cfg.Store.ReadOnly, cfg.Store.Shared = true, false
	cfg.Tell = func(string) {} // The hub that leads tells of the service.
	cfg.Several = &hub.Several{Do: n.mirror.do, Age: n.mirror.age, Work: n.mirror.workNow, Events: n.mirror.events}
	s := hub.New(cfg)
	n.reader.Store(s)
	if err := s.Run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		n.cfg.Log.Error("reading from memory ended", slog.Any("error", err))
	}
}

// each calls a function with the servers there are.
func (n *Node) each(use func(*hub.Server)) {
	for _, s := range []*hub.Server{n.leader.Load(), n.reader.Load()} {
		if s != nil {
			use(s)
		}
	}
}

// People is called when the team has changed.
func (n *Node) People() { n.each((*hub.Server).People) }

// EndStreams ends the streams.
func (n *Node) EndStreams() { n.each((*hub.Server).EndStreams) }
