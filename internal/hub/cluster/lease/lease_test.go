package lease_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
)

const ttl = 3 * time.Second

// clock counts virtual time from anywhere, at a rate of its own.
func clock(from time.Duration, rate float64) lease.Clock {
	start := time.Now() //nolint:forbidigo // virtual time in a bubble
	return func() time.Duration {
		return from + time.Duration(float64(time.Since(start))*rate) //nolint:forbidigo // virtual time in a bubble
	}
}

func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

func config(c *bustest.Conn, name string) lease.Config {
	return lease.Config{Register: c, Name: name, TTL: ttl, Clock: clock(0, 1)}
}

func acquire(t *testing.T, cfg lease.Config) *lease.Lease {
	t.Helper()
	l, err := lease.Acquire(t.Context(), cfg)
	must(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), ttl)
		defer cancel()
		_ = l.Release(ctx) // The connection may be down.
	})
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

func TestAnotherTakesOver(t *testing.T) {
	for _, tt := range []struct {
		name string
		// most is how long it takes at most.
		end  func(t *testing.T, a *lease.Lease, down *atomic.Bool)
		most time.Duration
		why  error
	}{
		{"the holder is cut off", func(_ *testing.T, _ *lease.Lease, down *atomic.Bool) { down.Store(true) }, 5 * time.Second, lease.ErrExpired},
		{"the holder gives it back", func(t *testing.T, a *lease.Lease, _ *atomic.Bool) { t.Helper(); must(t, a.Release(t.Context())) }, ttl / 10, lease.ErrReleased},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var bus bustest.Bus
				var down atomic.Bool
				a := acquire(t, config(bus.Connect(func(string) bustest.Fault { return bustest.Fault{Refused: down.Load()} }), "a"))
				got := make(chan *lease.Lease)
				go func() { got <- acquire(t, config(bus.Connect(nil), "b")) }()
				pass(10 * time.Second)
				began := clock(0, 1)
				tt.end(t, a, &down)
				b := <-got
				if took := began(); took > tt.most {
					t.Errorf("it took %v", took)
				}
				if a.Left() > 0 || !errors.Is(a.Err(), tt.why) || b.Number() <= a.Number() {
					t.Errorf("a has %v left, %v; numbers %d and %d", a.Left(), a.Err(), a.Number(), b.Number())
				}
			})
		})
	}
}

// TestAPausedHolderSeesAtOnceThatItIsOver stops the goroutine that renews for longer
// than the lease, as SIGSTOP does with the process.
func TestAPausedHolderSeesAtOnceThatItIsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		var ahead atomic.Int64
		cfg := config(bus.Connect(nil), "a")
		steady := cfg.Clock
		cfg.Clock = func() time.Duration { return steady() + time.Duration(ahead.Load()) }
		a := acquire(t, cfg)
		ahead.Store(int64(ttl))
		if left := a.Left(); left != 0 {
			t.Errorf("it thinks that %v are left", left)
		}
		pass(ttl)
		if !errors.Is(a.Err(), lease.ErrExpired) {
			t.Errorf("it is over by %v", a.Err())
		}
	})
}

func TestAValueOfAnotherVersionIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		_, err := bus.Connect(nil).Swap(t.Context(), 0, []byte(`{"v":99}`))
		must(t, err)
		began := clock(0, 1)
		if l := acquire(t, config(bus.Connect(nil), "a")); l.Number() != 2 || began() < ttl {
			t.Errorf("lease %d after %v", l.Number(), began())
		}
	})
}

// TestAtMostOneHoldsItWhateverHappens lets hubs with clocks that are hours apart and a
// twentieth too fast or slow compete over connections on which anything goes wrong.
func TestAtMostOneHoldsItWhateverHappens(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { compete(t, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

func compete(t *testing.T, r *rand.Rand) {
	t.Helper()
	const hubs = 3
	var bus bustest.Bus
	var mu sync.Mutex
	faults := func(string) bustest.Fault {
		mu.Lock()
		defer mu.Unlock()
		return randomFault(r)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	held := make([]atomic.Pointer[lease.Lease], hubs)
	var highest, terms atomic.Uint64
	var wg sync.WaitGroup
	for i := range hubs {
		mu.Lock()
		own := clock(time.Duration(r.Int64N(int64(24*time.Hour))), 0.95+r.Float64()/10)
		mu.Unlock()
		cfg := lease.Config{Register: bus.Connect(faults), Name: fmt.Sprint(i), TTL: ttl, Clock: own}
		wg.Go(func() {
			for ctx.Err() == nil {
				l, err := lease.Acquire(ctx, cfg)
				if err != nil {
					continue
				}
				if old := highest.Swap(l.Number()); old >= l.Number() {
					t.Errorf("lease %d after %d", l.Number(), old)
				}
				terms.Add(1)
				held[i].Store(l)
				select {
				case <-l.Lost():
				case <-ctx.Done():
					give, cancel := context.WithTimeout(context.Background(), time.Second)
					_ = l.Release(give) // The answer may be lost.
					cancel()
					<-l.Lost()
				}
			}
		})
	}
	for ctx.Err() == nil {
		n := 0
		for i := range held {
			if l := held[i].Load(); l != nil && l.Left() > 0 {
				n++
			}
		}
		if n > 1 {
			t.Fatalf("%d hold it", n)
		}
		pass(10 * time.Millisecond)
	}
	wg.Wait()
	if terms.Load() == 0 {
		t.Error("nobody ever held it")
	}
}

// randomFault lets a call pass four times in five.
func randomFault(r *rand.Rand) bustest.Fault {
	late := time.Duration(r.Int64N(int64(2 * time.Second)))
	switch r.IntN(15) {
	case 0:
		return bustest.Fault{LoseRequest: true}
	case 1:
		return bustest.Fault{LoseAnswer: true, Delay: late}
	case 2:
		return bustest.Fault{Delay: late, Stale: 1 + r.IntN(3)}
	default:
		return bustest.Fault{Delay: late / 100}
	}
}

// TestALeaseCountsFromItsRequest answers late: the lease may have begun long before.
func TestALeaseCountsFromItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		const late = 900 * time.Millisecond
		a := acquire(t, config(bus.Connect(func(call string) bustest.Fault {
			if call == "swap" {
				return bustest.Fault{Delay: late}
			}
			return bustest.Fault{}
		}), "a"))
		for range 600 {
			if left := a.Left(); left > ttl-late-ttl/10 || left == 0 {
				t.Fatalf("%v are left", left)
			}
			pass(ttl / 60)
		}
	})
}

// TestALeaseThatIsTakenIsLostAtOnce has someone write the register who did not wait.
func TestALeaseThatIsTakenIsLostAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		a := acquire(t, config(bus.Connect(nil), "a"))
		other := bus.Connect(nil)
		_, revision, err := other.Load(t.Context())
		must(t, err)
		_, err = other.Swap(t.Context(), revision, []byte(`{"v":1,"token":"other"}`))
		must(t, err)
		pass(ttl/3 + time.Millisecond)
		if !errors.Is(a.Err(), lease.ErrTaken) || a.Left() != 0 {
			t.Errorf("%v, %v left", a.Err(), a.Left())
		}
	})
}

// TestLostAnswersAreFollowed loses each third answer of the register.
func TestLostAnswersAreFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		n := 0
		a := acquire(t, config(bus.Connect(func(call string) bustest.Fault {
			if call == "swap" {
				n++
			}
			return bustest.Fault{LoseAnswer: call == "swap" && n%3 == 1}
		}), "a"))
		pass(time.Hour)
		if a.Err() != nil || a.Left() == 0 {
			t.Errorf("lost after all: %v", a.Err())
		}
	})
}
