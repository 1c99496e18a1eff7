// Package engine is the only caller of the API: an effect goes in, the event
// it led to comes out. It keeps no state of the dashboard's.
package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/poll"
)

// Journal keeps operations on disk.
type Journal interface {
	// Begin returns when the write is on disk, before its first byte is sent.
	Begin(op state.Op, w api.Write) error
	// End notes what came of it.
	End(op state.Op, outcome api.Result) error
	// Dismiss notes that nobody waits for an answer any more.
	Dismiss(op state.Op) error
	// Adopt takes over what dashboards that ended have left without an answer.
	Adopt() ([]state.Op, error)
	// UnderWay lists the operations of all dashboards of the profile that have
	// no answer.
	UnderWay() ([]state.Op, error)
	// Fates tells what is known of operations by their keys.
	Fates(keys []api.IdempotencyKey) (map[api.IdempotencyKey]state.Word, error)
}

// Usage is where the programs that use the same key tell each other what they
// spent.
type Usage interface {
	// Sync tells what this program spent in the last hour, and gives what others
	// did, earlier runs of this one among them, and how many are running.
	Sync(now time.Time, own []budget.Entry) (others []budget.Entry, programs int, err error)
}

// Config is what an engine is made of.
type Config struct {
	Client  *api.Client
	Journal Journal
	// History may be nil: then nothing is remembered but by the screen, and
	// guardrails see only operations without an answer.
	History History
	// Guard is asked before anything is sent, whoever asks for it.
	Guard state.Guard
	// Usage may be nil: nobody else uses the key then.
	Usage Usage
	// DryRun begins in a dry run: no write is sent until state.SetDryRun ends it.
	DryRun bool
	// Views may be nil: then the lists look as they do at first at each start.
	Views Views
	// Exports may be nil: then nothing is exported.
	Exports Exports
	// Plans may be nil: plans end with the program then.
	Plans Plans
	// Pins may be nil: deposit addresses that were seen are forgotten with the
	// program then.
	Pins Pins
	// ReadFile reads a file that a person named; nil: none are read.
	ReadFile func(path string) ([]byte, error)
	// Execute runs a command of a person's own and gives what it printed; nil:
	// none runs.
	Execute func(state.Execute) (string, error)
	// Recording names what records the screen, empty for nothing; nil: nobody
	// looks.
	Recording func() string
	// Managers names the clipboard managers that run; nil: nobody looks.
	Managers func() []string
	// Now is this machine's clock.
	Now func() time.Time
}

// Engine runs effects. It may be used from several goroutines.
type Engine struct {
	cfg Config

	mu     sync.Mutex
	dry    bool
	guard  state.Guard
	newest state.OpID // of those sent that move the wallet
	budget *budget.Budget
	clock  state.ClockSample
	told   state.Budget
	toldAt time.Time

	calls []state.Request // over, and not told of yet

	ran time.Time // when an effect was last run

	sharing  sync.Mutex // held while usage is shared
	sharedAt time.Time

	noting sync.Mutex
	noted  map[api.IdempotencyKey]bool // unknown outcomes that the history has
}

const (
	// tellEvery is how old a report of the budget may be: making one looks
	// through the hour.
	tellEvery = time.Second
	// shareFresh is how old what others told may be before a request that few
	// of are allowed in a minute.
	shareFresh = 500 * time.Millisecond
)

// New makes an engine.
func New(cfg Config) *Engine {
	return &Engine{cfg: cfg, dry: cfg.DryRun, guard: cfg.Guard, budget: budget.New(), noted: make(map[api.IdempotencyKey]bool)}
}

// SetGuard puts other guardrails in force, for what is begun from now on.
func (e *Engine) SetGuard(g state.Guard) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.guard = g
}

func (e *Engine) guardrails() state.Guard {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.guard
}

// Observe takes from a finished call what its answer tells of the server's
// clock. It is for api.Config.Observe.
func (e *Engine) Observe(c api.Call) {
	at := e.cfg.Now()
	sample := poll.SampleClock(at.Add(-c.Took), at, c.Date)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, state.Request{
		At: at, Method: c.Method, Route: c.Route, Status: c.Status, Took: c.Took, ID: c.RequestID, Err: c.Err,
	})
	if sample != (state.ClockSample{}) {
		e.clock = sample
	}
}

// Run does what an effect asks for and tells what came of it. It blocks for
// as long as the API takes, at most the client's time-outs.
func (e *Engine) Run(ctx context.Context, effect state.Effect) state.Event {
	m := state.Meta{Sent: e.cfg.Now()}
	e.wake(m.Sent)
	if ev := e.local(effect, &m); ev != nil {
		return ev
	}
	if do, ok := effect.(state.Do); ok && e.inDryRun() {
		e.finish(&m)
		return state.OpFailed{Meta: m, Op: do.Op.ID, Err: errDryRun, NotSent: true}
	}
	cost := costOf(effect)
	if cost.Kind != budget.Other {
		// Few of these are allowed in a minute: what others did counts. When it
		// cannot be told, the server tells.
		_ = e.share(shareFresh)
	}
	if wait := e.admit(cost, m.Sent); wait > 0 {
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

func costOf(effect state.Effect) state.Cost {
	if f, ok := effect.(state.Fetch); ok {
		return f.Cost()
	}
	return state.Cost{}
}

func (e *Engine) inDryRun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dry
}

// wake lets go of the connections of before a sleep, before anything is sent
// on them: they may be dead and not know it.
func (e *Engine) wake(now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ran.IsZero() && poll.Slept(e.ran, now) {
		e.cfg.Client.ResetConnections()
	}
	e.ran = now
}

// admit asks the budget; what is not admitted never leaves this machine.
func (e *Engine) admit(c state.Cost, now time.Time) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	ok, wait := e.budget.Take(now, c.Kind, c.Priority, c.Lane)
	if ok {
		return 0
	}
	return max(wait, time.Millisecond)
}

// share tells the other programs what this one spent and hears what they did,
// unless that was done within a span of time.
func (e *Engine) share(fresh time.Duration) error {
	if e.cfg.Usage == nil {
		return nil
	}
	e.sharing.Lock()
	defer e.sharing.Unlock()
	now := e.cfg.Now()
	if fresh > 0 && now.Sub(e.sharedAt) < fresh {
		return nil
	}
	e.mu.Lock()
	own := e.budget.Export(now)
	e.mu.Unlock()
	others, programs, err := e.cfg.Usage.Sync(now, own)
	if err != nil {
		return fmt.Errorf("share the request budget: %w", err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.budget.Elsewhere(now, others, programs)
	e.sharedAt, e.toldAt = now, time.Time{}
	return nil
}

// Close tells the other programs what was spent last.
func (e *Engine) Close() error { return e.share(0) }

func (e *Engine) finish(m *state.Meta) {
	m.At = e.cfg.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if age := m.At.Sub(e.toldAt); e.toldAt.IsZero() || age < 0 || age >= tellEvery {
		used := e.budget.Used(m.At)
		e.toldAt = m.At
		e.told = state.Budget{
			Hour: used.Hour, Minute: used.Minute, Lanes: used.Lanes,
			Elsewhere: used.Elsewhere, Programs: used.Programs, Pace: e.budget.Pace(m.At),
		}
	}
	m.Clock, m.Budget = e.clock, e.told
	m.Requests, e.calls = append(m.Requests, e.calls...), nil
}
