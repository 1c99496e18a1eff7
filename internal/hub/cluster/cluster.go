// Package cluster runs one hub of several. One leads: it polls, receives and writes.
// The others serve from what the leader publishes, and pass writes to it.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
)

// Config is what a hub needs to take part.
type Config struct {
	Lease lease.Config
	Log   oplog.Stream
	// Logger is told why a term ended.
	Logger *slog.Logger
	// Now is this machine's clock. It says only which operations are old enough to be
	// removed.
	Now func() time.Time
}

const (
	trimEvery = 10 * time.Second
	// settledFor is how long settled operations are kept at least: guardrails count those
	// of a day.
	settledFor = 25 * time.Hour
	giveBack   = time.Second // for giving back the lease
	retry      = time.Second // after a term that could not begin
)

// Run takes part until ctx ends: whenever this hub has the lease and has read the log,
// it calls lead, whose context ends with the lease. What lead does outside the
// service, it may go on with until it returns; until then no next term begins here.
func Run(ctx context.Context, cfg Config, lead func(context.Context, *Term) error) error {
	for {
		held, err := lease.Acquire(ctx, cfg.Lease)
		if err != nil {
			return err
		}
		err = term(ctx, cfg, held, lead)
		give, cancel := context.WithTimeout(context.WithoutCancel(ctx), giveBack)
		err = errors.Join(err, held.Release(give))
		cancel()
		cfg.Logger.Info("the term as leader is over", slog.Uint64("lease", held.Number()), slog.Any("error", errors.Join(held.Err(), err)))
		if err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(retry):
		}
	}
}

// term reads the log and leads until the lease ends.
func term(ctx context.Context, cfg Config, held *lease.Lease, lead func(context.Context, *Term) error) error {
	ctx, cancel := whileHeld(ctx, held)
	defer cancel()
	log, err := oplog.Open(ctx, cfg.Log, held)
	if err != nil {
		return err
	}
	go trim(ctx, log, cfg)
	if err := lead(ctx, &Term{Lease: held, Log: log}); err != nil && ctx.Err() == nil {
		return fmt.Errorf("lead: %w", err)
	}
	return nil
}

// whileHeld returns a context that ends with the lease.
func whileHeld(ctx context.Context, held *lease.Lease) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-held.Lost():
			cancel(held.Err())
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(context.Canceled) }
}

func trim(ctx context.Context, log *oplog.Log, cfg Config) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(trimEvery):
		}
		if err := log.Trim(ctx, cfg.Now().Add(-settledFor)); err != nil && ctx.Err() == nil {
			cfg.Logger.Warn("the operations log was not trimmed", slog.Any("error", err))
		}
	}
}

// Term is the time in which this hub leads.
type Term struct {
	Lease *lease.Lease
	Log   *oplog.Log
}

// Answer is what became of a try at the service.
type Answer struct {
	// State is oplog.Done, oplog.Refused or oplog.Unknown.
	State oplog.State
	// RequestID is the service's.
	RequestID api.Text
}

// Send is one try at the service. Its context ends with the lease. An answer that did
// not come is Unknown.
type Send func(context.Context, oplog.Record) Answer

// Do stores an operation in the log, sends it once and stores the answer. Refused with
// an error is certainly not sent. Unknown with an error may have been, or may be by
// another hub: it is asked for again under the same key, where oplog.ErrFenced or
// oplog.ErrLeaseOver says that this hub leads no more at the one that does. An answer
// with an error is right, but the next leader sends the operation again, under its key.
func (t *Term) Do(ctx context.Context, op oplog.Op, send Send) (Answer, error) {
	err := t.Log.Begin(ctx, op)
	if errors.Is(err, oplog.ErrSettled) {
		r, _ := t.Log.Find(op.Key)
		return Answer{State: r.State, RequestID: r.RequestID}, nil
	}
	return t.sent(ctx, op.Key, err, send)
}

// Settle settles what earlier leaders left: what was never sent is refused, anything
// else is sent again under its key. It returns the first failure after it has tried
// all.
func (t *Term) Settle(ctx context.Context, send Send) error {
	var errs error
	for _, r := range t.Log.Unsettled() {
		if t.Lease.Left() == 0 {
			return errors.Join(errs, oplog.ErrLeaseOver)
		}
		var err error
		if r.State == oplog.Prepared {
			err = t.Log.End(ctx, r.Op.Key, oplog.Refused, "")
		} else {
			_, err = t.sent(ctx, r.Op.Key, t.Log.Send(ctx, r.Op.Key), send)
		}
		errs = errors.Join(errs, err)
	}
	return errs
}

// sent sends an operation that the log has as sent, and stores the answer.
func (t *Term) sent(ctx context.Context, key api.IdempotencyKey, err error, send Send) (Answer, error) {
	if err != nil {
		return Answer{State: t.doubt(key, err)}, err
	}
	r, _ := t.Log.Find(key)
	sending, cancel := whileHeld(ctx, t.Lease)
	defer cancel()
	// The log took its time: the lease is asked last.
	if t.Lease.Left() == 0 {
		return Answer{State: oplog.Unknown}, oplog.ErrLeaseOver
	}
	answer := send(sending, r)
	if err := t.Log.End(ctx, key, answer.State, answer.RequestID); err != nil {
		return answer, err
	}
	return answer, nil
}

// doubt is what is known of an operation that this hub did not send now: Refused only
// when no hub has, and none will.
func (t *Term) doubt(key api.IdempotencyKey, err error) oplog.State {
	if errors.Is(err, oplog.ErrFenced) || errors.Is(err, oplog.ErrUnsure) || errors.Is(err, oplog.ErrLeaseOver) {
		return oplog.Unknown
	}
	if r, ok := t.Log.Find(key); ok && r.Tries > 0 {
		return oplog.Unknown
	}
	return oplog.Refused
}
