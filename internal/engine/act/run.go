package act

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/bins"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// patience bounds how long the store waits for what an intent rests on, while
// that fails for a reason that will pass.
const patience = 20 * time.Second

// phase is how far a run has come.
type phase uint8

const (
	opening phase = iota
	reading
	asking
	acting
)

// rests is what an intent rests on besides its cards.
type rests struct{ wallet, bins, webhooks bool }

// runner carries intents out on one store.
type runner struct {
	cfg   Config
	ctx   context.Context //nolint:containedctx // the confirmation's, for as long as the run
	store *state.Store
	needs rests
	phase phase
	began time.Time
	wake  chan struct{}
	err   error
	// propose makes the proposal, or an error; begin are the intents that start
	// it; next goes on or says that it is over.
	propose func() (Proposal, error)
	begin   func() ([]kernel.Intent, error)
	next    func() (want []kernel.Intent, over bool, err error)
	// halt are the intents that keep more from beginning once the context has ended; nil is none.
	halt func() []kernel.Intent
	// awaited are the operations that were being sent when it ended; nil before that.
	awaited map[state.OpID]bool

	mu     sync.Mutex
	last   map[api.IdempotencyKey]kernel.Event // The latest event of each operation.
	minted api.IdempotencyKey
	// forgotten is what became of the word of the user, which ends the run before it is applied.
	forgotten state.OpForgotten
	answer    *answer // Of the confirmation; nil while it is asked.
}

type answer struct {
	yes bool
	err error
}

func newRunner(cfg Config, needs rests) *runner {
	r := &runner{cfg: cfg, needs: needs, wake: make(chan struct{}, 1), last: make(map[api.IdempotencyKey]kernel.Event)}
	cfg.Store.NewKey, cfg.Store.Rand, cfg.Store.Only = r.newKey, cfg.Rand, []poll.Lane{}
	if needs.wallet {
		cfg.Store.Only = []poll.Lane{poll.Wallet}
	}
	r.store = state.New(cfg.Store)
	return r
}

// newKey returns the key that was chosen once, then new ones.
func (r *runner) newKey() api.IdempotencyKey {
	r.minted = cmp.Or(r.cfg.Key, api.NewIdempotencyKey())
	r.cfg.Key = ""
	return r.minted
}

// run runs the store until the intent is over. What is being sent for the first time when the
// context ends is waited for, so that the store has its outcome.
func (r *runner) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.ctx, r.began = ctx, r.cfg.Now()
	r.know(ctx)
	r.rouse()
	defer context.AfterFunc(ctx, r.rouse)()
	err := loop.Run(context.WithoutCancel(ctx), loop.Config{Store: r.store, Do: r.do, Now: r.cfg.Now, Wake: r.wake, Changed: r.changed})
	return cmp.Or(r.err, err)
}

// rouse has the next step taken, for something that is not in the store.
func (r *runner) rouse() {
	select {
	case r.wake <- struct{}{}:
	default: // It is to be taken already.
	}
}

// know applies what was read before, and runs what follows from it.
func (r *runner) know(ctx context.Context) {
	r.store.Resume(r.cfg.Pending, r.began)
	events := r.cfg.Known
	for len(events) > 0 {
		_, effects := r.store.Apply(events[0])
		events = events[1:]
		for _, e := range effects {
			if ev := r.do(ctx, e); ev != nil {
				events = append(events, ev)
			}
		}
	}
}

// do runs an effect. What is being sent is waited for, whatever interrupts the
// program: its outcome is known then.
func (r *runner) do(ctx context.Context, e kernel.Effect) kernel.Event {
	do, sends := e.(state.Do)
	switch e.(type) {
	case secrets.HoldSigning, webhooks.WipeSigning:
		return nil // The result has the secret, for the caller.
	default:
	}
	if !sends {
		ev := r.cfg.Run(ctx, e)
		if f, ok := ev.(state.OpForgotten); ok {
			r.mu.Lock()
			r.forgotten = f
			r.mu.Unlock()
		}
		return ev
	}
	ev := r.cfg.Run(context.WithoutCancel(ctx), e)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[do.Op.Key] = ev
	return ev
}

// changed takes the next step.
func (r *runner) changed(kernel.Topic) (want []kernel.Intent, over bool) {
	if r.ctx.Err() != nil {
		return r.interrupted()
	}
	want, over, r.err = r.step()
	return want, over || r.err != nil
}

// interrupted keeps more from beginning, and is over when all that was being sent has an answer
// or none. That is sent once: the next run asks again.
func (r *runner) interrupted() (want []kernel.Intent, over bool) {
	r.err = r.ctx.Err()
	if r.phase != acting {
		return nil, true
	}
	sending := make(map[state.OpID]bool)
	for _, op := range r.store.Ops.List() {
		if op.Phase == state.Sending && (r.awaited == nil || r.awaited[op.ID]) {
			sending[op.ID] = true
		}
	}
	first := r.awaited == nil
	r.awaited = sending
	if first && r.halt != nil {
		want = r.halt()
	}
	return want, len(sending) == 0 && len(want) == 0
}

func (r *runner) step() (want []kernel.Intent, over bool, err error) {
	switch r.phase {
	case opening:
		r.phase = reading
		if r.needs.bins {
			want = append(want, bins.Load{})
		}
		if r.needs.webhooks {
			want = append(want, webhooks.Load{})
		}
		if len(want) > 0 {
			return want, false, nil
		}
		return r.step()
	case reading:
		if ready, err := r.ready(); !ready || err != nil {
			return nil, false, err
		}
		return nil, false, r.ask()
	case asking:
		return r.answered()
	default:
		return r.next()
	}
}

// ready reports whether all is read that the intent rests on.
func (r *runner) ready() (bool, error) {
	if r.needs.wallet {
		src := r.store.Poll.Source(poll.Wallet)
		if src.Err == nil && !src.ShortTill.IsZero() {
			return false, errtext.LimitUsed(src.ShortTill.Sub(r.store.Now()))
		}
		if src.OKAt.IsZero() {
			return false, r.hopeless(src.Err)
		}
	}
	if r.needs.bins {
		if _, known, err := r.store.BINs.All(); !known {
			return false, err
		}
	}
	if r.needs.webhooks {
		if _, read, err := r.store.Webhooks.All(); read.IsZero() {
			return false, err
		}
	}
	return true, nil
}

// hopeless returns the error of a lane that is not worth waiting for.
func (r *runner) hopeless(err error) error {
	passes := errors.Is(err, api.ErrRateLimited) || errors.Is(err, api.ErrServer) || errors.Is(err, api.ErrUnreachable)
	if err == nil || passes && r.cfg.Now().Sub(r.began) < patience {
		return nil
	}
	return err
}

// ask has the proposal confirmed, beside the loop.
func (r *runner) ask() error {
	p, err := r.propose()
	if err != nil {
		return err
	}
	r.phase, r.answer = asking, nil
	go func() {
		yes, err := r.cfg.Confirm(r.ctx, p)
		r.mu.Lock()
		r.answer = &answer{yes, err}
		r.mu.Unlock()
		r.rouse()
	}()
	return nil
}

// answered begins what was confirmed.
func (r *runner) answered() (want []kernel.Intent, over bool, err error) {
	r.mu.Lock()
	a := r.answer
	r.mu.Unlock()
	switch {
	case a == nil:
		return nil, false, nil
	case r.ctx.Err() != nil:
		return nil, false, r.ctx.Err()
	case a.err != nil:
		return nil, false, a.err
	case !a.yes:
		return nil, false, ErrNotConfirmed
	}
	r.phase = acting
	want, err = r.begin()
	return want, false, err
}

// refused returns why an intent cannot be done now; nil when it can.
func (r *runner) refused(in kernel.Intent) error {
	if v := r.store.Check(in); v.Reason != "" {
		return &RefusedError{v.Reason, v.Remedy}
	}
	return nil
}

func (r *runner) tell(line string) {
	if r.cfg.Tell != nil {
		r.cfg.Tell(line)
	}
}
