package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// authorize adds an authorization that holds the amount of a purchase, or a decline.
func (c *change) authorize(ctx context.Context, k *sim.Card, p sim.Purchase, outcome sim.ThreeDS) (*txnRow, error) {
	if reason := k.DeclineReason(p, c.now, 0); reason != "" {
		return c.decline(ctx, k, p, reason, outcome)
	}
	before := *k
	k.Held += p.Amount
	t := &txnRow{kind: sim.TxnAuthorization, amount: p.Amount, merchant: p.Merchant, threeDS: outcome}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	_, err := c.tx.ExecContext(ctx, `INSERT INTO holds (auth, card, merchant, amount)
		SELECT seq, card, merchant, amount FROM transactions WHERE seq = ?`, t.seq)
	if err != nil {
		return nil, fmt.Errorf("hold amount: %w", err)
	}
	if err := c.schedule(ctx, c.now+sim.HoldLife, jobRelease, t.seq, 0); err != nil {
		return nil, err
	}
	return t, c.updateCard(ctx, before, k)
}

// decline adds a decline. No money moves.
func (c *change) decline(ctx context.Context, k *sim.Card, p sim.Purchase, reason string, outcome sim.ThreeDS) (*txnRow, error) {
	before := *k
	t := &txnRow{kind: sim.TxnDecline, amount: p.Amount, merchant: p.Merchant, threeDS: outcome, reason: reason}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	return t, c.updateCard(ctx, before, k)
}

// hold is money that an authorization reserves on a card.
type hold struct {
	auth   int64
	amount unit.Cents
}

// heldFor returns the hold of a card's oldest open authorization at a merchant, or
// the zero hold.
func (c *change) heldFor(ctx context.Context, k *sim.Card, m sim.Merchant) (h hold, err error) {
	row := c.tx.QueryRowContext(ctx, `SELECT h.auth, h.amount FROM holds h JOIN merchants m ON m.id = h.merchant
		WHERE h.card = ? AND m.name = ? ORDER BY h.auth LIMIT 1`, k.Seq, m.Name)
	if err = row.Scan(&h.auth, &h.amount); errors.Is(err, sql.ErrNoRows) {
		return hold{}, nil
	}
	if err != nil {
		return hold{}, fmt.Errorf("read hold: %w", err)
	}
	return h, nil
}

// settle moves money off a card for good, in place of a hold, or adds a decline.
func (c *change) settle(ctx context.Context, k *sim.Card, p sim.Purchase, h hold) (*txnRow, error) {
	if reason := k.DeclineReason(p, c.now, h.amount); reason != "" {
		return c.decline(ctx, k, p, reason, sim.NotChallenged)
	}
	before := *k
	if err := c.release(ctx, k, h); err != nil {
		return nil, err
	}
	k.Pay(p.Amount, c.now)
	frozen := c.freezeWhenLow(k)
	t := &txnRow{kind: sim.TxnSettlement, amount: -p.Amount, merchant: p.Merchant, root: h.auth}
	if h.auth != 0 {
		row := c.tx.QueryRowContext(ctx, `SELECT three_ds FROM transactions WHERE seq = ?`, h.auth)
		if err := row.Scan(&t.threeDS); err != nil {
			return nil, fmt.Errorf("read authorization: %w", err)
		}
	}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	if err := c.adjustWallet(ctx, walletChange{spent: p.Amount}); err != nil {
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
func (c *change) refund(ctx context.Context, k *sim.Card, p sim.Purchase, root int64) (*txnRow, error) {
	switch {
	case k.Status == sim.CardTerminated:
		return nil, wire.WrongState("the card is terminated")
	case k.Status == sim.CardFrozen:
		return nil, wire.WrongState("the card is frozen: its transactions are suspended")
	case p.Amount > k.Spent:
		return nil, wire.Invalid("amount must be at most what the card has spent, %s", k.Spent.Fixed())
	}
	before := *k
	k.Receive(p.Amount, c.now)
	t := &txnRow{kind: sim.TxnRefund, amount: p.Amount, merchant: p.Merchant, root: root}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	return t, c.adjustWallet(ctx, walletChange{spent: -p.Amount})
}

// release removes a hold. The caller stores k.
func (c *change) release(ctx context.Context, k *sim.Card, h hold) error {
	if h.auth == 0 {
		return nil
	}
	k.Held -= h.amount
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM holds WHERE auth = ?`, h.auth); err != nil {
		return fmt.Errorf("release hold: %w", err)
	}
	return c.cancel(ctx, jobRelease, h.auth)
}

// releaseAll removes all holds of a card. The caller stores k.
func (c *change) releaseAll(ctx context.Context, k *sim.Card) error {
	_, err := c.tx.ExecContext(ctx, `DELETE FROM jobs WHERE kind IN (?, ?)
		AND object IN (SELECT auth FROM holds WHERE card = ?)`, jobRelease, jobSettle, k.Seq)
	if err != nil {
		return fmt.Errorf("cancel settlements: %w", err)
	}
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM holds WHERE card = ?`, k.Seq); err != nil {
		return fmt.Errorf("release holds: %w", err)
	}
	k.Held = 0
	return nil
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
