package sandbox

import (
	"context"
	"database/sql"
	_ "embed" // The tables and indexes.
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

//go:embed schema.sql
var schemaSQL string

//go:embed indexes.sql
var indexSQL string

// create creates a new world, in one transaction.
func (s *Server) create(ctx context.Context, p sim.Plan) error {
	s.world = sim.World{Seed: p.Seed}
	now := s.clock.Stamp(s.clock.Now())
	h := sim.NewHistory(s.world, p, now)
	return s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schemaSQL); err != nil {
			return fmt.Errorf("make tables: %w", err)
		}
		c := &change{s: s, tx: tx, now: now}
		if err := c.insertHistory(ctx, h); err != nil {
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

// insertHistory stores cards, merchants and transactions, the latter in the order of
// time.
func (c *change) insertHistory(ctx context.Context, h *sim.History) error {
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

// insertWallet stores the sums, and confirmed deposits that add up to them.
func (c *change) insertWallet(ctx context.Context, h *sim.History, p sim.Plan) error {
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

// insertDeposits splits the total that was ever credited into a few deposits.
func (c *change) insertDeposits(ctx context.Context, h *sim.History, total unit.Cents) error {
	const parts = 7
	coins := sim.Currencies()
	for i, left := unit.Cents(0), total; left > 0; i++ {
		credited := left
		if i < parts-1 {
			share := total / parts * unit.Cents(60+h.Rand.IntN(70)) / 100
			credited = min(left, max(share/5000*5000, 5000))
		}
		left -= credited
		coin := coins[h.Rand.IntN(len(coins))]
		// The fee is rounded down: this finds the amount that credits exactly that.
		amount := credited * 100 / 99
		for amount-feeOf(amount) < credited {
			amount++
		}
		at := h.End - unit.Instant(parts-min(i, parts-1))*6*unit.Day - unit.Instant(h.Rand.Int64N(int64(5*unit.Day))) + 5*unit.Day
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

// Challenges of a new world: ended ones, and open ones that the first screen
// shows.
const (
	endedChallenges = 40
	openChallenges  = 3
)

// insertPresent stores what is going on when a world is opened: holds, open
// challenges, and a pending deposit. In a quiet sandbox they stay as they are.
func (c *change) insertPresent(ctx context.Context, h *sim.History, p sim.Plan) error {
	if p.Cards == 0 {
		return nil
	}
	if err := c.insertHolds(ctx, h); err != nil {
		return err
	}
	if err := c.insertEndedChallenges(ctx); err != nil {
		return err
	}
	if err := c.insertOpenChallenges(ctx, h); err != nil {
		return err
	}
	return c.insertPendingDeposit(ctx)
}

// insertHolds stores the holds of the open authorizations.
func (c *change) insertHolds(ctx context.Context, h *sim.History) error {
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

// insertEndedChallenges stores the challenges of the latest purchases with one.
func (c *change) insertEndedChallenges(ctx context.Context) error {
	_, err := c.tx.ExecContext(ctx, `INSERT INTO challenges (card, merchant, amount, otp, status, expires_at, created_at)
		SELECT card, merchant, amount, '', CASE three_ds WHEN ?1 THEN 'completed' ELSE 'expired' END,
			CASE three_ds WHEN ?1 THEN created_at - 30000 + ?3 ELSE created_at END,
			CASE three_ds WHEN ?1 THEN created_at - 30000 ELSE created_at - ?3 END AS start
		FROM (SELECT * FROM transactions WHERE three_ds > 0 AND type IN (?4, ?5) ORDER BY seq DESC LIMIT ?2)
		ORDER BY start`, sim.ChallengePassed, endedChallenges, codeLife, sim.TxnAuthorization, sim.TxnDecline)
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

// insertOpenChallenges stores the challenges that the first screen shows.
func (c *change) insertOpenChallenges(ctx context.Context, h *sim.History) error {
	seqs, err := sqlite.Collect(ctx, c.tx, sqlite.ScanInt,
		`SELECT seq FROM cards WHERE status = 'active' ORDER BY last_used DESC, seq DESC LIMIT ?`, openChallenges)
	if err != nil {
		return err
	}
	for i, seq := range seqs {
		k, err := cardAt(ctx, c.tx, seq)
		if err != nil {
			return err
		}
		asked := *c
		asked.now = h.End - unit.Instant(openChallenges-i)*50*unit.Second
		one, err := asked.challenge(ctx, k, sim.PlatformOf(k.Label, h.Rand).Charge(h.Rand), "")
		if err != nil {
			return err
		}
		switch {
		case c.s.quiet:
			err = c.cancel(ctx, jobExpire, one.seq)
		case i > 0:
			err = c.schedule(ctx, h.End+unit.Instant(i)*30*unit.Second, jobComplete, one.seq, 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *change) insertPendingDeposit(ctx context.Context) error {
	coin := sim.CurrencyOf("usdt")
	d, err := c.detectDeposit(ctx, coin.Code, 25_252)
	if err != nil {
		return err
	}
	d.confirmations = 1
	if err := c.saveDeposit(ctx, d); err != nil || c.s.quiet {
		return err
	}
	return c.schedule(ctx, c.now+coin.Block, jobBlock, d.seq, 0)
}
