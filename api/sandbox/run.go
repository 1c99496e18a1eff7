package sandbox

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
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
		if err == nil {
			err = s.db.Tidy()
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
func (c *change) schedule(due unit.Instant, kind string, object int64, amount unit.Cents) {
	seq := c.next(func(b *books) *int64 { return &b.job })
	c.s.jobs.Insert(c.tx, job{seq, due, kind, object, amount})
	c.wake = true
}

// jobsOf returns the jobs of some kinds about a row.
func (s *Server) jobsOf(object int64, kinds ...string) (list []job) {
	for i := range s.jobs.Rows {
		if j := &s.jobs.Rows[i]; j.object == object && slices.Contains(kinds, j.kind) {
			list = append(list, *j)
		}
	}
	return list
}

func (c *change) cancel(object int64, kinds ...string) {
	for _, j := range c.s.jobsOf(object, kinds...) {
		c.s.jobs.Remove(c.tx, j)
	}
}

// replaceJob changes a job.
func (c *change) replaceJob(before, after job) {
	c.s.jobs.Remove(c.tx, before)
	c.s.jobs.Insert(c.tx, after)
}

// catchUp runs every job that is due, each at its own time, and returns when the
// next one is due; [unit.Forever] without one.
func (s *Server) catchUp(ctx context.Context) (next unit.Instant, err error) {
	for {
		var j job
		_ = s.db.View(func() error {
			if j.due = unit.Forever; len(s.jobs.Rows) > 0 {
				j = s.jobs.Rows[0]
			}
			return nil
		})
		if j.due == unit.Forever || j.due > s.clock.Now() {
			return j.due, nil
		}
		if err := s.runJob(ctx, j); err != nil {
			return 0, err
		}
	}
}

// runJob runs one job and removes it, unless it was changed or cancelled meanwhile. A
// job that the current state refuses is removed too.
func (s *Server) runJob(ctx context.Context, j job) error {
	run := func(act bool) error {
		return s.writeAt(ctx, j.due, func(c *change) error {
			if now := s.jobs.From(j); len(now) == 0 || now[0] != j {
				return nil
			}
			c.s.jobs.Remove(c.tx, j)
			if !act {
				return nil
			}
			return c.do(j)
		})
	}
	err := run(true)
	if refused := (*wire.Error)(nil); errors.As(err, &refused) {
		return run(false)
	}
	return err
}

func (c *change) do(j job) error {
	switch j.kind {
	case jobSettle:
		return c.doSettle(j)
	case jobRelease:
		return c.doRelease(j)
	case jobRefund:
		return c.doRefund(j)
	case jobComplete, jobExpire:
		return c.doEndChallenge(j)
	case jobBlock:
		return c.doBlock(j)
	}
	return fmt.Errorf("do job: unknown kind %q", j.kind)
}
