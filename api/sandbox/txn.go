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

// txnPrefix begins the identifier of a transaction.
const txnPrefix = "txn_"

// txnRow is one row of the transactions table with its merchant. The amount is
// signed: a settlement is negative and a refund positive; an authorization and a
// decline have the amount of the purchase and leave the balance unchanged. A reversal
// is an authorization with a negative amount (ASSUMED 16).
type txnRow struct {
	seq      int64
	card     int64
	kind     sim.TxnType
	amount   unit.Cents // USD
	foreign  sim.Foreign
	merchant sim.Merchant
	after    unit.Cents
	created  unit.Instant
	root     int64 // the authorization that it follows, or 0
	threeDS  sim.ThreeDS
	reason   string
	text     string // of a decline, for people
}

func (t *txnRow) isReversal() bool { return t.kind == sim.TxnAuthorization && t.amount < 0 }

const txnSelect = `SELECT t.seq, t.card, t.type, t.amount, m.name, m.category, m.mcc, m.country, t.balance_after,
	t.created_at, t.root, t.three_ds, t.decline_reason, coalesce(x.currency, ''), coalesce(x.amount, 0),
	coalesce(x.decline_text, '') FROM `

// txnJoins are the other tables of txnSelect.
const txnJoins = ` JOIN merchants m ON m.id = t.merchant LEFT JOIN txn_extras x ON x.txn = t.seq `

func (t *txnRow) scan(row sqlite.Row) error {
	m := &t.merchant
	err := row.Scan(&t.seq, &t.card, &t.kind, &t.amount, &m.Name, &m.Category, &m.MCC, &m.Country, &t.after,
		&t.created, &t.root, &t.threeDS, &t.reason, &t.foreign.Code, &t.foreign.Amount, &t.text)
	if err != nil {
		return fmt.Errorf("scan transaction: %w", err)
	}
	return nil
}

// transaction is the contract's Transaction.
type transaction struct {
	ID       string       `json:"id"`
	Card     string       `json:"card_id"`
	Type     string       `json:"type"`
	Amount   unit.Cents   `json:"amount"`
	Currency string       `json:"currency"`
	Merchant sim.Merchant `json:"merchant"`
	After    unit.Cents   `json:"balance_after"`
	Created  unit.Instant `json:"created_at"`
}

func (s *Server) transactionBody(t *txnRow) transaction {
	amount, currency := t.amount, "USD"
	if t.foreign.Code != "" {
		amount, currency = t.foreign.Amount, t.foreign.Code
	}
	return transaction{
		ID: s.world.ID(txnPrefix, t.seq), Card: s.world.ID(cardPrefix, t.card), Type: t.kind.String(), Amount: amount,
		Currency: currency, Merchant: t.merchant, After: t.after, Created: t.created,
	}
}

// transactionDetail is the contract's transaction detail (ASSUMED 27).
type transactionDetail struct {
	transaction
	MCC     string `json:"mcc"`
	ThreeDS string `json:"three_ds_status"`
	Reason  string `json:"decline_reason,omitempty"`
	// Failure has the text of a decline that has no reason of the list.
	Failure  *failure `json:"failure,omitempty"`
	Timeline []step   `json:"timeline"`
}

type failure struct {
	Message string `json:"message"`
}

type step struct {
	Status string       `json:"status"`
	At     unit.Instant `json:"at"`
}

// Reasons says which declines tell their reason. Servers differ in that: the contract
// does not list the fields of a detail.
type Reasons string

// The choices. Some is two of three.
const (
	ReasonsAll  Reasons = "all"
	ReasonsSome Reasons = "some"
	ReasonsNone Reasons = "none"
)

func (r Reasons) known() bool {
	return r == "" || r == ReasonsAll || r == ReasonsSome || r == ReasonsNone
}

// tellsReason reports whether the detail of a declined transaction has its reason.
func (s *Server) tellsReason(seq int64) bool {
	switch s.reasons {
	case ReasonsNone:
		return false
	case ReasonsSome:
		return s.world.Digest("reason", seq)[0]%3 > 0
	default:
		return true
	}
}

func getTransaction(ctx context.Context, s *Server, req *request) (any, error) {
	seq, ok := s.world.Seq(txnPrefix, req.id)
	if !ok {
		return nil, wire.NotFound("transaction")
	}
	var t txnRow
	err := t.scan(s.db.Reader.QueryRowContext(ctx,
		txnSelect+`transactions t`+txnJoins+`WHERE t.seq = ?`, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, wire.NotFound("transaction")
	}
	if err != nil {
		return nil, err
	}
	d := transactionDetail{
		transaction: s.transactionBody(&t), MCC: t.merchant.MCC, ThreeDS: t.threeDS.String(),
	}
	if s.tellsReason(seq) {
		d.Reason = t.reason
	}
	if t.text != "" {
		d.Failure = &failure{t.text}
	}
	d.Timeline, err = s.timeline(ctx, &t)
	return d, err
}

// timeline returns the steps of the authorization that a transaction belongs to, or
// the one step of a transaction without one.
func (s *Server) timeline(ctx context.Context, t *txnRow) ([]step, error) {
	root := t.root
	if root == 0 {
		root = t.seq
	}
	return sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, st *step) error {
		var one txnRow
		err := r.Scan(&one.kind, &one.amount, &st.At)
		if st.Status = one.kind.Step(); one.isReversal() {
			st.Status = "reversed"
		}
		return err
	}, `SELECT type, amount, created_at FROM (
			SELECT seq, type, amount, created_at FROM transactions WHERE seq = ?1
			UNION ALL SELECT seq, type, amount, created_at FROM transactions WHERE root = ?1 AND root > 0)
		ORDER BY seq`, root)
}

// appendTxn stores a transaction of a card with figures that are up to date, and
// counts it on the card.
func (c *change) appendTxn(ctx context.Context, k *sim.Card, t *txnRow) error {
	id, err := c.merchantID(ctx, t.merchant)
	if err != nil {
		return err
	}
	t.card, t.after, t.created = k.Seq, k.Balance, c.now
	k.Count++
	if t.kind != sim.TxnRefund && !t.isReversal() {
		k.LastUsed = c.now
	}
	row := c.tx.QueryRowContext(ctx, `INSERT INTO transactions
		(card, type, amount, merchant, balance_after, created_at, root, three_ds, decline_reason)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		t.card, t.kind, t.amount, id, t.after, t.created, t.root, t.threeDS, t.reason)
	if err := row.Scan(&t.seq); err != nil {
		return fmt.Errorf("insert transaction: %w", err)
	}
	if t.seq >= sim.MaxSeq {
		return errors.New("insert transaction: the world is full")
	}
	if t.foreign.Code != "" || t.text != "" {
		_, err := c.tx.ExecContext(ctx, `INSERT INTO txn_extras (txn, currency, amount, decline_text) VALUES (?, ?, ?, ?)`,
			t.seq, t.foreign.Code, t.foreign.Amount, t.text)
		if err != nil {
			return fmt.Errorf("insert currency and text: %w", err)
		}
	}
	shown := c.s.transactionBody(t)
	return c.emit(ctx, "transaction."+t.kind.Step(), shown.ID, shown)
}

// merchantID returns the row of a merchant, inserting it when it is new.
func (c *change) merchantID(ctx context.Context, m sim.Merchant) (id int64, err error) {
	_, err = c.tx.ExecContext(ctx, `INSERT INTO merchants (name, name_key, category, mcc, country)
		VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, m.Name, fold(m.Name), m.Category, m.MCC, m.Country)
	if err != nil {
		return 0, fmt.Errorf("insert merchant: %w", err)
	}
	row := c.tx.QueryRowContext(ctx, `SELECT id FROM merchants WHERE name = ? AND category = ? AND mcc = ? AND country = ?`,
		m.Name, m.Category, m.MCC, m.Country)
	if err := row.Scan(&id); err != nil {
		return 0, fmt.Errorf("read merchant: %w", err)
	}
	return id, nil
}

func merchantAt(ctx context.Context, q sqlite.Querier, id int64) (m sim.Merchant, err error) {
	row := q.QueryRowContext(ctx, `SELECT name, category, mcc, country FROM merchants WHERE id = ?`, id)
	if err := row.Scan(&m.Name, &m.Category, &m.MCC, &m.Country); err != nil {
		return m, fmt.Errorf("read merchant: %w", err)
	}
	return m, nil
}
