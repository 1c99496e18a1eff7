package sandbox

import (
	"cmp"
	"context"
	"database/sql"
	_ "embed" // The tables and indexes.
	"errors"
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
)

//go:embed schema.sql
var schemaSQL string

//go:embed later.sql
var laterSQL string

//go:embed indexes.sql
var indexSQL string

// create creates a new world, in one transaction.
func (s *Server) create(ctx context.Context, p sim.Plan) error {
	s.world = sim.World{Seed: p.Seed}
	now := s.clock.Stamp(s.clock.Now())
	h := sim.NewHistory(s.world, p, now)
	s.pace = h.Pace
	return s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schemaSQL+laterSQL); err != nil {
			return fmt.Errorf("make tables: %w", err)
		}
		c := &change{s: s, tx: tx, now: now}
		rank, err := c.insertHistory(ctx, h)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, indexSQL); err != nil {
			return fmt.Errorf("make indexes: %w", err)
		}
		if err := c.insertWallet(ctx, h, p); err != nil {
			return err
		}
		return c.insertPresent(ctx, h, p, rank)
	})
}

// insertHistory stores cards, merchants and transactions, the latter in the order of
// time, and returns the row of each.
func (c *change) insertHistory(ctx context.Context, h *sim.History) (rank []int32, err error) {
	for _, m := range h.Merchants {
		if _, err := c.merchantID(ctx, m); err != nil {
			return nil, err
		}
	}
	if err := c.insertCards(ctx, h); err != nil {
		return nil, err
	}
	order := h.Order()
	rank = make([]int32, len(order))
	for i, index := range order {
		rank[index] = int32(i + 1)
	}
	return rank, c.insertTransactions(ctx, h, order, rank)
}

func (c *change) insertCards(ctx context.Context, h *sim.History) error {
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
	return cards.Flush(ctx)
}

// insertTransactions stores the transactions in the order of time.
func (c *change) insertTransactions(ctx context.Context, h *sim.History, order, rank []int32) error {
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
	_, err = c.tx.ExecContext(ctx, `INSERT INTO meta VALUES ('seed', ?), ('version', ?), ('ahead', 0), ('pace', ?)`,
		int64(p.Seed), schemaVersion, h.Pace)
	if err != nil {
		return fmt.Errorf("insert seed: %w", err)
	}
	return c.insertDeposits(ctx, h.Credits(w.deposited, w.balance))
}

// insertDeposits stores the deposits that were credited.
func (c *change) insertDeposits(ctx context.Context, credits []sim.Credit) error {
	for _, one := range credits {
		// The fee is rounded down: this finds the amount that credits exactly that.
		amount := one.Amount * 100 / 99
		for amount-feeOf(amount) < one.Amount {
			amount++
		}
		_, err := c.tx.ExecContext(ctx, `INSERT INTO deposits
			(currency, amount_crypto, amount, fee, status, confirmations, created_at, confirmed_at)
			VALUES (?, ?, ?, ?, 'confirmed', ?, ?, ?)`, one.Coin.Code, one.Coin.Units(amount), amount, amount-one.Amount,
			one.Coin.Confirmations, one.At, one.At+unit.Instant(one.Coin.Confirmations)*one.Coin.Block)
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
func (c *change) insertPresent(ctx context.Context, h *sim.History, p sim.Plan, rank []int32) error {
	if p.Cards == 0 {
		return nil
	}
	if err := c.insertHolds(ctx, h, rank); err != nil {
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

// insertHolds stores the holds of the open authorizations, and when they settle. rank
// is the row of each transaction of the history.
func (c *change) insertHolds(ctx context.Context, h *sim.History, rank []int32) error {
	list := slices.SortedFunc(slices.Values(h.Holds), func(a, b sim.HistoryHold) int {
		return cmp.Compare(rank[a.Txn], rank[b.Txn])
	})
	holds := sqlite.NewBulk(c.tx, "holds (auth, card, merchant, amount)", 4)
	jobs := sqlite.NewBulk(c.tx, "jobs (due, kind, object, amount)", 4)
	for _, one := range list {
		t, auth := &h.Txns[one.Txn], int64(rank[one.Txn])
		if h.Cards[t.Card-1].Held == 0 {
			continue // The card was terminated.
		}
		if err := holds.Add(ctx, auth, int64(t.Card), int64(t.Merchant)+1, int64(t.Amount)); err != nil {
			return err
		}
		if c.s.quiet {
			continue
		}
		due := one.Due
		if due == unit.Never {
			due = h.End + unit.Second + unit.Instant(auth*7919)%unit.Minute
		}
		err := jobs.Add(ctx, int64(due), jobSettle, auth, int64(one.Amount))
		if err == nil {
			err = jobs.Add(ctx, int64(t.At+sim.HoldLife), jobRelease, auth, int64(0))
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(holds.Flush(ctx), jobs.Flush(ctx))
}

// insertEndedChallenges stores the challenges of the latest purchases with one.
func (c *change) insertEndedChallenges(ctx context.Context) error {
	list, err := sqlite.Collect(ctx, c.tx, scanPastPurchase, `
		SELECT card, merchant, amount, three_ds, created_at FROM (SELECT *,
			CASE three_ds WHEN ?1 THEN created_at - 30000 ELSE created_at - ?3 END AS start
			FROM transactions WHERE three_ds > 0 AND type IN (?4, ?5) ORDER BY seq DESC LIMIT ?2)
		ORDER BY start`, sim.ChallengePassed, endedChallenges, codeLife, sim.TxnAuthorization, sim.TxnDecline)
	if err != nil {
		return err
	}
	rows := sqlite.NewBulk(c.tx, "challenges (card, merchant, amount, otp, status, expires_at, created_at)", 7)
	for i, one := range list {
		status, started := statusExpired, one.at-codeLife
		if one.outcome == sim.ChallengePassed {
			status, started = statusCompleted, one.at-30*unit.Second
		}
		err := rows.Add(ctx, one.card, one.merchant, int64(one.amount), c.s.world.OTP(int64(i+1)), status, int64(started+codeLife), int64(started))
		if err != nil {
			return err
		}
	}
	return rows.Flush(ctx)
}

// pastPurchase is the purchase that a challenge of the history was about.
type pastPurchase struct {
	card, merchant int64
	amount         unit.Cents
	outcome        sim.ThreeDS
	at             unit.Instant
}

func scanPastPurchase(r *sql.Rows, p *pastPurchase) error {
	return r.Scan(&p.card, &p.merchant, &p.amount, &p.outcome, &p.at)
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
