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
	t := &txnRow{kind: sim.TxnAuthorization, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, threeDS: outcome}
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
	t := &txnRow{kind: sim.TxnDecline, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, threeDS: outcome, reason: reason}
	return t, c.appendDecline(ctx, k, t)
}

// appendDecline stores a decline.
func (c *change) appendDecline(ctx context.Context, k *sim.Card, t *txnRow) error {
	before := *k
	if err := c.appendTxn(ctx, k, t); err != nil {
		return err
	}
	return c.updateCard(ctx, before, k)
}

// hold is money that an authorization reserves on a card.
type hold struct {
	auth    int64
	amount  unit.Cents
	foreign sim.Foreign // what is left of the amount in the currency of the authorization
	rest    unit.Cents  // stays held when the hold is released
}

// freed returns what a release of the hold frees.
func (h hold) freed() unit.Cents { return h.amount - h.rest }

// covers reports whether a purchase is of no more than what is held, in its own currency
// if that is the one of the authorization.
func (h hold) covers(p sim.Purchase) bool {
	if h.inCurrencyOf(p) {
		return p.Foreign.Amount <= h.foreign.Amount
	}
	return p.Amount <= h.amount
}

// without returns the hold of which a purchase takes its part and leaves the rest. The
// last part takes what rounding has left.
func (h hold) without(p sim.Purchase) hold {
	h.rest = max(0, h.amount-p.Amount)
	if h.inCurrencyOf(p) && p.Foreign.Amount >= h.foreign.Amount {
		h.rest = 0
	}
	return h
}

func (h hold) inCurrencyOf(p sim.Purchase) bool {
	return h.foreign.Code != "" && h.foreign.Code == p.Foreign.Code
}

// fixed returns what is held, for messages.
func (h hold) fixed(p sim.Purchase) string {
	if h.inCurrencyOf(p) {
		return h.foreign.Fixed()
	}
	return h.amount.Fixed()
}

// heldFor returns the hold of a card's oldest open authorization at a merchant, or
// the zero hold.
func (c *change) heldFor(ctx context.Context, k *sim.Card, m sim.Merchant) (h hold, err error) {
	row := c.tx.QueryRowContext(ctx, `SELECT h.auth, h.amount, coalesce(x.currency, ''), coalesce(
			(SELECT sum(e.amount) FROM txn_extras e JOIN transactions t ON t.seq = e.txn
			WHERE h.auth IN (t.seq, t.root) AND t.type IN (?3, ?4) AND e.currency = x.currency), 0)
		FROM holds h JOIN merchants m ON m.id = h.merchant LEFT JOIN txn_extras x ON x.txn = h.auth
		WHERE h.card = ?1 AND m.name = ?2 ORDER BY h.auth LIMIT 1`, k.Seq, m.Name, sim.TxnAuthorization, sim.TxnSettlement)
	if err = row.Scan(&h.auth, &h.amount, &h.foreign.Code, &h.foreign.Amount); errors.Is(err, sql.ErrNoRows) {
		return hold{}, nil
	}
	if err != nil {
		return hold{}, fmt.Errorf("read hold: %w", err)
	}
	return h, nil
}

// settle moves money off a card for good, in place of a hold or of a part of it, or adds
// a decline.
func (c *change) settle(ctx context.Context, k *sim.Card, p sim.Purchase, h hold) (*txnRow, error) {
	if reason := k.DeclineReason(p, c.now, h.freed()); reason != "" {
		return c.decline(ctx, k, p, reason, sim.NotChallenged)
	}
	before := *k
	if err := c.release(ctx, k, h); err != nil {
		return nil, err
	}
	k.Pay(p.Amount, c.now)
	frozen := c.freezeWhenLow(k)
	t := &txnRow{kind: sim.TxnSettlement, amount: -p.Amount, foreign: p.Foreign.Negative(), merchant: p.Merchant, root: h.auth}
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
	if err := suspended(k); err != nil {
		return nil, err
	}
	if p.Amount > k.Spent {
		return nil, wire.Invalid("amount must be at most what the card has spent, %s", k.Spent.Fixed())
	}
	before := *k
	k.Receive(p.Amount, c.now)
	t := &txnRow{kind: sim.TxnRefund, amount: p.Amount, foreign: p.Foreign, merchant: p.Merchant, root: root}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	if err := c.updateCard(ctx, before, k); err != nil {
		return nil, err
	}
	return t, c.adjustWallet(ctx, walletChange{spent: -p.Amount})
}

// suspended returns an error for a card that is not active.
func suspended(k *sim.Card) error {
	switch k.Status {
	case sim.CardTerminated:
		return wire.WrongState("the card is terminated")
	case sim.CardFrozen:
		return wire.WrongState("the card is frozen: its transactions are suspended")
	}
	return nil
}

// reverse takes back a hold or a part of it, with an authorization of a negative amount.
// No money moves.
func (c *change) reverse(ctx context.Context, k *sim.Card, p sim.Purchase, h hold) (*txnRow, error) {
	if err := suspended(k); err != nil {
		return nil, err
	}
	switch {
	case h.auth == 0:
		return nil, wire.WrongState("nothing is held for %s on the card", p.Merchant.Name)
	case !h.covers(p):
		return nil, wire.Invalid("amount must be at most what is held, %s", h.fixed(p))
	}
	before := *k
	h = h.without(p)
	if err := c.release(ctx, k, h); err != nil {
		return nil, err
	}
	t := &txnRow{kind: sim.TxnAuthorization, amount: -h.freed(), foreign: p.Foreign.Negative(), merchant: p.Merchant, root: h.auth}
	if err := c.appendTxn(ctx, k, t); err != nil {
		return nil, err
	}
	return t, c.updateCard(ctx, before, k)
}

// release removes a hold, or leaves its rest held and what settles later by itself at
// most that. The caller stores k.
func (c *change) release(ctx context.Context, k *sim.Card, h hold) error {
	if h.auth == 0 {
		return nil
	}
	k.Held -= h.freed()
	if h.rest > 0 {
		_, err := c.tx.ExecContext(ctx, `UPDATE holds SET amount = ? WHERE auth = ?`, h.rest, h.auth)
		if err != nil {
			return fmt.Errorf("release a part of a hold: %w", err)
		}
		_, err = c.tx.ExecContext(ctx, `UPDATE jobs SET amount = max(0, amount - ?) WHERE kind = ? AND object = ?`, h.freed(), jobSettle, h.auth)
		if err != nil {
			return fmt.Errorf("lower settlement: %w", err)
		}
		return nil
	}
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
		txnSelect+`transactions t`+txnJoins+`WHERE t.seq = ?`, j.object))
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
