package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// maxWait bounds how long Run sleeps: the sandbox's clock may run apart from the
// timers' one.
const maxWait = unit.Minute

// Run simulates traffic unless the sandbox is quiet, runs scheduled jobs and
// delivers webhooks until ctx is done. It is called once and returns nil; errors are
// logged and retried.
func (s *Server) Run(ctx context.Context) error {
	var running sync.WaitGroup
	mail := make(chan struct{}, 1)
	running.Go(func() { s.deliver(ctx, mail) })
	traffic := s.newTraffic(s.clock.Now())
	for ctx.Err() == nil {
		next, err := s.catchUp(ctx)
		if err == nil && !s.quiet {
			var soon unit.Instant
			soon, err = traffic.step(ctx, s.clock.Now())
			next = min(next, soon)
		}
		if err != nil {
			if ctx.Err() == nil {
				s.log.LogAttrs(ctx, slog.LevelError, "world stalled", slog.Any("error", err))
			}
			next = s.clock.Now() + unit.Second
		}
		select {
		case mail <- struct{}{}:
		default:
		}
		timer := time.NewTimer(time.Duration(max(1, min(next-s.clock.Now(), maxWait))) * time.Millisecond)
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-timer.C:
		}
		timer.Stop()
	}
	running.Wait()
	return nil
}

// The kinds of jobs.
const (
	jobSettle   = "settle"   // an authorization, for an amount
	jobRelease  = "release"  // an authorization without a settlement
	jobRefund   = "refund"   // a settlement, for an amount
	jobComplete = "complete" // a challenge
	jobExpire   = "expire"   // a challenge
	jobBlock    = "block"    // a deposit gains a confirmation
)

type job struct {
	seq    int64
	due    unit.Instant
	kind   string
	object int64
	amount unit.Cents
}

// schedule adds a job about the row object.
func (c *change) schedule(ctx context.Context, due unit.Instant, kind string, object int64, amount unit.Cents) error {
	_, err := c.tx.ExecContext(ctx, `INSERT INTO jobs (due, kind, object, amount) VALUES (?, ?, ?, ?)`, due, kind, object, amount)
	if err != nil {
		return fmt.Errorf("schedule %s: %w", kind, err)
	}
	c.wake = true
	return nil
}

func (c *change) cancel(ctx context.Context, kind string, object int64) error {
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM jobs WHERE kind = ? AND object = ?`, kind, object); err != nil {
		return fmt.Errorf("cancel %s: %w", kind, err)
	}
	return nil
}

// catchUp runs every job that is due, each at its own time, and returns when the
// next one is due; [unit.Forever] without one.
func (s *Server) catchUp(ctx context.Context) (next unit.Instant, err error) {
	for {
		var j job
		row := s.db.Reader.QueryRowContext(ctx, `SELECT seq, due, kind, object, amount FROM jobs ORDER BY due, seq LIMIT 1`)
		err := row.Scan(&j.seq, &j.due, &j.kind, &j.object, &j.amount)
		if errors.Is(err, sql.ErrNoRows) {
			return unit.Forever, nil
		}
		if err != nil {
			return 0, fmt.Errorf("read jobs: %w", err)
		}
		if j.due > s.clock.Now() {
			return j.due, nil
		}
		if err := s.runJob(ctx, j); err != nil {
			return 0, err
		}
	}
}

// runJob runs one job and removes it, unless it was cancelled meanwhile. A job that
// the current state refuses is removed too.
func (s *Server) runJob(ctx context.Context, j job) error {
	run := func(act bool) error {
		return s.writeAt(ctx, j.due, func(ctx context.Context, c *change) error {
			result, err := c.tx.ExecContext(ctx, `DELETE FROM jobs WHERE seq = ?`, j.seq)
			if err != nil {
				return fmt.Errorf("take job: %w", err)
			}
			if n, err := result.RowsAffected(); err != nil || n == 0 || !act {
				return err
			}
			return c.do(ctx, j)
		})
	}
	err := run(true)
	if refused := (*wire.Error)(nil); errors.As(err, &refused) {
		return run(false)
	}
	return err
}

func (c *change) do(ctx context.Context, j job) error {
	switch j.kind {
	case jobSettle:
		return c.doSettle(ctx, j)
	case jobRelease:
		return c.doRelease(ctx, j)
	case jobRefund:
		return c.doRefund(ctx, j)
	case jobComplete, jobExpire:
		return c.doEndChallenge(ctx, j)
	case jobBlock:
		return c.doBlock(ctx, j)
	}
	return fmt.Errorf("do job: unknown kind %q", j.kind)
}
