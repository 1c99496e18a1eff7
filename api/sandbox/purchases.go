package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// holdLife is how long an authorization reserves money without a settlement.
const holdLife = 7 * unit.Day

// authorize asks a card for a purchase: an authorization that reserves the
// amount, or a decline that names its cause.
func (c *change) authorize(ctx context.Context, k *card, p purchase, outcome threeDS) (*txnRow, error) {
	if reason := k.refusal(p, c.now, 0); reason != "" {
		return c.decline(ctx, k, p, reason, outcome)
	}
	before := *k
	k.held += p.amount
	t := &txnRow{kind: txnAuthorization, amount: p.amount, merchant: p.merchant, threeDS: outcome}
	if err := c.post(ctx, k, t); err != nil {
		return nil, err
	}
	_, err := c.tx.ExecContext(ctx, `INSERT INTO holds (auth, card, merchant, amount)
		SELECT seq, card, merchant, amount FROM transactions WHERE seq = ?`, t.seq)
	if err != nil {
		return nil, fmt.Errorf("hold amount: %w", err)
	}
	if err := c.later(ctx, c.now+holdLife, jobRelease, t.seq, 0); err != nil {
		return nil, err
	}
	return t, c.updateCard(ctx, before, k)
}

// decline records a purchase that was not made. Nothing moves.
func (c *change) decline(ctx context.Context, k *card, p purchase, reason string, outcome threeDS) (*txnRow, error) {
	before := *k
	t := &txnRow{kind: txnDecline, amount: p.amount, merchant: p.merchant, threeDS: outcome, reason: reason}
	if err := c.post(ctx, k, t); err != nil {
		return nil, err
	}
	return t, c.updateCard(ctx, before, k)
}

// hold is money that an authorization keeps reserved.
type hold struct {
	auth   int64
	amount unit.Cents
}

// heldFor finds the oldest open authorization of a card at a merchant; without
// one the hold is zero.
func (c *change) heldFor(ctx context.Context, k *card, m merchant) (h hold, err error) {
	row := c.tx.QueryRowContext(ctx, `SELECT h.auth, h.amount FROM holds h JOIN merchants m ON m.id = h.merchant
		WHERE h.card = ? AND m.name = ? ORDER BY h.auth LIMIT 1`, k.seq, m.Name)
	if err = row.Scan(&h.auth, &h.amount); errors.Is(err, sql.ErrNoRows) {
		return hold{}, nil
	}
	if err != nil {
		return hold{}, fmt.Errorf("read hold: %w", err)
	}
	return h, nil
}

// settle takes money from a card for good, in place of what h reserved.
func (c *change) settle(ctx context.Context, k *card, p purchase, h hold) (*txnRow, error) {
	if reason := k.refusal(p, c.now, h.amount); reason != "" {
		return c.decline(ctx, k, p, reason, notChallenged)
	}
	before := *k
	if err := c.release(ctx, k, h); err != nil {
		return nil, err
	}
	k.pay(p.amount, c.now)
	frozen := c.freezeWhenLow(k)
	t := &txnRow{kind: txnSettlement, amount: -p.amount, merchant: p.merchant, root: h.auth}
	if h.auth != 0 {
		row := c.tx.QueryRowContext(ctx, `SELECT three_ds FROM transactions WHERE seq = ?`, h.auth)
		if err := row.Scan(&t.threeDS); err != nil {
			return nil, fmt.Errorf("read authorization: %w", err)
		}
	}
	if err := c.post(ctx, k, t); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.adjustWallet(ctx, walletChange{spent: p.amount}); err != nil {
		return nil, err
	}
	if !frozen {
		return t, nil
	}
	full := c.s.fullCard(k)
	return t, c.emit(ctx, "card.frozen", full.ID, full)
}

// refund returns money of an earlier settlement to a card. root is its
// authorization, or 0 when there was none.
func (c *change) refund(ctx context.Context, k *card, p purchase, root int64) (*txnRow, error) {
	switch {
	case k.status == cardTerminated:
		return nil, wire.WrongState("the card is terminated")
	case k.status == cardFrozen:
		return nil, wire.WrongState("the card is frozen: its transactions are suspended")
	case p.amount > k.spent:
		return nil, wire.Invalid("amount must be at most what the card has spent, %s", k.spent.Fixed())
	}
	before := *k
	k.receive(p.amount, c.now)
	t := &txnRow{kind: txnRefund, amount: p.amount, merchant: p.merchant, root: root}
	if err := c.post(ctx, k, t); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	return t, c.adjustWallet(ctx, walletChange{spent: -p.amount})
}

// release gives back what an authorization reserved. The caller stores k.
func (c *change) release(ctx context.Context, k *card, h hold) error {
	if h.auth == 0 {
		return nil
	}
	k.held -= h.amount
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM holds WHERE auth = ?`, h.auth); err != nil {
		return fmt.Errorf("release hold: %w", err)
	}
	return c.cancel(ctx, jobRelease, h.auth)
}

// releaseAll gives back everything that is reserved on a card.
func (c *change) releaseAll(ctx context.Context, k *card) error {
	_, err := c.tx.ExecContext(ctx, `DELETE FROM jobs WHERE kind IN (?, ?)
		AND object IN (SELECT auth FROM holds WHERE card = ?)`, jobRelease, jobSettle, k.seq)
	if err != nil {
		return fmt.Errorf("cancel settlements: %w", err)
	}
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM holds WHERE card = ?`, k.seq); err != nil {
		return fmt.Errorf("release holds: %w", err)
	}
	k.held = 0
	return nil
}
