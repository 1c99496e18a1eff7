package act

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/errtext"
	"github.com/cardtop/cardtop/state/kernel"
)

// needs returns what an intent rests on.
func needs(in kernel.Intent) rests {
	switch in := in.(type) {
	case state.Write:
		limits := kernel.OrZero(in.Change).SpendingLimit != nil
		return rests{wallet: in.Kind.FromWallet() || in.Kind == state.OpWithdraw, bins: in.Kind == state.OpIssue || limits}
	case state.DeleteWebhook:
		return rests{webhooks: true}
	case state.Writes:
		return rests{wallet: in.Kind.Danger() >= kernel.Money, bins: in.Kind == state.BulkIssue || in.Kind == state.BulkLimit}
	default:
		return rests{}
	}
}

// Rehearse checks an intent as One does and returns what it would send.
func Rehearse(ctx context.Context, cfg Config, in kernel.Intent) (Request, error) {
	r := newRunner(cfg, needs(in))
	var req Request
	r.propose = func() (Proposal, error) {
		if err := r.refused(in); err != nil {
			return Proposal{}, err
		}
		req.Method, req.Path, req.Body = r.store.Request(in)
		return Proposal{}, errRehearsed
	}
	return req, rehearsed(r.run(ctx))
}

// errRehearsed ends a run that sends nothing.
var errRehearsed = errors.New("rehearsed")

func rehearsed(err error) error {
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// One carries one intent out. Its error is why nothing was sent; what became of
// what was sent is the result's.
func One(ctx context.Context, cfg Config, in kernel.Intent) (Result, error) {
	r := newRunner(cfg, needs(in))
	r.propose = func() (Proposal, error) {
		if err := r.refused(in); err != nil {
			return Proposal{}, err
		}
		p := Proposal{Intent: in, Verdict: r.store.Check(in)}
		if preview, ok := r.store.Preview(in); ok {
			p.Preview = &preview
		}
		return p, nil
	}
	r.begin = func() ([]kernel.Intent, error) { return []kernel.Intent{in}, r.refused(in) }
	return r.result(ctx, func() api.IdempotencyKey { return r.minted })
}

// Continue waits for the outcome of an operation that an earlier run left
// without an answer: it is among the pending ones.
func Continue(ctx context.Context, cfg Config, key api.IdempotencyKey) (Result, error) {
	r := newRunner(cfg, rests{})
	r.phase = acting
	return r.result(ctx, func() api.IdempotencyKey { return key })
}

// ContinueAll waits for the outcomes of the operations that are pending, or until nobody can
// know them.
func ContinueAll(ctx context.Context, cfg Config) error {
	r := newRunner(cfg, rests{})
	r.phase = acting
	r.next = func() ([]kernel.Intent, bool, error) {
		for _, op := range r.store.Ops.List() {
			if op.Phase != state.Unsettled {
				return nil, false, nil
			}
		}
		return nil, true, nil
	}
	return r.run(ctx)
}

// result runs until the outcome of an operation is known, or nobody can know it.
func (r *runner) result(ctx context.Context, key func() api.IdempotencyKey) (Result, error) {
	var res Result
	asked := false
	r.next = func() ([]kernel.Intent, bool, error) {
		op, open := r.find(key())
		if open {
			res.Op = op
		}
		if open && op.Phase == state.Unknown && !asked {
			asked = true
			r.tell("no answer yet: asking again with the same idempotency key")
		}
		return nil, !open || op.Phase == state.Unsettled, nil
	}
	err := r.run(ctx)
	r.mu.Lock()
	ev, sent := r.last[key()]
	r.mu.Unlock()
	switch _, open := r.find(key()); {
	case err != nil && !sent:
		return res, err
	case !sent && !open:
		return res, &RefusedError{Reason: "nothing was sent: it was refused when it was to begin"}
	}
	res.Key = key()
	r.judge(&res, ev)
	return res, nil
}

// judge says what the latest event of an operation means.
func (r *runner) judge(res *Result, ev kernel.Event) {
	_, open := r.find(res.Key)
	switch ev := ev.(type) {
	case state.OpDone:
		res.Status, res.Done = state.OpStatusDone, ev
	case state.Deferred:
		res.Status, res.Err = state.OpStatusNotSent, errtext.LimitUsed(ev.Wait)
	case state.OpFailed:
		res.Status, res.Err = state.OpStatusRefused, ev.Err
		var answered *api.Error
		switch {
		case ev.NotSent && !open, errors.As(ev.Err, &answered) && answered.Status == 0 && res.Op.Outcome(ev.Err) == api.Refused && !open:
			res.Status = state.OpStatusNotSent
		case open || res.Op.Outcome(ev.Err) != api.Refused:
			res.Status = state.OpStatusUnknown
		}
	default:
		res.Status, res.Err = state.OpStatusUnknown, fmt.Errorf("it was begun %s and not answered", res.Op.At.Local().Format("2006-01-02 15:04:05"))
	}
}

// find finds an operation under way by its key.
func (r *runner) find(key api.IdempotencyKey) (state.Op, bool) {
	for _, op := range r.store.Ops.List() {
		if op.Key == key && key != "" {
			return op, true
		}
	}
	return state.Op{}, false
}

// readFor bounds how long what shows whether an operation acted is waited for.
const readFor = 15 * time.Second

// Settle settles an operation that an earlier run left without an answer: by
// asking again with its key while that is safe, else as the user says. Without
// their word it returns what was read since, which shows whether it acted: the cards that an
// issue may have made are among what is known. Their word has to be recorded; where it cannot
// be, that is the error, and the operation stays open.
func Settle(ctx context.Context, cfg Config, key api.IdempotencyKey, happened *bool) (Result, state.Evidence, error) {
	r := newRunner(cfg, rests{wallet: true})
	r.phase = acting
	var (
		res   = Result{Key: key}
		e     state.Evidence
		asked time.Time
		ruled bool
	)
	r.next = func() (want []kernel.Intent, over bool, err error) {
		op, open := r.find(key)
		if open {
			res.Op = op
		}
		switch {
		case !open || ruled:
			return nil, true, nil
		case op.Phase != state.Unsettled:
			return nil, false, nil
		case happened != nil:
			ruled = true
			return []kernel.Intent{state.Resolve{Op: op.ID, Happened: *happened}}, false, r.refused(state.Resolve{Op: op.ID, Happened: *happened})
		case asked.IsZero():
			asked = r.cfg.Now()
			return []kernel.Intent{state.ReadAgain{Op: op.ID}}, false, nil
		}
		e, _ = r.store.Ops.Evidence(op.ID)
		read := (!e.CardAt.IsZero() || op.Kind == state.OpIssue) && !e.WalletAt.IsZero() || !e.WebhooksAt.IsZero()
		return nil, read || r.cfg.Now().Sub(asked) > readFor, nil
	}
	err := r.run(ctx)
	r.mu.Lock()
	ev, forgotten := r.last[key], r.forgotten
	r.mu.Unlock()
	if err != nil && ev == nil {
		return res, e, err
	}
	if forgotten.Err != nil {
		return res, e, fmt.Errorf("it stays open, that cannot be recorded: %w", forgotten.Err)
	}
	r.judge(&res, ev)
	if ruled {
		res.Status, res.Err = state.OpStatusResolvedNotDone, nil
		if *happened {
			res.Status = state.OpStatusResolvedDone
		}
	}
	return res, e, nil
}
