package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// service acts once for a key, and notes when a leader writes after its time.
type service struct {
	t       *testing.T
	mu      sync.Mutex
	acted   map[api.IdempotencyKey]int
	highest uint64
	busy    map[uint64]int
}

func (s *service) send(ctx context.Context, r oplog.Record, number uint64, lost bool) cluster.Answer {
	s.mu.Lock()
	s.acted[r.Op.Key]++
	if number < s.highest {
		s.t.Errorf("%s under lease %d after %d", r.Op.Key, number, s.highest)
	}
	s.highest = max(s.highest, number)
	s.busy[number]++
	if len(s.busy) > 1 {
		s.t.Errorf("two write at once: %v", s.busy)
	}
	s.mu.Unlock()
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
		lost = true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[number]--; s.busy[number] == 0 {
		delete(s.busy, number)
	}
	if lost {
		return cluster.Answer{State: oplog.Unknown}
	}
	return cluster.Answer{State: oplog.Done, RequestID: "req_1"}
}

func fund(t *testing.T, key string) oplog.Op {
	t.Helper()
	r, err := oplog.NewRequest(api.Write{Method: http.MethodPost, Path: "/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)})
	must(t, err)
	return oplog.Op{Key: api.IdempotencyKey(key), Kind: "fund", Request: r}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hub is one that takes part, and what it knows of its term.
type hub struct {
	mu   sync.Mutex
	term *cluster.Term
}

func (h *hub) set(t *cluster.Term) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.term = t
}

func (h *hub) now() *cluster.Term {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.term
}

func clock() lease.Clock {
	start := time.Now()                                      //nolint:forbidigo // virtual time in a bubble
	return func() time.Duration { return time.Since(start) } //nolint:forbidigo // virtual time in a bubble
}

// take part runs a hub until ctx ends.
func takePart(ctx context.Context, h *hub, c *bustest.Conn, s *service, name string) error {
	cfg := cluster.Config{
		Lease: lease.Config{Register: c, Name: name, TTL: 3 * time.Second, Clock: clock()}, Log: c, Logger: slog.New(slog.DiscardHandler), Now: time.Now, //nolint:forbidigo // virtual time in a bubble
	}
	return cluster.Run(ctx, cfg, func(ctx context.Context, t *cluster.Term) error {
		err := t.Settle(ctx, func(ctx context.Context, r oplog.Record) cluster.Answer {
			return s.send(ctx, r, t.Lease.Number(), false)
		})
		if err != nil {
			return err
		}
		h.set(t)
		defer h.set(nil)
		<-ctx.Done()
		return nil
	})
}

// TestHubsOnABusThatFails has three hubs write for a quarter of an hour on a bus that
// delays, loses and reorders. Whoever asks repeats what is unknown under its key.
func TestHubsOnABusThatFails(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { write(t, rand.New(rand.NewPCG(seed, 3))) })
		})
	}
}

func write(t *testing.T, r *rand.Rand) {
	t.Helper()
	var bus bustest.Bus
	var mu sync.Mutex
	calm := false
	random := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(n)
	}
	faults := func(string) bustest.Fault {
		late := time.Duration(random(2000)) * time.Millisecond
		n := random(40)
		mu.Lock()
		defer mu.Unlock()
		switch {
		case calm || n > 3:
			return bustest.Fault{Delay: late / 200}
		case n == 0:
			return bustest.Fault{LoseRequest: true}
		case n == 1:
			return bustest.Fault{LoseAnswer: true, Delay: late}
		default:
			return bustest.Fault{Delay: late, Stale: n}
		}
	}
	s := &service{t: t, acted: make(map[api.IdempotencyKey]int), busy: make(map[uint64]int)}
	ctx, stop := context.WithCancel(t.Context())
	hubs := []*hub{{}, {}, {}}
	var wg sync.WaitGroup
	for i, h := range hubs {
		wg.Go(func() {
			if err := takePart(ctx, h, bus.Connect(faults), s, fmt.Sprint(i)); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
	told := make(map[string]oplog.State)
	end := clock()
	for i := 0; end() < 15*time.Minute; i++ {
		key := fmt.Sprint(i)
		for told[key] == "" || told[key] == oplog.Unknown {
			time.Sleep(10 * time.Millisecond) //nolint:forbidigo // virtual time in a bubble
			term := hubs[random(len(hubs))].now()
			if term == nil {
				continue
			}
			lost := random(10) == 0
			answer, _ := term.Do(ctx, fund(t, key), func(ctx context.Context, r oplog.Record) cluster.Answer {
				return s.send(ctx, r, term.Lease.Number(), lost)
			}) // The state says what matters.
			told[key] = answer.State
		}
	}
	mu.Lock()
	calm = true
	mu.Unlock()
	time.Sleep(time.Minute) //nolint:forbidigo // virtual time in a bubble
	stop()
	wg.Wait()
	done := 0
	for key, state := range told {
		n := s.acted[api.IdempotencyKey(key)]
		if state == oplog.Done && n == 0 || state == oplog.Refused && n > 0 {
			t.Errorf("%s was told to be %s, and was sent %d times", key, state, n)
		}
		if state == oplog.Done {
			done++
		}
	}
	if done < 100 {
		t.Errorf("only %d of %d were done", done, len(told))
	}
}

func TestAnAnswerIsTakenFromTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		s := &service{t: t, acted: make(map[api.IdempotencyKey]int), busy: make(map[uint64]int)}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var h hub
		ended := make(chan error)
		go func() { ended <- takePart(ctx, &h, bus.Connect(nil), s, "a") }()
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		term := h.now()
		send := func(ctx context.Context, r oplog.Record) cluster.Answer {
			return s.send(ctx, r, term.Lease.Number(), false)
		}
		for range 2 {
			answer, err := term.Do(ctx, fund(t, "k"), send)
			if err != nil || answer != (cluster.Answer{State: oplog.Done, RequestID: "req_1"}) || s.acted["k"] != 1 {
				t.Errorf("%v, %v, sent %d times", answer, err, s.acted["k"])
			}
		}
		op := fund(t, "k2")
		op.Label = "4111111111111111"
		if answer, err := term.Do(ctx, op, send); !errors.Is(err, oplog.ErrSecret) || answer.State != oplog.Refused {
			t.Errorf("%v, %v", answer, err)
		}
		// Once prepared, and never sent: the next leader refuses it.
		must(t, term.Log.Prepare(ctx, fund(t, "k3")))
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if answer, err := term.Do(t.Context(), fund(t, "k4"), send); !errors.Is(err, oplog.ErrLeaseOver) || answer.State != oplog.Unknown || s.acted["k4"] > 0 {
			t.Errorf("after its time: %v, %v", answer, err)
		}
		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		go func() { ended <- takePart(ctx, &h, bus.Connect(nil), s, "b") }()
		time.Sleep(5 * time.Second) //nolint:forbidigo // virtual time in a bubble
		if r, ok := h.now().Log.Find("k3"); !ok || r.State != oplog.Refused || s.acted["k3"] > 0 {
			t.Errorf("k3 is %v, sent %d times", r.State, s.acted["k3"])
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestARequestEndsWithTheLease cuts a leader off while its request is under way.
func TestARequestEndsWithTheLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var bus bustest.Bus
		var down atomic.Bool
		s := &service{t: t, acted: make(map[api.IdempotencyKey]int), busy: make(map[uint64]int)}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var h hub
		ended := make(chan error)
		go func() {
			ended <- takePart(ctx, &h, bus.Connect(func(string) bustest.Fault { return bustest.Fault{Refused: down.Load()} }), s, "a")
		}()
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		began := clock()
		answer, err := h.now().Do(ctx, fund(t, "k"), func(ctx context.Context, _ oplog.Record) cluster.Answer {
			down.Store(true)
			select {
			case <-ctx.Done():
			case <-time.After(time.Hour):
			}
			return cluster.Answer{State: oplog.Unknown}
		})
		if answer.State != oplog.Unknown || err == nil || began() > 3*time.Second {
			t.Errorf("%v, %v after %v", answer, err, began())
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
