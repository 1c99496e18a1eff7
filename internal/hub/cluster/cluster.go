// Package cluster runs one hub of several. One leads: it polls, receives and writes.
// The others serve from what the leader publishes, and pass writes to it.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/oplog"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
	"github.com/cardtop/cardtop/internal/hub/cluster/replica"
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

// Bus is what several hubs share.
type Bus struct {
	Register lease.Register
	// Secret is where the signing secret of webhooks is; nil for nowhere.
	Secret lease.Register
	// Asked is where requests for approvals are; nil for nowhere.
	Asked     lease.Register
	Log       oplog.Stream
	Feed      replica.Feed
	Snapshots replica.Snapshots
	Line      pass.Line
}
