// Package engine is the only caller of the API: an effect goes in, the event that
// it leads to comes out. It holds nothing of the dashboard's state.
package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/budget"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/cardlist"
	"github.com/cardtop/cardtop/state/commands"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/requestlog"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

// Journal stores operations on disk.
type Journal interface {
	// Begin returns when the write is on disk, before its first byte is sent. After an
	// error it is not sent; after state.ErrMaybeBegun another program may send it.
	Begin(op state.Op, w api.Write) error
	// End stores the result of an operation.
	End(op state.Op, outcome api.Result) error
	// ClaimRule makes a rule this run's until it is released or the run ends in any
	// way; false when it is another's.
	ClaimRule(name string) (release func(), mine bool, err error)
	// Dismiss stores that an operation's answer is no longer waited for, and what it is
	// taken for: state.OpStatusDismissed, OpStatusResolvedDone or OpStatusResolvedNotDone.
	Dismiss(op state.Op, as state.OpStatus) error
	// Adopt takes over the operations without an answer of processes that ended.
	Adopt() ([]state.Op, error)
	// UnderWay lists the operations of all dashboards of the profile that have
	// no answer.
	UnderWay() ([]state.Op, error)
	// Fates returns what is known of operations by their keys.
	Fates(keys []api.IdempotencyKey) (map[api.IdempotencyKey]state.StatusAt, error)
}

// Usage is how the programs with the same key share how many requests they sent.
type Usage interface {
	// Sync stores what this program sent in the last hour, and returns what the others
	// and earlier runs sent, and how many are running.
	Sync(now time.Time, own []budget.Entry) (others []budget.Entry, programs int, err error)
}

// Config is what an engine is made of.
type Config struct {
	Client  *client.Client
	Journal Journal
	// History may be nil: then nothing is recorded, and guardrails count only operations
	// without an answer.
	History History
	// Guard is checked before anything is sent, the caps of Rules before what a rule
	// does.
	Guard guard.Guard
	Rules []rule.Rule
	// Usage may be nil: then this program is the only one with the key.
	Usage Usage
	// DryRun starts in a dry run: no write is sent until state.SetDryRun ends it.
	DryRun bool
	// Views may be nil: then views of lists are not saved.
	Views Views
	// Exports may be nil: then nothing is exported.
	Exports Exports
	// Plans may be nil: then plans end with the program.
	Plans Plans
	// Pins may be nil: then seen deposit addresses are not saved.
	Pins Pins
	// Recall returns more cards of an earlier run, and whether others follow; nil
	// returns none.
	Recall func() (cards cardlist.List, more bool)
	// Days may be nil: then the sums of spending are read anew in each run.
	Days Days
	// Listed is told of the cards of lists that Cards reads; nil is told nothing.
	Listed func([]api.CardItem)
	// Push may be nil: then no webhook is received.
	Push Push
	// SaveSettings writes settings into the configuration file; nil refuses to.
	SaveSettings func([]settings.Setting) error
	// ReadFile reads a file that the user named; nil reads none.
	ReadFile func(path string) ([]byte, error)
	// Execute runs a user command and returns its output; nil runs none.
	Execute func(commands.Execute) (string, error)
	// Recording returns the name of what records the screen, empty for nothing; nil
	// checks nothing.
	Recording func() string
	// Managers returns the names of running clipboard managers; nil checks nothing.
	Managers func() []string
	// Waits is told, in one line, what Read waits for when that takes longer than two seconds; nil is told nothing. It
	// may be called from any goroutine.
	Waits func(line string)
	// Now is this machine's clock.
	Now func() time.Time
}

// Engine runs effects. It may be used from several goroutines.
type Engine struct {
	cfg Config

	mu     sync.Mutex
	dry    bool
	guard  guard.Guard
	rules  []rule.Rule
	locks  map[string]ruleLock // of the rules that act here
	newest state.OpID          // of those sent that move the wallet
	budget *budget.Budget
	clock  poll.ClockSample // of the latest answer
	server poll.ServerClock
	told   poll.Budget
	toldAt time.Time
	// toldWait is when Waits was last told.
	toldWait time.Time

	calls  []requestlog.Request // over, and not told of yet
	unread map[api.Unread]bool  // what of lists could not be read
	missed []string             // lists of which items may be missing

	ran time.Time // when an effect was last run

	sharing  sync.Mutex // held while usage is shared
	sharedAt time.Time

	noting sync.Mutex
	// sending are the writes that are being sent, by their keys; writes counts them.
	sending map[api.IdempotencyKey]state.Op
	writes  sync.WaitGroup
	closed  bool                        // no write is sent any more
	noted   map[api.IdempotencyKey]bool // unknown outcomes that the history has
	// unrecorded are operations that are done and that the history did not take: they are open in
	// the journal until it does.
	unrecorded []unrecorded
}

const (
	// tellEvery is how old a report of the budget may be: making one reads the whole
	// hour.
	tellEvery = time.Second
	// shareFresh is how old the usage of the others may be before a request of which
	// few are allowed in a minute.
	shareFresh = 500 * time.Millisecond
)

// New makes an engine.
func New(cfg Config) *Engine {
	return &Engine{cfg: cfg, dry: cfg.DryRun, guard: cfg.Guard, rules: cfg.Rules, locks: make(map[string]ruleLock), unread: make(map[api.Unread]bool), budget: budget.New(), noted: make(map[api.IdempotencyKey]bool), sending: make(map[api.IdempotencyKey]state.Op)}
}

// SetGuard sets the guardrails for what begins from now on.
func (e *Engine) SetGuard(g guard.Guard) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.guard = g
}

func (e *Engine) guardrails() guard.Guard {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.guard
}

// OfHub reports whether the account is that of a team, on a hub.
func (e *Engine) OfHub() bool { return e.cfg.Client.OfHub() }

// Observe samples the server's clock from a finished call. An error may be of a machine
// between, whose clock says nothing. It is for client.Config.Observe.
func (e *Engine) Observe(c api.Call) {
	at := e.cfg.Now()
	sample := poll.SampleClock(at.Add(-c.Took), at, c.Date)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls = append(e.calls, requestlog.Request{
		At: at, Method: c.Method, Route: c.Route, Status: c.Status, Took: c.Took, ID: c.RequestID, Err: c.Err,
	})
	e.addUnread(c)
	if c.Err == nil && sample != (poll.ClockSample{}) {
		e.clock = sample
		e.server.Add(sample)
	}
}

// Run runs an effect and returns its event. It blocks for as long as the API takes,
// at most the client's timeouts.
func (e *Engine) Run(ctx context.Context, effect kernel.Effect) kernel.Event {
	m := kernel.Meta{Sent: e.cfg.Now()}
	e.wake(m.Sent)
	if ev := e.receive(ctx, effect, &m); ev != nil {
		return ev
	}
	if ev := e.local(effect, &m); ev != nil {
		return ev
	}
	if do, ok := effect.(state.Do); ok && e.inDryRun() {
		e.finish(&m)
		return state.OpFailed{Meta: m, Op: do.Op.ID, Err: errDryRun, NotSent: true}
	}
	cost := costOf(effect)
	if cost.Kind != budget.Other {
		// Few of these are allowed in a minute: those of the others count. Without
		// their usage the server refuses what is too much.
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

// fetch has a fetch ask the API.
func (e *Engine) fetch(ctx context.Context, effect kernel.Effect, m *kernel.Meta) (kernel.Event, error) {
	fetch, ok := effect.(kernel.Fetch)
	if !ok {
		return nil, fmt.Errorf("run effect %T: not a fetch", effect)
	}
	return fetch.Run(ctx, kernel.Env{API: e.cfg.Client, Over: func(unread ...api.Unread) kernel.Meta {
		e.finish(m)
		m.Unread = unread
		return *m
	}})
}

func costOf(effect kernel.Effect) kernel.Cost {
	if f, ok := effect.(kernel.Costly); ok {
		return f.Cost()
	}
	return kernel.Cost{}
}

func (e *Engine) inDryRun() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dry
}

// wake closes connections from before a sleep, before anything is sent on them:
// they may be dead without an error.
func (e *Engine) wake(now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.ran.IsZero() && poll.Slept(e.ran, now) {
		e.cfg.Client.ResetConnections()
	}
	e.ran = now
}

// admit asks the budget; what is not admitted is not sent.
func (e *Engine) admit(c kernel.Cost, now time.Time) time.Duration {
	e.mu.Lock()
	defer e.mu.Unlock()
	ok, wait := e.budget.Take(now, c.Kind, c.Priority, c.Lane)
	if ok {
		return 0
	}
	return max(wait, time.Millisecond)
}

// share exchanges usage with the other programs, unless that was done within a
// time.
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

// Close stores the last usage and lets go of the rules.
func (e *Engine) Close() error {
	e.releaseRules()
	return e.share(0)
}

func (e *Engine) finish(m *kernel.Meta) {
	m.At = e.cfg.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	if age := m.At.Sub(e.toldAt); e.toldAt.IsZero() || age < 0 || age >= tellEvery {
		used := e.budget.Used(m.At)
		e.toldAt = m.At
		e.told = poll.Budget{
			Hour: used.Hour, Minute: used.Minute, Lanes: used.Lanes,
			Elsewhere: used.Elsewhere, Programs: used.Programs, Pace: e.budget.Pace(m.At),
		}
	}
	m.Clock, m.Budget = e.clock, e.told
	m.Requests, e.calls = append(m.Requests, e.calls...), nil
}

// ServerNow returns the time on the server's clock, as its answers told it; this
// machine's before the first.
func (e *Engine) ServerNow() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server.Server(e.cfg.Now())
}

// ReadClock has the server tell its time, with a page of one transaction. Its errors
// are those of Read.
func ReadClock(ctx context.Context, e *Engine) error {
	_, err := Read(ctx, e, "transactions", func(ctx context.Context, c *client.Client) (api.Page[api.Transaction], error) {
		return c.ListTransactions(ctx, api.ListTransactionsOptions{PerPage: 1})
	})
	return err
}
