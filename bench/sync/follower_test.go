//go:build long

package sync_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// follower updates a store from a world, without a screen.
type follower struct {
	store *state.Store
	stop  func()

	mu   sync.Mutex
	sent []sent
}

// sent is a request that left this machine.
type sent struct {
	lane string
	at   time.Time
}

// follow starts a store on a world. changed is as in loop.Config.
func follow(ctx context.Context, t *testing.T, w *world, changed func(*state.Store, kernel.Topic) []kernel.Intent) *follower {
	t.Helper()
	f := &follower{store: state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: newRand(1).Float64, Push: w.door != nil, Hub: w.told != nil})}
	operations, err := journal.Open("", clock)
	must(t, err)
	eng := w.engine(engine.Config{Journal: operations})
	ctx, cancel := context.WithCancel(ctx)
	w.followHub(ctx, eng)
	over := make(chan error, 1)
	go func() {
		over <- loop.Run(ctx, loop.Config{
			Store: f.store, Now: clock, Events: w.pushed(),
			Do: func(ctx context.Context, e kernel.Effect) kernel.Event {
				at := clock()
				ev := eng.Run(ctx, e)
				f.note(e, ev, at)
				return ev
			},
			Changed: func(topics kernel.Topic) ([]kernel.Intent, bool) { return changed(f.store, topics), false },
		})
	}()
	f.stop = func() {
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) {
			t.Errorf("the loop ended with %v", err)
		}
	}
	return f
}

func (f *follower) note(e kernel.Effect, ev kernel.Event, at time.Time) {
	lane, polled := kernel.LaneName(e)
	if !polled {
		lane = "other"
	}
	if _, held := ev.(state.Deferred); held {
		return // The budget did not allow it.
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, sent{lane, at})
}

// between returns the requests within a span, by lane.
func (f *follower) between(from, to time.Time) map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := make(map[string]int)
	for _, s := range f.sent {
		if !s.at.Before(from) && s.at.Before(to) {
			counts[s.lane]++
		}
	}
	return counts
}

// longest returns the longest pause between two requests of a lane.
func (f *follower) longest(lane string) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	var (
		before time.Time
		most   time.Duration
	)
	for _, s := range f.sent {
		if s.lane != lane {
			continue
		}
		if !before.IsZero() {
			most = max(most, s.at.Sub(before))
		}
		before = s.at
	}
	return most
}
