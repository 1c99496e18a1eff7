// Package loop runs a store without a screen: it runs the due effects
// and applies their events, one at a time. The screen has a loop of its
// own; commands and simulations use this one.
package loop

import (
	"context"
	"sync"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
)

// beat is the longest pause between two ticks: what time ends, such as a code,
// ends within it.
const beat = time.Second

// Config is what a loop is made of.
type Config struct {
	Store *state.Store
	// Do runs an effect to its event. It blocks and is called from several
	// goroutines at once; it returns soon after the context ends, but for a write that is
	// being sent: that has its outcome first.
	Do func(context.Context, kernel.Effect) kernel.Event
	// Changed is called after each change with the parts that changed, from
	// the one goroutine that owns the store. It returns intents to dispatch
	// and whether to stop.
	Changed func(kernel.Topic) (want []kernel.Intent, over bool)
	// Now is this machine's clock.
	Now func() time.Time
	// Wake has Changed called for something that is not in the store, such as an
	// answer of the user. The store has the time of then. Nil is never.
	Wake <-chan struct{}
	// Calls run on the goroutine that owns the store, which has the time of the last
	// tick. They return what changed and the effects that follow. Nil is never.
	Calls <-chan Call
	// Events are applied beside those of effects, such as webhooks that came. Nil is
	// none.
	Events <-chan kernel.Event
}

// Call reads the store, or dispatches to it.
type Call func(*state.Store) (kernel.Topic, []kernel.Effect)

// Run keeps a store up to date until Changed stops it or the
// context ends, whose error it returns. Running effects are waited for. Writes that are
// being sent then are also applied, and Changed is called for them; no more are sent.
func Run(ctx context.Context, cfg Config) error {
	ctx, cancel := context.WithCancel(ctx)
	l := &loop{cfg: cfg, events: make(chan kernel.Event), ended: make(chan struct{})}
	defer l.wg.Wait()
	defer l.drain(ctx)
	defer cancel()
	for {
		ticked := cfg.Now()
		topics, effects := cfg.Store.Tick(ticked)
		if l.settle(ctx, topics, effects) {
			return nil
		}
		over, err := l.rest(ctx, ticked.Add(beat))
		if over || err != nil {
			return err
		}
	}
}

type loop struct {
	cfg    Config
	events chan kernel.Event
	ended  chan struct{} // closed when no event is applied any more
	wg     sync.WaitGroup
	writes int // being sent
	over   bool
}

// drain applies the outcomes of the writes that are being sent, unless Changed stopped it.
func (l *loop) drain(ctx context.Context) {
	defer close(l.ended)
	for l.writes > 0 && !l.over {
		ev := <-l.events
		topics, effects := l.take(ev)
		l.start(ctx, effects)
		if topics != 0 {
			_, l.over = l.cfg.Changed(topics)
		}
	}
}

// take applies an event.
func (l *loop) take(ev kernel.Event) (kernel.Topic, []kernel.Effect) {
	if s, ok := ev.(sent); ok {
		l.writes--
		if ev = s.Event; ev == nil {
			return 0, nil
		}
	}
	return l.cfg.Store.Apply(ev)
}

// sent is the event of a write.
type sent struct{ kernel.Event }

// rest applies events until the next tick is due, at the latest at the end of
// the beat.
func (l *loop) rest(ctx context.Context, next time.Time) (over bool, err error) {
	for {
		now := l.cfg.Now()
		if due := l.cfg.Store.NextWake(); !due.IsZero() && due.Before(next) {
			next = due
		}
		if !next.After(now) {
			return false, ctx.Err()
		}
		timer := time.NewTimer(next.Sub(now))
		select {
		case <-ctx.Done():
			timer.Stop()
			return false, ctx.Err()
		case <-timer.C:
			return false, nil
		case ev := <-l.events:
			timer.Stop()
			if l.apply(ctx, ev) {
				return true, nil
			}
		case ev := <-l.cfg.Events:
			timer.Stop()
			if l.apply(ctx, ev) {
				return true, nil
			}
		case call := <-l.cfg.Calls:
			timer.Stop()
			topics, effects := call(l.cfg.Store)
			if l.settle(ctx, topics, effects) {
				return true, nil
			}
		case <-l.cfg.Wake:
			timer.Stop()
			topics, effects := l.cfg.Store.Tick(l.cfg.Now())
			if l.settle(ctx, topics|kernel.TopicAll, effects) {
				return true, nil
			}
		}
	}
}

func (l *loop) apply(ctx context.Context, ev kernel.Event) (over bool) {
	topics, effects := l.take(ev)
	return l.settle(ctx, topics, effects)
}

// settle runs what follows from a change and calls Changed, until nothing
// follows.
func (l *loop) settle(ctx context.Context, topics kernel.Topic, effects []kernel.Effect) (over bool) {
	for {
		l.start(ctx, effects)
		if topics == 0 {
			return false
		}
		var want []kernel.Intent
		if want, l.over = l.cfg.Changed(topics); l.over || len(want) == 0 {
			return l.over
		}
		topics, effects = 0, nil
		for _, in := range want {
			t, e, err := l.cfg.Store.Dispatch(in)
			if err != nil {
				t |= l.cfg.Store.Notices.Say(kernel.Warn, err.Error())
			}
			topics, effects = topics|t, append(effects, e...)
		}
	}
}

// start runs effects. Once the context has ended no write is sent.
func (l *loop) start(ctx context.Context, effects []kernel.Effect) {
	for _, e := range effects {
		if _, writes := e.(state.Do); writes {
			l.send(ctx, e)
			continue
		}
		l.wg.Go(func() {
			ev := l.cfg.Do(ctx, e)
			if ev == nil {
				return
			}
			select {
			case l.events <- ev:
			case <-ctx.Done():
			}
		})
	}
}

// send runs a write.
func (l *loop) send(ctx context.Context, e kernel.Effect) {
	if ctx.Err() != nil {
		return
	}
	l.writes++
	l.wg.Go(func() {
		select {
		case l.events <- sent{l.cfg.Do(ctx, e)}:
		case <-l.ended:
		}
	})
}
