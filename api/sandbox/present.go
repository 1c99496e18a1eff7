package sandbox

import (
	"context"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// insertPresent stores what is under way when a world is opened: holds,
// challenges that wait for their code, and a deposit that gains confirmations.
// In a quiet world nothing of it goes on by itself.
func (c *change) insertPresent(ctx context.Context, h *sim.Past, p sim.Plan) error {
	if p.Cards == 0 {
		return nil
	}
	if err := c.insertHolds(ctx, h, p); err != nil {
		return err
	}
	if err := c.insertEndedChallenges(ctx); err != nil {
		return err
	}
	if err := c.insertOpenChallenges(ctx, h, p); err != nil {
		return err
	}
	return c.insertPendingDeposit(ctx, p)
}

// insertHolds reserves the amounts of the authorizations that are still open.
func (c *change) insertHolds(ctx context.Context, h *sim.Past, p sim.Plan) error {
	_, err := c.tx.ExecContext(ctx, `INSERT INTO holds (auth, card, merchant, amount)
		SELECT t.seq, t.card, t.merchant, t.amount FROM cards k JOIN transactions t ON t.seq =
			(SELECT max(seq) FROM transactions WHERE card = k.seq)
		WHERE k.held > 0 AND t.type = ?`, sim.TxnAuthorization)
	if err != nil {
		return fmt.Errorf("insert holds: %w", err)
	}
	if c.s.quiet {
		return nil
	}
	_, err = c.tx.ExecContext(ctx, `INSERT INTO jobs (due, kind, object, amount)
		SELECT ? + abs(auth * 7919 % ?), ?, auth, amount FROM holds`, h.End+unit.Second, unit.Minute, jobSettle)
	if err != nil {
		return fmt.Errorf("schedule settlements: %w", err)
	}
	return nil
}

// insertEndedChallenges stores the challenges of the latest purchases that had
// one.
func (c *change) insertEndedChallenges(ctx context.Context) error {
	_, err := c.tx.ExecContext(ctx, `INSERT INTO challenges (card, merchant, amount, otp, status, expires_at, created_at)
		SELECT card, merchant, amount, '', CASE three_ds WHEN ?1 THEN 'completed' ELSE 'expired' END,
			CASE three_ds WHEN ?1 THEN created_at - 30000 + ?3 ELSE created_at END,
			CASE three_ds WHEN ?1 THEN created_at - 30000 ELSE created_at - ?3 END AS start
		FROM (SELECT * FROM transactions WHERE three_ds > 0 AND type IN (?4, ?5) ORDER BY seq DESC LIMIT ?2)
		ORDER BY start`, sim.ChallengePassed, sim.SeededChallenges, codeLife, sim.TxnAuthorization, sim.TxnDecline)
	if err != nil {
		return fmt.Errorf("insert challenges: %w", err)
	}
	seqs, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt, `SELECT seq FROM challenges`)
	if err != nil {
		return err
	}
	for _, seq := range seqs {
		_, err := c.tx.ExecContext(ctx, `UPDATE challenges SET otp = ? WHERE seq = ?`, c.s.world.OTP(seq), seq)
		if err != nil {
			return fmt.Errorf("set code: %w", err)
		}
	}
	return nil
}

// insertOpenChallenges stores the codes that the first screen shows.
func (c *change) insertOpenChallenges(ctx context.Context, h *sim.Past, p sim.Plan) error {
	seqs, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt,
		`SELECT seq FROM cards WHERE status = 'active' ORDER BY last_used DESC, seq DESC LIMIT ?`, sim.OpenChallenges)
	if err != nil {
		return err
	}
	for i, seq := range seqs {
		k, err := cardAt(ctx, c.tx, seq)
		if err != nil {
			return err
		}
		asked := *c
		asked.now = h.End - unit.Instant(sim.OpenChallenges-i)*50*unit.Second
		one, err := asked.challenge(ctx, k, sim.PlatformOf(k.Label, h.Rng).Charge(h.Rng), "")
		if err != nil {
			return err
		}
		switch {
		case c.s.quiet:
			err = c.cancel(ctx, jobExpire, one.seq)
		case i > 0:
			err = c.later(ctx, h.End+unit.Instant(i)*30*unit.Second, jobComplete, one.seq, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *change) insertPendingDeposit(ctx context.Context, p sim.Plan) error {
	coin := sim.CurrencyOf("usdt")
	d, err := c.detectDeposit(ctx, coin.Code, 25_252)
	if err != nil {
		return err
	}
	d.confirmations = 1
	if err := c.saveDeposit(ctx, d); err != nil || c.s.quiet {
		return err
	}
	return c.later(ctx, c.now+coin.Block, jobBlock, d.seq, 0)
}
