package oplog_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// service counts what reaches it, by key. It acts once for a key.
type service struct {
	mu   sync.Mutex
	sent map[api.IdempotencyKey]int
}

// world is a service and what leaders promised about it.
type world struct {
	t       *testing.T
	bus     bustest.Bus
	service service

	mu           sync.Mutex
	acknowledged map[api.IdempotencyKey]bool
	refused      map[api.IdempotencyKey]bool // told to be certainly not sent
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{
		t: t, service: service{sent: make(map[api.IdempotencyKey]int)},
		acknowledged: make(map[api.IdempotencyKey]bool), refused: make(map[api.IdempotencyKey]bool),
	}
}

func (w *world) note(m map[api.IdempotencyKey]bool, key api.IdempotencyKey) {
	w.mu.Lock()
	defer w.mu.Unlock()
	m[key] = true
}

// send is a try at the service. The leader may be paused between its permission and
// its first byte.
func (w *world) send(pause time.Duration, key api.IdempotencyKey) {
	time.Sleep(pause) //nolint:forbidigo // virtual time in a bubble
	w.service.mu.Lock()
	defer w.service.mu.Unlock()
	w.service.sent[key]++
}

// lead is the whole life of a leader: it settles what it finds, and begins operations
// of its own. It is killed after so many steps, and knows nothing of the leaders after
// it: its lease never ends.
func (w *world) lead(ctx context.Context, r *rand.Rand, number uint64, steps int) {
	var mu sync.Mutex
	l, err := oplog.Open(ctx, w.bus.Connect(func(string) bustest.Fault {
		mu.Lock()
		defer mu.Unlock()
		return anyFault(r)
	}), held{number: number})
	if err != nil {
		return
	}
	w.mu.Lock()
	for key := range w.acknowledged {
		if _, ok := l.Find(key); !ok {
			w.t.Errorf("leader %d does not find %s", number, key)
		}
	}
	w.mu.Unlock()
	step := func() bool { steps--; return steps >= 0 && ctx.Err() == nil }
	for _, rec := range l.Unsettled() {
		if !step() {
			return
		}
		if rec.State == oplog.Prepared {
			if l.End(ctx, rec.Op.Key, oplog.Refused, 0) == nil {
				w.note(w.refused, rec.Op.Key)
			}
			continue
		}
		w.try(ctx, r, l, rec.Op.Key, step)
	}
	for i := 0; step(); i++ {
		op := fund(w.t, fmt.Sprintf("%d-%d", number, i))
		if r.IntN(2) == 0 {
			w.begin(ctx, r, l, op, step)
			continue
		}
		if err := l.Prepare(ctx, op); err != nil {
			w.note(w.refused, op.Key)
			continue
		}
		w.note(w.acknowledged, op.Key)
		w.try(ctx, r, l, op.Key, step)
	}
}

// try sends an operation once, unless the leader is killed before.
func (w *world) try(ctx context.Context, r *rand.Rand, l *oplog.Log, key api.IdempotencyKey, step func() bool) {
	if !step() {
		return
	}
	if err := l.Send(ctx, key); err != nil {
		if old, ok := l.Find(key); !errors.Is(err, oplog.ErrUnsure) && ok && old.Tries == 0 {
			w.note(w.refused, key)
		}
		return
	}
	w.sent(ctx, r, l, key, step)
}

// begin sends an operation that was not prepared.
func (w *world) begin(ctx context.Context, r *rand.Rand, l *oplog.Log, op oplog.Op, step func() bool) {
	if err := l.Begin(ctx, op); err != nil {
		if !errors.Is(err, oplog.ErrUnsure) {
			w.note(w.refused, op.Key)
		}
		return
	}
	w.note(w.acknowledged, op.Key)
	w.sent(ctx, r, l, op.Key, step)
}

// sent sends what the log has as sent, unless the leader is killed before.
func (w *world) sent(ctx context.Context, r *rand.Rand, l *oplog.Log, key api.IdempotencyKey, step func() bool) {
	if !step() {
		return
	}
	w.send(time.Duration(r.IntN(3000))*time.Millisecond, key)
	if step() {
		outcome := []oplog.State{oplog.Done, oplog.Unknown}[r.IntN(2)]
		_ = l.End(ctx, key, outcome, 0) // Without it the next leader sends it again.
	}
}

// anyFault lets a call pass four times in five.
func anyFault(r *rand.Rand) bustest.Fault {
	late := time.Duration(r.Int64N(int64(3 * time.Second)))
	switch r.IntN(20) {
	case 0:
		return bustest.Fault{LoseRequest: true}
	case 1:
		return bustest.Fault{LoseAnswer: true, Delay: late}
	case 2:
		return bustest.Fault{Delay: late}
	case 3:
		return bustest.Fault{Stale: r.IntN(4)}
	default:
		return bustest.Fault{Delay: late / 100}
	}
}

// TestAnyOrderOfKillsLosesAndDoublesNothing runs leaders that are killed or overtaken
// at any step, on a bus that delays, loses and reorders. The last one finds everything
// that was acknowledged; what was told to be refused was never sent; what is done was.
func TestAnyOrderOfKillsLosesAndDoublesNothing(t *testing.T) {
	rounds, ops := 300, 0
	for seed := range uint64(rounds) {
		synctest.Test(t, func(t *testing.T) { ops += killLeaders(t, seed, 2+int(seed%7), 50) })
	}
	t.Logf("%d of %d rounds of kills: all %d acknowledged operations found, none refused was sent", rounds, rounds, ops)
}

func FuzzKills(f *testing.F) {
	f.Add(uint64(1), byte(3), byte(20))
	f.Fuzz(func(t *testing.T, seed uint64, leaders, steps byte) {
		synctest.Test(t, func(t *testing.T) { killLeaders(t, seed, int(leaders%12), int(steps%60)+1) })
	})
}

// killLeaders returns how many operations were acknowledged.
func killLeaders(t *testing.T, seed uint64, leaders, most int) int {
	t.Helper()
	w := newWorld(t)
	r := rand.New(rand.NewPCG(seed, 7))
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	var wg sync.WaitGroup
	for n := range leaders {
		own := rand.New(rand.NewPCG(seed, uint64(100+n)))
		steps := 1 + r.IntN(most)
		wg.Go(func() { w.lead(ctx, own, uint64(n+1), steps) })
		time.Sleep(time.Duration(r.IntN(20000)) * time.Millisecond) //nolint:forbidigo // virtual time in a bubble
	}
	wg.Wait()
	last := open(t, w.bus.Connect(nil), uint64(leaders+1))
	for key := range w.acknowledged {
		rec, ok := last.Find(key)
		if !ok {
			t.Errorf("%s is lost", key)
		}
		if rec.State == oplog.Done && w.service.sent[key] == 0 || rec.State == oplog.Prepared && w.service.sent[key] > 0 {
			t.Errorf("%s is %s, sent %d times", key, rec.State, w.service.sent[key])
		}
		if w.service.sent[key] > rec.Tries {
			t.Errorf("%s was sent %d times, the log has %d tries", key, w.service.sent[key], rec.Tries)
		}
	}
	for key, n := range w.service.sent {
		if w.refused[key] {
			t.Errorf("%s was sent %d times, and refused", key, n)
		}
	}
	return len(w.acknowledged)
}
