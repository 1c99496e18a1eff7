package sandbox

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"

	_ "embed"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

// The tables and indexes.

//go:embed schema.sql
var schemaSQL string

//go:embed indexes.sql
var indexSQL string

// create makes a new world. All of it is there or, after a crash, nothing.
func (s *Server) create(ctx context.Context, p sim.Plan) error {
	s.world = sim.World{Seed: p.Seed}
	now := s.clock.Stamp(s.clock.Now())
	h := sim.NewPast(s.world, p, now)
	return s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schemaSQL); err != nil {
			return fmt.Errorf("make tables: %w", err)
		}
		c := &change{s: s, tx: tx, now: now}
		if err := c.insertPast(ctx, h); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, indexSQL); err != nil {
			return fmt.Errorf("make indexes: %w", err)
		}
		if err := c.insertWallet(ctx, h, p); err != nil {
			return err
		}
		return c.insertPresent(ctx, h, p)
	})
}

// insertPast stores cards, merchants and transactions. Transactions are
// numbered in the order of time.
func (c *change) insertPast(ctx context.Context, h *sim.Past) error {
	for _, m := range h.Merchants {
		if _, err := c.merchantID(ctx, m); err != nil {
			return err
		}
	}
	cards := sqlite.NewBulk(c.tx, "cards ("+cardColumns+", label_key)", 19)
	for i := range h.Cards {
		values, err := cardValues(&h.Cards[i])
		if err != nil {
			return err
		}
		if err := cards.Add(ctx, values...); err != nil {
			return err
		}
	}
	if err := cards.Flush(ctx); err != nil {
		return err
	}
	order := h.Order()
	rank := make([]int32, len(order))
	for i, index := range order {
		rank[index] = int32(i + 1)
	}
	txns := sqlite.NewBulk(c.tx, `transactions
		(card, type, amount, merchant, balance_after, created_at, root, three_ds, decline_reason)`, 9)
	for _, index := range order {
		t := &h.Txns[index]
		root := int32(0)
		if t.Root > 0 {
			root = rank[t.Root-1]
		}
		err := txns.Add(ctx, int64(t.Card), int64(t.Kind), int64(t.Amount), int64(t.Merchant)+1, int64(t.BalanceAfter), int64(t.At),
			int64(root), int64(t.ThreeDS), t.Reason)
		if err != nil {
			return err
		}
	}
	return txns.Flush(ctx)
}

// insertWallet stores the sums, and confirmed deposits that account for all
// money there is and was.
func (c *change) insertWallet(ctx context.Context, h *sim.Past, p sim.Plan) error {
	w := walletRow{balance: p.Wallet, spent: h.Spent}
	for i := range h.Cards {
		w.cards += h.Cards[i].Balance
		if h.Cards[i].Status == sim.CardActive {
			w.active++
		}
	}
	w.deposited = w.balance + w.cards + w.spent
	_, err := c.tx.ExecContext(ctx, `INSERT INTO wallet VALUES (1, ?, ?, ?, ?, ?)`,
		w.balance, w.deposited, w.spent, w.active, w.cards)
	if err != nil {
		return fmt.Errorf("insert wallet: %w", err)
	}
	_, err = c.tx.ExecContext(ctx, `INSERT INTO meta VALUES ('seed', ?), ('version', ?), ('ahead', 0)`,
		int64(p.Seed), schemaVersion)
	if err != nil {
		return fmt.Errorf("insert seed: %w", err)
	}
	return c.insertDeposits(ctx, h, w.deposited)
}

// insertDeposits splits what was ever credited into a few deposits.
func (c *change) insertDeposits(ctx context.Context, h *sim.Past, total unit.Cents) error {
	const parts = 7
	coins := sim.Currencies()
	for i, left := unit.Cents(0), total; left > 0; i++ {
		credited := left
		if i < parts-1 {
			share := total / parts * unit.Cents(60+h.Rng.IntN(70)) / 100
			credited = min(left, max(share/5000*5000, 5000))
		}
		left -= credited
		coin := coins[h.Rng.IntN(len(coins))]
		// The fee is rounded down, so that this is the amount it leaves credited.
		amount := credited * 100 / 99
		for amount-feeOf(amount) < credited {
			amount++
		}
		at := h.End - unit.Instant(parts-min(i, parts-1))*6*unit.Day - unit.Instant(h.Rng.Int64N(int64(5*unit.Day))) + 5*unit.Day
		_, err := c.tx.ExecContext(ctx, `INSERT INTO deposits
			(currency, amount_crypto, amount, fee, status, confirmations, created_at, confirmed_at)
			VALUES (?, ?, ?, ?, 'confirmed', ?, ?, ?)`, coin.Code, coin.Units(amount), amount, amount-credited,
			coin.Confirmations, at, at+unit.Instant(coin.Confirmations)*coin.Block)
		if err != nil {
			return fmt.Errorf("insert deposit: %w", err)
		}
	}
	return nil
}
