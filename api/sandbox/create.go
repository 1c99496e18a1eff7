package sandbox

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

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
func (s *Server) create(ctx context.Context, p plan) error {
	s.world = world{seed: p.seed}
	now := s.clock.stamp(s.clock.now())
	h := newPast(s.world, p, now)
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
func (c *change) insertPast(ctx context.Context, h *past) error {
	for _, m := range h.places {
		if _, err := c.merchantID(ctx, m); err != nil {
			return err
		}
	}
	cards := sqlite.NewBulk(c.tx, "cards ("+cardColumns+", label_key)", 19)
	for i := range h.cards {
		values, err := cardValues(&h.cards[i])
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
	order := h.order()
	rank := make([]int32, len(order))
	for i, index := range order {
		rank[index] = int32(i + 1)
	}
	txns := sqlite.NewBulk(c.tx, `transactions
		(card, type, amount, merchant, balance_after, created_at, root, three_ds, decline_reason)`, 9)
	for _, index := range order {
		t := &h.txns[index]
		root := int32(0)
		if t.root > 0 {
			root = rank[t.root-1]
		}
		err := txns.Add(ctx, int64(t.card), int64(t.kind), int64(t.amount), int64(t.place)+1, int64(t.after), int64(t.at),
			int64(root), int64(t.threeDS), t.reason)
		if err != nil {
			return err
		}
	}
	return txns.Flush(ctx)
}

// order gives the transactions' indexes in the order of time. Those of one
// card keep theirs.
func (h *past) order() []int32 {
	order := make([]int32, len(h.txns))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return int(h.txns[a].at - h.txns[b].at) })
	return order
}

// insertWallet stores the sums, and confirmed deposits that account for all
// money there is and was.
func (c *change) insertWallet(ctx context.Context, h *past, p plan) error {
	w := walletRow{balance: p.wallet, spent: h.spent}
	for i := range h.cards {
		w.cards += h.cards[i].balance
		if h.cards[i].status == cardActive {
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
		int64(p.seed), schemaVersion)
	if err != nil {
		return fmt.Errorf("insert seed: %w", err)
	}
	return c.insertDeposits(ctx, h, w.deposited)
}

// insertDeposits splits what was ever credited into a few deposits.
func (c *change) insertDeposits(ctx context.Context, h *past, total unit.Cents) error {
	const parts = 7
	coins := allCurrencies()
	for i, left := unit.Cents(0), total; left > 0; i++ {
		credited := left
		if i < parts-1 {
			share := total / parts * unit.Cents(60+h.rng.IntN(70)) / 100
			credited = min(left, max(share/5000*5000, 5000))
		}
		left -= credited
		coin := coins[h.rng.IntN(len(coins))]
		// The fee is rounded down, so that this is the amount it leaves credited.
		amount := credited * 100 / 99
		for amount-feeOf(amount) < credited {
			amount++
		}
		at := h.end - unit.Instant(parts-min(i, parts-1))*6*unit.Day - unit.Instant(h.rng.Int64N(int64(5*unit.Day))) + 5*unit.Day
		_, err := c.tx.ExecContext(ctx, `INSERT INTO deposits
			(currency, amount_crypto, amount, fee, status, confirmations, created_at, confirmed_at)
			VALUES (?, ?, ?, ?, 'confirmed', ?, ?, ?)`, coin.code, coin.units(amount), amount, amount-credited,
			coin.depth, at, at+unit.Instant(coin.depth)*coin.block)
		if err != nil {
			return fmt.Errorf("insert deposit: %w", err)
		}
	}
	return nil
}
