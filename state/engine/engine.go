// Package engine is the only caller of the API: an effect goes in, the event
// it led to comes out. It keeps no state of the dashboard's.
package engine

import (
	"context"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
)

// Journal keeps operations on disk.
type Journal interface {
	// Begin returns when the write is on disk, before its first byte is sent.
	Begin(op state.Op, w api.Write) error
	// End notes what came of it.
	End(op state.Op, outcome api.Result) error
	// Dismiss notes that nobody waits for an answer any more.
	Dismiss(op state.Op) error
}

// Config is what an engine is made of.
type Config struct {
	Client  *api.Client
	Journal Journal
	// Now is this machine's clock.
	Now func() time.Time
}

// Engine runs effects. It may be used from several goroutines.
type Engine struct {
	cfg Config

	mu     sync.Mutex
	budget *budget.Budget
	clock  state.ClockSample
}

// New makes an engine.
func New(cfg Config) *Engine {
	return &Engine{cfg: cfg, budget: budget.New()}
}

// Observe takes from a finished call what its answer tells of the server's
// clock. It is for api.Config.Observe.
func (e *Engine) Observe(c api.Call) {
	at := e.cfg.Now()
	sample := state.SampleClock(at.Add(-c.Took), at, c.Date)
	if sample == (state.ClockSample{}) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.clock = sample
}

// Run does what an effect asks for and tells what came of it. It blocks for
// as long as the API takes, at most the client's time-outs.
func (e *Engine) Run(ctx context.Context, effect state.Effect) state.Event {
	m := state.Meta{Sent: e.cfg.Now()}
	if forget, ok := effect.(state.Forget); ok {
		err := e.cfg.Journal.Dismiss(forget.Op)
		e.finish(&m)
		return state.OpForgotten{Meta: m, Err: err}
	}
	if wait := e.admit(effect, m.Sent); wait > 0 {
		e.finish(&m)
		return state.Deferred{Meta: m, Effect: effect, Wait: wait}
	}
	if do, ok := effect.(state.Do); ok {
		return e.write(ctx, do.Op, &m)
	}
	ev, err := e.fetch(ctx, effect, &m)
	if err != nil {
		e.finish(&m)
		return state.FetchFailed{Meta: m, Effect: effect, Err: err}
	}
	return ev
}

// admit asks the budget; what is not admitted never leaves this machine.
func (e *Engine) admit(effect state.Effect, now time.Time) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	kind, priority, lane := cost(effect)
	ok, wait := e.budget.Take(now, kind, priority, lane)
	if ok {
		return 0
	}
	return max(wait, time.Millisecond)
}

func (e *Engine) finish(m *state.Meta) {
	m.At = e.cfg.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	m.Clock, m.Used = e.clock, e.budget.Used(m.At).Hour
}
