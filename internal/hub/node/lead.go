package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/journal"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
)

// lead polls and writes until the lease ends. What earlier leaders left open is
// settled under its keys.
func (n *Node) lead(ctx context.Context, t *cluster.Term) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	var parts sync.WaitGroup
	defer parts.Wait()
	defer cancel()
	out, err := n.replica.Lead(ctx, t.Lease.Number())
	if err != nil {
		return err
	}
	ops := journal.New(t.Log, t.Lease, n.clocks.here)
	address, pushed, closePush := n.receive()
	eng, disconnect, err := n.cfg.Connect(ops,
		func(h engine.History) engine.History { return past{h, t.Log, n.clocks} },
		address, cluster.Fence{Left: t.Lease.Left}.Limit)
	if err != nil {
		closePush()
		return err
	}
	defer func() { // Nothing uses the connection any more.
		cancel()
		closePush()
		parts.Wait()
		disconnect()
	}()
	p := n.publisher(out, t.Lease.Number())
	cfg := n.cfg.Hub
	// What this machine has kept is of an earlier term: others decided since.
	if cfg.Keep, err = n.keep(ctx); err != nil {
		return err
	}
	cfg.Engine, cfg.Pushed = eng, pushed
	cfg.Several = &hub.Several{
		Follow: p.follow, Claimed: p.claim, Claims: n.mirror.claimsNow(), Asked: p.ask, RuleOff: p.ruleOff, RulesOff: p.rulesOff(), Told: p.told,
	}
	if cfg.Pending, err = ops.Adopt(); err != nil {
		return fmt.Errorf("take over operations: %w", err)
	}
	s := hub.New(cfg)
	ran := make(chan error, 1)
	parts.Go(func() { ran <- s.Run(ctx) })
	parts.Go(func() { p.run(ctx, s) })
	stop, err := n.channel.Serve(ctx, t.Lease.Number(), func(ctx context.Context, r pass.Request) (pass.Answer, bool) {
		if t.Lease.Left() == 0 {
			return pass.Answer{}, false
		}
		a, err := serve(ctx, handlerFor(s, r), r)
		return a, err == nil
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	n.cfg.Log.Info("this hub leads", slog.Uint64("lease", t.Lease.Number()), slog.Int("open", len(cfg.Pending)))
	defer n.begin(s, t.Lease.Number())()
	if r := n.reader.Load(); r != nil {
		r.EndStreams() // The leader's tell more.
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-ran:
		return err
	}
}

// begin has a server answer as the leader's, until what it returns is called.
func (n *Node) begin(s *hub.Server, lease uint64) (end func()) {
	n.seen.Store(lease)
	n.leader.Store(s)
	return func() { n.leader.Store(nil) }
}

// publisher tells the other hubs what changes in the term of a lease.
func (n *Node) publisher(out *replica.Publisher, number uint64) *publisher {
	p := &publisher{
		out: out, mirror: n.mirror, keys: n.cfg.Keys, number: number, clock: n.cfg.Clock, now: n.cfg.Hub.Now, log: n.cfg.Log, wake: make(chan struct{}, 1),
		asked: make(map[string]replica.Asked), off: n.mirror.rulesOff(),
	}
	p.resume(n.mirror)
	return p
}

const (
	// holdFor is how long a request waits for a hub that leads: another takes over within
	// 5 s.
	holdFor = 8 * time.Second
	// passFor is how long the leader may take.
	passFor = 12 * time.Second
	askEach = 200 * time.Millisecond
)

// ask passes a request to the hub that leads, and waits for one to lead. When another
// one takes over meanwhile it is asked under the same idempotency key, as the person
// would ask: what the one before began is in the log, and it can begin nothing more.
func (n *Node) ask(ctx context.Context, r pass.Request) (pass.Answer, error) {
	hold := time.NewTimer(holdFor)
	defer hold.Stop()
	for {
		number := n.number()
		a, err := n.askOnce(ctx, number, r)
		again := errors.Is(err, pass.ErrNobody) || errors.Is(err, pass.ErrUnknown) && n.number() > number && repeats(r)
		if !again {
			return a, err
		}
		select {
		case <-ctx.Done():
			return a, err
		case <-hold.C:
			return a, err
		case <-time.After(askEach):
		}
	}
}

// repeats reports whether a request does once what it does, however often it is sent: what
// people decide has no key.
func repeats(r pass.Request) bool {
	return r.Method == http.MethodGet || strings.HasPrefix(r.URI, "/v1/")
}

// number is that of the newest lease that this hub knows of; 0 for none.
func (n *Node) number() uint64 { return max(n.seen.Load(), n.replica.Leader()) }

func (n *Node) askOnce(ctx context.Context, number uint64, r pass.Request) (pass.Answer, error) {
	if number == 0 {
		return pass.Answer{}, pass.ErrNobody
	}
	ctx, cancel := context.WithTimeout(ctx, passFor)
	defer cancel()
	go n.untilAnother(ctx, number, cancel)
	return n.channel.Ask(ctx, number, r)
}

// untilAnother ends the wait for a hub that leads no more.
func (n *Node) untilAnother(ctx context.Context, number uint64, end func()) {
	look := time.NewTicker(askEach)
	defer look.Stop()
	for n.number() <= number {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
	}
	end()
}
