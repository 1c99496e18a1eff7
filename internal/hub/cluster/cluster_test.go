package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/cluster"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/journal"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/state"
)

// service acts once for a key, and notes when a leader writes after its time.
type service struct {
	t       *testing.T
	mu      sync.Mutex
	acted   map[api.IdempotencyKey]int
	highest uint64
	busy    map[uint64]int
}

func newService(t *testing.T) *service {
	t.Helper()
	return &service{t: t, acted: make(map[api.IdempotencyKey]int), busy: make(map[uint64]int)}
}

// line is the way to the service in a term. Some answers are lost.
type line struct {
	service *service
	lease   uint64
	loses   func() bool
}

var errLost = errors.New("the answer is lost")

func (l line) RoundTrip(r *http.Request) (*http.Response, error) {
	s, key := l.service, api.IdempotencyKey(r.Header.Get("X-Idempotency-Key"))
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.acted[key]++
	if l.lease < s.highest {
		s.t.Errorf("%s under lease %d after %d", key, l.lease, s.highest)
	}
	s.highest = max(s.highest, l.lease)
	s.busy[l.lease]++
	if len(s.busy) > 1 {
		s.t.Errorf("two write at once: %v", s.busy)
	}
	s.mu.Unlock()
	time.Sleep(50 * time.Millisecond) //nolint:forbidigo // virtual time in a bubble
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.busy[l.lease]--; s.busy[l.lease] == 0 {
		delete(s.busy, l.lease)
	}
	if l.loses() {
		return nil, errLost
	}
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.WriteString(`{"id":"card_1","previous_balance":1,"funded_amount":5,"new_balance":6,"wallet_balance":1}`)
	return w.Result(), nil
}

func fund(key string) state.Op {
	return state.Op{
		Kind: state.OpFund, Card: "card_1", Amount: 5 * api.Dollar, Key: api.IdempotencyKey(key), At: time.Now(), Tries: 1, //nolint:forbidigo // virtual time in a bubble
		Write: &api.Write{Method: http.MethodPost, Route: "/cards/{card_id}/fund", Path: "/cards/card_1/fund", Body: []byte(`{"amount":5.00}`)},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hub is one that takes part, and what it has in its term.
type hub struct {
	mu   sync.Mutex
	term *writing
}

// writing is how the program writes in a term: the engine, on the log, behind the fence.
type writing struct {
	log *oplog.Log
	eng *engine.Engine
}

func newWriting(t *cluster.Term, s *service, loses func() bool) (*writing, []state.Op, error) {
	ops := journal.New(t.Log, t.Lease, func(_ uint64, at time.Time) time.Time { return at })
	w := &writing{log: t.Log}
	cfg := client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey("sk_test_cluster"), Now: time.Now, //nolint:forbidigo // virtual time in a bubble
		Transport: cluster.Fence{Left: t.Lease.Left}.Transport(line{s, t.Lease.Number(), loses}),
		Observe:   func(c api.Call) { w.eng.Observe(c) },
	}
	cl, err := client.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	w.eng = engine.New(engine.Config{Client: cl, Journal: ops, Now: time.Now}) //nolint:forbidigo // as above
	left, err := ops.Adopt()
	return w, left, err
}

// do sends an operation, or again under its key, and returns what is known of it then;
// empty when it was not tried.
func (w *writing) do(ctx context.Context, op state.Op) oplog.State {
	if r, known := w.log.Find(op.Key); known {
		if !r.State.Open() {
			return r.State
		}
		op.At, op.Tries = r.Op.Begun, r.Tries+1
	}
	switch ev := w.eng.Run(ctx, state.Do{Op: op}).(type) {
	case state.OpDone:
		return oplog.Done
	case state.OpFailed:
		if op.Outcome(ev.Err) == api.Unknown && !ev.NotSent || op.Tries > 1 {
			return oplog.Unknown
		}
		return oplog.Refused
	default: // The budget allows none now.
		return ""
	}
}

func (h *hub) set(t *writing) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.term = t
}

func (h *hub) now() *writing {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.term
}

func clock() lease.Clock {
	start := time.Now()                                      //nolint:forbidigo // virtual time in a bubble
	return func() time.Duration { return time.Since(start) } //nolint:forbidigo // virtual time in a bubble
}

// takePart runs a hub until ctx ends.
func takePart(ctx context.Context, h *hub, c *bustest.Conn, s *service, name string, loses func() bool) error {
	cfg := cluster.Config{
		Lease: lease.Config{Register: c, Name: name, TTL: 3 * time.Second, Clock: clock()}, Log: c, Logger: slog.New(slog.DiscardHandler), Now: time.Now, //nolint:forbidigo // virtual time in a bubble
	}
	return cluster.Run(ctx, cfg, func(ctx context.Context, t *cluster.Term) error {
		w, left, err := newWriting(t, s, loses)
		if err != nil {
			return err
		}
		for _, op := range left {
			w.do(ctx, op) // What stays unknown is asked for again.
		}
		h.set(w)
		defer h.set(nil)
		<-ctx.Done()
		w.eng.CloseWrites()
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
	s := newService(t)
	ctx, stop := context.WithCancel(t.Context())
	hubs := []*hub{{}, {}, {}}
	var wg sync.WaitGroup
	for i, h := range hubs {
		wg.Go(func() {
			if err := takePart(ctx, h, bus.Connect(faults), s, fmt.Sprint(i), func() bool { return random(10) == 0 }); !errors.Is(err, context.Canceled) {
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
			told[key] = term.do(ctx, fund(key))
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
		s, never := newService(t), func() bool { return false }
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var h hub
		ended := make(chan error)
		go func() { ended <- takePart(ctx, &h, bus.Connect(nil), s, "a", never) }()
		time.Sleep(time.Second) //nolint:forbidigo // virtual time in a bubble
		term := h.now()
		for range 2 {
			if got := term.do(ctx, fund("k")); got != oplog.Done || s.acted["k"] != 1 {
				t.Errorf("%v, sent %d times", got, s.acted["k"])
			}
		}
		op := fund("k2")
		op.Label = "4111111111111111"
		if got := term.do(ctx, op); got != oplog.Refused || s.acted["k2"] > 0 {
			t.Errorf("a card number in the log: %v", got)
		}
		// Once prepared, and never sent: the next leader refuses it.
		r, err := oplog.NewRequest(*fund("k3").Write)
		must(t, err)
		must(t, term.log.Prepare(ctx, oplog.Op{Key: "k3", Kind: "fund", Request: r}))
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := term.do(t.Context(), fund("k4")); got == oplog.Done || s.acted["k4"] > 0 {
			t.Errorf("after its time: %v", got)
		}
		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		go func() { ended <- takePart(ctx, &h, bus.Connect(nil), s, "b", never) }()
		time.Sleep(5 * time.Second) //nolint:forbidigo // virtual time in a bubble
		if r, ok := h.now().log.Find("k3"); !ok || r.State != oplog.Refused || s.acted["k3"] > 0 {
			t.Errorf("k3 is %v, sent %d times", r.State, s.acted["k3"])
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}
