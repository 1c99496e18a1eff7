package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sim"
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
// next one is due; unit.MaxCents stands for never.
func (s *Server) catchUp(ctx context.Context) (next unit.Instant, err error) {
	for {
		var j job
		row := s.db.Reader.QueryRowContext(ctx, `SELECT seq, due, kind, object, amount FROM jobs ORDER BY due, seq LIMIT 1`)
		err := row.Scan(&j.seq, &j.due, &j.kind, &j.object, &j.amount)
		if errors.Is(err, sql.ErrNoRows) {
			return unit.Instant(unit.MaxCents), nil
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

// openHold returns the hold of an authorization, with its card and purchase.
func (c *change) openHold(ctx context.Context, auth int64) (k *sim.Card, p sim.Purchase, h hold, err error) {
	var cardSeq, merchantSeq int64
	row := c.tx.QueryRowContext(ctx, `SELECT card, merchant, amount FROM holds WHERE auth = ?`, auth)
	if err = row.Scan(&cardSeq, &merchantSeq, &h.amount); err != nil {
		if errors.Is(err, sql.ErrNoRows) {
			err = wire.NotFound("authorization")
		}
		return nil, p, h, err
	}
	h.auth, p.Amount = auth, h.amount
	if k, err = cardAt(ctx, c.tx, cardSeq); err != nil {
		return nil, p, h, err
	}
	p.Merchant, err = merchantAt(ctx, c.tx, merchantSeq)
	return k, p, h, err
}

// doSettle settles an authorization for as much of the amount as the card allows. On
// a frozen card it is tried again in an hour; when nothing can be settled the hold is
// released.
func (c *change) doSettle(ctx context.Context, j job) error {
	k, p, h, err := c.openHold(ctx, j.object)
	if err != nil {
		return err
	}
	if k.Status == sim.CardFrozen {
		return c.schedule(ctx, c.now+unit.Hour, jobSettle, j.object, j.amount)
	}
	free := k.Held - h.amount
	p.Amount = min(j.amount, k.Balance-free, k.Limit-k.SpentIn(c.now)-free, sim.BINOf(k.BIN).MaxTransaction)
	if p.Amount <= 0 || k.DeclineReason(p, c.now, h.amount) != "" {
		return c.releaseHold(ctx, k, h)
	}
	t, err := c.settle(ctx, k, p, h)
	if err != nil {
		return err
	}
	if sum := c.s.world.Digest("refund", t.seq); sum[0] < 10 && !c.s.quiet {
		amount := max(1, p.Amount*unit.Cents(1+sum[1]%4)/4)
		return c.schedule(ctx, c.now+unit.Minute+unit.Instant(sum[2])*unit.Second, jobRefund, t.seq, amount)
	}
	return nil
}

// resumeSettlements makes the settlements of an unfrozen card due.
func (c *change) resumeSettlements(ctx context.Context, k *sim.Card) error {
	_, err := c.tx.ExecContext(ctx, `UPDATE jobs SET due = min(due, ?) WHERE kind = ?
		AND object IN (SELECT auth FROM holds WHERE card = ?)`, c.now+unit.Second, jobSettle, k.Seq)
	if err != nil {
		return fmt.Errorf("resume settlements: %w", err)
	}
	c.wake = true
	return nil
}

func (c *change) doRelease(ctx context.Context, j job) error {
	k, _, h, err := c.openHold(ctx, j.object)
	if err != nil {
		return err
	}
	return c.releaseHold(ctx, k, h)
}

func (c *change) releaseHold(ctx context.Context, k *sim.Card, h hold) error {
	before := *k
	if err := c.release(ctx, k, h); err != nil {
		return err
	}
	return c.updateCard(ctx, before, k)
}

func (c *change) doRefund(ctx context.Context, j job) error {
	var t txnRow
	err := t.scan(c.tx.QueryRowContext(ctx,
		txnSelect+`transactions t JOIN merchants m ON m.id = t.merchant WHERE t.seq = ?`, j.object))
	if err != nil {
		return err
	}
	k, err := cardAt(ctx, c.tx, t.card)
	if err != nil {
		return err
	}
	_, err = c.refund(ctx, k, sim.Purchase{Amount: min(j.amount, k.Spent), Merchant: t.merchant}, t.root)
	return err
}

func (c *change) doEndChallenge(ctx context.Context, j job) error {
	// At time 0 it cannot be expired by time: the stored state decides here.
	h, err := challengeAt(ctx, c.tx, j.object, 0)
	if err != nil {
		return err
	}
	if h.status != statusPending {
		return nil
	}
	if j.kind == jobExpire {
		_, err := c.expireChallenge(ctx, h)
		return err
	}
	t, err := c.completeChallenge(ctx, h)
	if err != nil || t.kind != sim.TxnAuthorization || c.s.quiet {
		return err
	}
	return c.schedule(ctx, c.now+10*unit.Second, jobSettle, t.seq, t.amount)
}

// doBlock adds one confirmation to a pending deposit.
func (c *change) doBlock(ctx context.Context, j job) error {
	d, err := c.depositAt(ctx, j.object)
	if err != nil || d.status != statusPending {
		return err
	}
	coin := sim.CurrencyOf(d.currency)
	if d.confirmations++; d.confirmations >= coin.Confirmations {
		return c.confirmDeposit(ctx, d)
	}
	if err := c.saveDeposit(ctx, d); err != nil {
		return err
	}
	return c.schedule(ctx, c.now+coin.Block, jobBlock, j.object, 0)
}
