package sandbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// depositPrefix begins the identifier of a deposit.
const depositPrefix = "dep_"

// The states of a deposit and of a challenge.
const (
	statusPending   = "pending"
	statusConfirmed = "confirmed"
	statusCompleted = "completed"
	statusExpired   = "expired"
)

// depositRow is one row of the deposits table.
type depositRow struct {
	seq           int64
	currency      string
	units         string
	amount, fee   unit.Cents
	status        string
	confirmations int64
	created       unit.Instant
	confirmed     unit.Instant
}

const depositColumns = `seq, currency, amount_crypto, amount, fee, status, confirmations, created_at, confirmed_at`

func (d *depositRow) scan(row sqlite.Row) error {
	err := row.Scan(&d.seq, &d.currency, &d.units, &d.amount, &d.fee, &d.status, &d.confirmations, &d.created, &d.confirmed)
	if err != nil {
		return fmt.Errorf("scan deposit: %w", err)
	}
	return nil
}

// deposit is the contract's Deposit. confirmed_at is absent until confirmed.
type deposit struct {
	ID            string        `json:"id"`
	Currency      string        `json:"currency"`
	Units         string        `json:"amount_crypto"`
	Amount        unit.Cents    `json:"amount_usd"`
	Fee           unit.Cents    `json:"fee_usd"`
	Credited      unit.Cents    `json:"credited_usd"`
	Status        string        `json:"status"`
	TxHash        string        `json:"tx_hash"`
	Confirmations int64         `json:"confirmations"`
	Created       unit.Instant  `json:"created_at"`
	Confirmed     *unit.Instant `json:"confirmed_at,omitempty"`
}

func (s *Server) depositBody(d *depositRow) deposit {
	shown := deposit{
		ID: s.world.ID(depositPrefix, d.seq), Currency: d.currency, Units: d.units, Amount: d.amount, Fee: d.fee,
		Credited: d.amount - d.fee, Status: d.status, TxHash: sim.CurrencyOf(d.currency).Hash(s.world, d.seq),
		Confirmations: d.confirmations, Created: d.created,
	}
	if d.status == statusConfirmed {
		shown.Confirmed = &d.confirmed
	}
	return shown
}

// feeOf returns the fee of a deposit: 1 %, rounded down to cents.
func feeOf(amount unit.Cents) unit.Cents { return amount / 100 }

// listDeposits returns all deposits, newest first.
func listDeposits(ctx context.Context, s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	status := q.Choice("status", "", statusPending, statusConfirmed, statusExpired)
	code := q.Choice("currency", "", "btc", "eth", "sol", "usdt")
	if q.Err != nil {
		return nil, q.Err
	}
	rows, err := sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, d *depositRow) error { return d.scan(r) },
		`SELECT `+depositColumns+` FROM deposits WHERE ?1 IN ('', status) AND ?2 IN ('', currency) ORDER BY seq DESC`,
		status, code)
	if err != nil {
		return nil, err
	}
	list := wire.List[deposit]{Data: make([]deposit, len(rows))}
	for i := range rows {
		list.Data[i] = s.depositBody(&rows[i])
	}
	return list, nil
}

func (c *change) depositAt(ctx context.Context, seq int64) (*depositRow, error) {
	d := &depositRow{}
	err := d.scan(c.tx.QueryRowContext(ctx, `SELECT `+depositColumns+` FROM deposits WHERE seq = ?`, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, wire.NotFound("deposit")
	}
	return d, err
}

// detectDeposit stores a new pending deposit.
func (c *change) detectDeposit(ctx context.Context, code string, amount unit.Cents) (*depositRow, error) {
	d := &depositRow{
		currency: code, units: sim.CurrencyOf(code).Units(amount), amount: amount, fee: feeOf(amount),
		status: statusPending, created: c.now,
	}
	row := c.tx.QueryRowContext(ctx, `INSERT INTO deposits
		(currency, amount_crypto, amount, fee, status, confirmations, created_at, confirmed_at)
		VALUES (?, ?, ?, ?, ?, 0, ?, 0) RETURNING seq`, d.currency, d.units, d.amount, d.fee, d.status, d.created)
	if err := row.Scan(&d.seq); err != nil {
		return nil, fmt.Errorf("insert deposit: %w", err)
	}
	shown := c.s.depositBody(d)
	return d, c.emit(ctx, "deposit.pending", shown.ID, shown)
}

func (c *change) saveDeposit(ctx context.Context, d *depositRow) error {
	_, err := c.tx.ExecContext(ctx, `UPDATE deposits SET status = ?, confirmations = ?, confirmed_at = ? WHERE seq = ?`,
		d.status, d.confirmations, d.confirmed, d.seq)
	if err != nil {
		return fmt.Errorf("update deposit: %w", err)
	}
	return nil
}

// confirmDeposit credits a pending deposit to the wallet.
func (c *change) confirmDeposit(ctx context.Context, d *depositRow) error {
	d.status, d.confirmed = statusConfirmed, c.now
	d.confirmations = max(d.confirmations, sim.CurrencyOf(d.currency).Confirmations)
	if err := c.saveDeposit(ctx, d); err != nil {
		return err
	}
	credited := d.amount - d.fee
	if err := c.adjustWallet(ctx, walletChange{balance: credited, deposited: credited}); err != nil {
		return err
	}
	shown := c.s.depositBody(d)
	return c.emit(ctx, "deposit.confirmed", shown.ID, shown)
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
