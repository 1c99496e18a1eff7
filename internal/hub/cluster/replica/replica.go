package replica

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
)

// Feed is the stream of changes. It keeps at least what was published since the last
// two snapshots.
type Feed interface {
	// Publish appends a message and returns its sequence.
	Publish(ctx context.Context, data []byte) (uint64, error)
	// Read calls f with each message after a sequence, in order, as they come, and
	// returns when ctx ends or f fails. When it has called f with all that there was, it
	// calls f with no data and the sequence of the newest one.
	Read(ctx context.Context, after uint64, f func(sequence uint64, data []byte) error) error
}

// Snapshots keeps the newest snapshot.
type Snapshots interface {
	Save(ctx context.Context, data []byte) error
	// Load returns nil when there is none.
	Load(ctx context.Context) ([]byte, error)
}

// Config is what a replica needs.
type Config struct {
	Feed      Feed
	Snapshots Snapshots
	// Keys sign what is published: nothing else counts.
	Keys *seal.Keys
	// Changed is told what changed, in order. It must not block for long.
	Changed func([]Item)
	// Clock is monotonic.
	Clock func() time.Duration
}

// What messages are signed with.
const (
	aboutChange   = "change"
	aboutSnapshot = "snapshot"
)

// Replica is a hub's copy of the state. It may be used from several goroutines.
type Replica struct {
	cfg   Config
	state state
	heard atomic.Int64 // when the last message came, by the clock
	ready chan struct{}
	begun atomic.Bool
	moved chan struct{} // holds one token after each message
}

// New returns an empty replica. Follow fills it.
func New(cfg Config) *Replica {
	return &Replica{cfg: cfg, state: state{items: make(map[place]Item)}, ready: make(chan struct{}), moved: make(chan struct{}, 1)}
}

// Ready is closed when the replica first has all that was published before Follow.
func (r *Replica) Ready() <-chan struct{} { return r.ready }

// Age is for how long nothing was heard of the leader. A leader publishes at least
// every two seconds, if only that nothing changed.
func (r *Replica) Age() time.Duration { return r.cfg.Clock() - time.Duration(r.heard.Load()) }

// Leader returns the number of the newest leader's lease that was read.
func (r *Replica) Leader() uint64 {
	_, number := r.state.at()
	return number
}

// errGap means that the stream no longer has what comes next.
var errGap = errors.New("changes are missing: they are older than the stream")

const retry = 100 * time.Millisecond

// Follow reads until ctx ends. When the stream cannot be read it tries again, from
// where it was; failed is told why.
func (r *Replica) Follow(ctx context.Context, failed func(error)) {
	behind := true
	for ctx.Err() == nil {
		err := r.follow(ctx, behind)
		if ctx.Err() != nil {
			return
		}
		behind = errors.Is(err, errGap)
		failed(err)
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

// follow reads the snapshot, when it has to, and then the stream.
func (r *Replica) follow(ctx context.Context, snapshot bool) error {
	if snapshot {
		if err := r.load(ctx); err != nil {
			return err
		}
	}
	after, _ := r.state.at()
	next := after + 1
	return r.cfg.Feed.Read(ctx, after, func(sequence uint64, data []byte) error {
		if data == nil {
			if sequence >= next {
				return errGap
			}
			if !r.begun.Swap(true) {
				r.heard.Store(int64(r.cfg.Clock()))
				close(r.ready)
			}
			return nil
		}
		if sequence > next {
			return errGap
		}
		next = sequence + 1
		plain, err := r.cfg.Keys.Verify(data, aboutChange)
		if err != nil {
			r.state.skip(sequence)
			return nil //nolint:nilerr // Whoever is on the bus may publish: it counts for nobody.
		}
		changed, counts, err := r.state.apply(sequence, plain)
		if err != nil || !counts {
			return err
		}
		r.heard.Store(int64(r.cfg.Clock()))
		r.tell(changed)
		return nil
	})
}

func (r *Replica) load(ctx context.Context) error {
	data, err := r.cfg.Snapshots.Load(ctx)
	if err != nil || data == nil {
		return err
	}
	plain, err := r.cfg.Keys.Verify(data, aboutSnapshot)
	if err != nil {
		return nil //nolint:nilerr // It is of no hub: there is none.
	}
	changed, err := r.state.load(plain)
	if err != nil {
		return err
	}
	r.tell(changed)
	return nil
}

func (r *Replica) tell(changed []Item) {
	if len(changed) > 0 && r.cfg.Changed != nil {
		r.cfg.Changed(changed)
	}
	select {
	case r.moved <- struct{}{}:
	default:
	}
}

// Lead begins the time of a leader, and returns when this replica has all that the
// leaders before published. Follow has to run. Messages that those still publish count
// for nobody.
func (r *Replica) Lead(ctx context.Context, number uint64) (*Publisher, error) {
	p := &Publisher{replica: r, number: number}
	sequence, err := p.publish(ctx, nil)
	if err != nil {
		return nil, err
	}
	for {
		at, newest := r.state.at()
		if newest > number {
			return nil, fmt.Errorf("publish changes: lease %d leads, this is %d", newest, number)
		}
		if at >= sequence {
			return p, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-r.moved:
		case <-time.After(retry):
		}
	}
}

// Publisher publishes the changes of a leader.
type Publisher struct {
	replica *Replica
	number  uint64

	mu sync.Mutex
	// index is that of the last message, stored that of the last one that was stored for
	// certain.
	index, stored uint64
}

// Misses reports that the servers do not have all that they said they stored. Then the
// others wait, until they are told all anew after Mend.
func (p *Publisher) Misses() bool { return p.replica.state.misses() }

// Mend has the next message need none of those before.
func (p *Publisher) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stored = 0
}

// Publish publishes changes, or with none that the leader is there. They are in the
// order of the calls that have returned. What fails may have been published.
func (p *Publisher) Publish(ctx context.Context, items ...Item) error {
	_, err := p.publish(ctx, items)
	return err
}

func (p *Publisher) publish(ctx context.Context, items []Item) (uint64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.index++
	data, err := json.Marshal(message{Version: version, Number: p.number, Index: p.index, After: p.stored, Items: items})
	if err != nil {
		return 0, fmt.Errorf("encode changes: %w", err)
	}
	sequence, err := p.replica.cfg.Feed.Publish(ctx, p.replica.cfg.Keys.Sign(data, aboutChange))
	if err != nil {
		return 0, fmt.Errorf("publish changes: %w", err)
	}
	p.stored = p.index
	return sequence, nil
}

// Snapshot stores the state that this hub has read, for those that join.
func (p *Publisher) Snapshot(ctx context.Context) error {
	data, _, err := p.replica.state.save()
	if err != nil {
		return err
	}
	if err := p.replica.cfg.Snapshots.Save(ctx, p.replica.cfg.Keys.Sign(data, aboutSnapshot)); err != nil {
		return fmt.Errorf("store snapshot: %w", err)
	}
	return nil
}
