package hub

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub/once"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/codes"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/push"
	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/state/webhooks"
)

// answered are outcomes that the store has not merged yet: who asked is told when it
// has, so that what they read next shows it.
type answered struct {
	mu   sync.Mutex
	list []outcomeOf
	// leased are the leases of operations under way.
	leased map[api.IdempotencyKey]api.CardID
}

type outcomeOf struct {
	key api.IdempotencyKey
	once.Outcome
}

// hotOrder is the order of the cards used last, as the service told it.
type hotOrder struct{ ids atomic.Pointer[[]api.CardID] }

// errStopped is that the hub ends.
var errStopped = refuse(503, "unavailable", "the hub is stopping")

// read calls a function with the store, on the goroutine that owns it.
func (s *Server) read(ctx context.Context, use func(*state.Store)) error {
	return s.call(ctx, func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		use(st)
		return 0, nil
	})
}

func (s *Server) call(ctx context.Context, use func(*state.Store) (kernel.Topic, []kernel.Effect)) error {
	done := make(chan struct{})
	call := func(st *state.Store) (kernel.Topic, []kernel.Effect) {
		defer close(done)
		return use(st)
	}
	select {
	case s.calls <- call:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopped:
		return errStopped
	}
	<-done // The loop runs what it has taken, also when it ends.
	return nil
}

// waiter waits for a state of the store.
type waiter struct {
	ctx  context.Context //nolint:containedctx // It ends with the request that waits.
	over func(*state.Store) bool
	done chan struct{}
}

// until returns when something is so in the store.
func (s *Server) until(ctx context.Context, over func(*state.Store) bool) error {
	w := waiter{ctx, over, make(chan struct{})}
	if err := s.read(ctx, func(st *state.Store) { s.waiting = append(s.waiting, w); s.wake(st) }); err != nil {
		return err
	}
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.stopped:
		return errStopped
	}
}

// wake ends the waits that are over.
func (s *Server) wake(st *state.Store) {
	s.waiting = slices.DeleteFunc(s.waiting, func(w waiter) bool {
		over := w.over(st)
		if over {
			close(w.done)
		}
		return over || w.ctx.Err() != nil
	})
}

// restored returns when what an earlier run stored is there again: what is stored before that
// would be lost.
func (s *Server) restored(ctx context.Context) error { return s.read(ctx, func(*state.Store) {}) }

// patience bounds the wait for lists that were not read yet; a client waits 5 s.
const patience = 4 * time.Second

// waitReady returns when the lists were read once.
func (s *Server) waitReady(ctx context.Context) error {
	select {
	case <-s.ready:
		return nil
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case <-s.ready:
		return nil
	case <-s.stopped:
		return errStopped
	case <-ctx.Done():
		e := refuse(503, "unavailable", "the hub has not read the account yet")
		e.retryAfter = time.Second
		return e
	}
}

// do runs an effect of the store.
func (s *Server) do(ctx context.Context, effect kernel.Effect) kernel.Event {
	if s.reader() {
		return s.cfg.Several.Do(ctx, effect)
	}
	switch e := effect.(type) {
	case secrets.HoldSigning:
		e.Secret.Wipe() // It is in the answer to who asked for it.
		return nil
	case secrets.HoldDetails:
		e.Details.Wipe()
		return nil
	case webhooks.WipeSigning, secrets.WipeDetails, state.ShowRequest:
		return nil
	case codes.FetchOne:
		if ev, ended := s.fetchEnded(ctx, e); ended {
			return ev
		}
	default:
	}
	ev := s.cfg.Engine.Run(ctx, effect)
	if op, ok := effect.(state.Do); ok {
		if o, ok := outcome(op.Op, ev); ok {
			s.answered.mu.Lock()
			s.answered.list = append(s.answered.list, outcomeOf{op.Op.Key, o})
			s.answered.mu.Unlock()
		}
	}
	if f, ok := effect.(state.Forget); ok {
		if forgotten, ok := ev.(state.OpForgotten); ok && forgotten.Err != nil {
			s.cfg.Tell("an operation that was settled is open again after a restart, that cannot be recorded: " + forgotten.Err.Error())
		}
		s.settleRead(f)
	}
	if page, ok := ev.(state.CardsLoaded); ok && page.Hot && page.Page == 1 {
		ids := make([]api.CardID, 0, len(page.Items))
		for _, item := range page.Items {
			ids = append(ids, item.ID)
		}
		s.hot.ids.Store(&ids)
		s.pages.changed()
	}
	return ev
}

// settleRead tells whoever asks for a write again what was read of it since. What a person
// settled is told by then.
func (s *Server) settleRead(f state.Forget) {
	if f.Status != state.OpStatusResolvedDone && f.Status != state.OpStatusResolvedNotDone {
		return
	}
	var told *settledError
	if entry, ok := s.writes.Find(f.Op.Key); ok {
		if o, _ := entry.Ended(); errors.As(o.Err, &told) {
			return
		}
	}
	s.writes.Settle(f.Op.Key, once.Outcome{Unknown: true, Err: &settledError{done: f.Status == state.OpStatusResolvedDone}})
}

// outcome is what an event says of an operation.
func outcome(op state.Op, ev kernel.Event) (once.Outcome, bool) {
	switch ev := ev.(type) {
	case state.OpDone:
		o := once.Outcome{Status: ev.HTTPStatus, Body: ev.Answer}
		if ev.Record != nil {
			o.RequestID = ev.Record.RequestID
		}
		return o, true
	case state.OpFailed:
		unknown := op.Outcome(ev.Err) == api.Unknown
		if ev.NotSent {
			unknown = op.Tries > 1
		}
		return once.Outcome{Err: ev.Err, Unknown: unknown}, true
	case state.Deferred:
		return once.Outcome{Wait: ev.Wait, Unknown: op.Tries > 1}, true
	default:
		return once.Outcome{}, false
	}
}

// changed follows a change of the store, on the goroutine that owns it.
func (s *Server) changed(st *state.Store, topics kernel.Topic) {
	s.pages.changed()
	s.texts.keep(st.Codes.All())
	if _, complete := st.Cards.Total(); complete && readOnce(st) {
		s.isReady.Do(func() { close(s.ready) })
		s.claims.keep(st) // Before, a code that is not there is one that was not read.
	}
	s.wake(st)
	s.settle(st)
	s.tellLink(st)
	s.tellPush(st)
	s.streams.tell(s, st, topics)
	s.follow(st, topics)
}

// readOnce reports whether each list was read.
func readOnce(st *state.Store) bool {
	return !slices.ContainsFunc([]poll.Lane{poll.Codes, poll.Wallet, poll.Feed, poll.Hot, poll.Deposits}, func(lane poll.Lane) bool {
		return st.Poll.OKAt(lane).IsZero()
	})
}

// settle tells who asked what came of their operations, and lets leases go.
func (s *Server) settle(st *state.Store) {
	s.answered.mu.Lock()
	defer s.answered.mu.Unlock()
	if len(s.answered.list) == 0 && len(s.answered.leased) == 0 {
		return
	}
	phases := make(map[api.IdempotencyKey]state.Phase)
	for _, op := range st.Ops.List() {
		phases[op.Key] = op.Phase
	}
	s.answered.list = slices.DeleteFunc(s.answered.list, func(o outcomeOf) bool {
		phase, underWay := phases[o.key]
		if underWay && (o.Err == nil && o.Wait == 0 || phase == state.Sending) {
			return false // It is not merged yet.
		}
		s.cache.forget()
		s.writes.Settle(o.key, o.Outcome)
		if undone(o.Outcome) {
			go s.returnUndone(o.key) // It is stored: this goroutine does not wait for that.
		}
		return true
	})
	for key, card := range s.answered.leased {
		if _, underWay := phases[key]; !underWay {
			delete(s.answered.leased, key)
			s.cfg.Leases.Release(card, key)
		}
	}
}

// adopt makes known an operation that an earlier run left.
func (s *Server) adopt(op state.Op) {
	var body []byte
	if op.Write != nil && !op.Write.Sensitive {
		body = append([]byte{}, op.Write.Body...)
	}
	s.writes.Adopt(op.Key, body, errUnconfirmed)
}

var errUnconfirmed = errors.New("asked for before the hub was restarted, and not confirmed yet")

// guardWhy returns why the guardrails refuse, empty when it is not they.
func guardWhy(err error) string {
	var g *engine.GuardError
	if errors.As(err, &g) {
		return g.Why
	}
	return ""
}

// tellLink prints when the service starts or stops answering.
func (s *Server) tellLink(st *state.Store) {
	text := ""
	switch h := st.Poll.Health(); h.Link {
	case kernel.Live:
		text = "the API answers"
	case kernel.Offline, kernel.Limited, kernel.KeyRefused:
		text = h.Text
	default:
		return // Not known yet.
	}
	if text != s.link {
		s.link = text
		s.cfg.Tell(text)
	}
}

// tellPush prints when webhooks start or stop to arrive. People see it by nothing: what
// they read is as old as its Age says.
func (s *Server) tellPush(st *state.Store) {
	text := ""
	switch now, why := st.Push.Status(); now {
	case push.On:
		text = "push: webhooks arrive"
	case push.Lost:
		text = "no push, polling: " + why
	default:
		return // Not asked for, or not known yet.
	}
	if text != s.pushed {
		s.pushed = text
		s.cfg.Tell(text)
	}
}
