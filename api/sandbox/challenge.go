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

// challengePrefix begins the identifier of a challenge.
const challengePrefix = "3ds_"

// codeLife is how long a code is valid (contract, Limits).
const codeLife = 5 * unit.Minute

// listedFor is how long an ended challenge stays in the list, which clients poll
// every second. It can always be read by its id.
const listedFor = 2 * unit.Hour

// challengeRow is one row of the challenges table.
type challengeRow struct {
	seq      int64
	card     int64
	merchant sim.Merchant
	amount   unit.Cents
	otp      string
	status   string
	expires  unit.Instant
	created  unit.Instant
}

// challengeSelect expires a pending challenge as soon as its time is over
// (ASSUMED 19). Its parameter ?1 is the current time.
const challengeSelect = `SELECT h.seq, h.card, m.name, m.category, m.mcc, m.country, h.amount, h.otp,
	CASE WHEN h.status = 'pending' AND h.expires_at <= ?1 THEN 'expired' ELSE h.status END AS state,
	h.expires_at, h.created_at FROM challenges h JOIN merchants m ON m.id = h.merchant `

func (h *challengeRow) scan(row sqlite.Row) error {
	m := &h.merchant
	err := row.Scan(&h.seq, &h.card, &m.Name, &m.Category, &m.MCC, &m.Country, &h.amount, &h.otp, &h.status,
		&h.expires, &h.created)
	if err != nil {
		return fmt.Errorf("scan challenge: %w", err)
	}
	return nil
}

// challenge is the contract's 3DS challenge.
type challenge struct {
	ID       string       `json:"id"`
	Card     string       `json:"card_id"`
	Merchant string       `json:"merchant"`
	Amount   unit.Cents   `json:"amount"`
	OTP      string       `json:"otp,omitempty"`
	Status   string       `json:"status"`
	Expires  unit.Instant `json:"expires_at"`
	Created  unit.Instant `json:"created_at"`
}

func (s *Server) challengeBody(h *challengeRow) challenge {
	return challenge{
		ID: s.world.ID(challengePrefix, h.seq), Card: s.world.ID(cardPrefix, h.card), Merchant: h.merchant.Name, Amount: h.amount,
		OTP: h.otp, Status: h.status, Expires: h.expires, Created: h.created,
	}
}

// listChallenges returns the challenges, newest first.
func listChallenges(ctx context.Context, s *Server, req *request) (any, error) {
	q, err := wire.ParseQuery(req.query)
	if err != nil {
		return nil, err
	}
	status := q.Choice("status", "", statusPending, statusCompleted, statusExpired)
	if q.Err != nil {
		return nil, q.Err
	}
	list := wire.List[challenge]{Data: []challenge{}}
	card := int64(0)
	if id := q.Text("card_id"); id != "" {
		known := false
		if card, known = s.world.Seq(cardPrefix, id); !known {
			return list, nil
		}
	}
	now := s.clock.Now()
	rows, err := sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, h *challengeRow) error { return h.scan(r) },
		challengeSelect+`WHERE h.expires_at > ?2 AND ?3 IN (0, h.card) AND ?4 IN ('', state) ORDER BY h.created_at DESC, h.seq DESC`,
		now, now-listedFor, card, status)
	if err != nil {
		return nil, err
	}
	shown := s.faults.ShowCode()
	for i := range rows {
		item := s.challengeBody(&rows[i])
		if !shown(item.Created, now) {
			item.OTP = ""
		}
		list.Data = append(list.Data, item)
	}
	return list, nil
}

func getChallenge(ctx context.Context, s *Server, req *request) (any, error) {
	seq, ok := s.world.Seq(challengePrefix, req.id)
	if !ok {
		return nil, wire.NotFound("challenge")
	}
	h, err := challengeAt(ctx, s.db.Reader, seq, s.clock.Now())
	if err != nil {
		return nil, err
	}
	return s.challengeBody(h), nil
}

func challengeAt(ctx context.Context, q sqlite.Querier, seq int64, now unit.Instant) (*challengeRow, error) {
	h := &challengeRow{}
	err := h.scan(q.QueryRowContext(ctx, challengeSelect+`WHERE h.seq = ?2`, now, seq))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, wire.NotFound("challenge")
	}
	return h, err
}

// challenge starts the verification of a purchase. Its code follows from the seed
// unless one is given.
func (c *change) challenge(ctx context.Context, k *sim.Card, p sim.Purchase, otp string) (*challengeRow, error) {
	id, err := c.merchantID(ctx, p.Merchant)
	if err != nil {
		return nil, err
	}
	h := &challengeRow{
		card: k.Seq, merchant: p.Merchant, amount: p.Amount, otp: otp, status: statusPending,
		expires: c.now + codeLife, created: c.now,
	}
	row := c.tx.QueryRowContext(ctx, `INSERT INTO challenges (card, merchant, amount, otp, status, expires_at, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`, h.card, id, h.amount, h.otp, h.status, h.expires, h.created)
	if err := row.Scan(&h.seq); err != nil {
		return nil, fmt.Errorf("insert challenge: %w", err)
	}
	if otp == "" {
		h.otp = c.s.world.OTP(h.seq)
		if _, err := c.tx.ExecContext(ctx, `UPDATE challenges SET otp = ? WHERE seq = ?`, h.otp, h.seq); err != nil {
			return nil, fmt.Errorf("set code: %w", err)
		}
	}
	if err := c.schedule(ctx, h.expires, jobExpire, h.seq, 0); err != nil {
		return nil, err
	}
	shown := c.s.challengeBody(h)
	return h, c.emit(ctx, "3ds.challenge", shown.ID, shown)
}

// completeChallenge ends a pending challenge and authorizes the purchase by the
// rules of the card.
func (c *change) completeChallenge(ctx context.Context, h *challengeRow) (*txnRow, error) {
	if err := c.endChallenge(ctx, h, statusCompleted); err != nil {
		return nil, err
	}
	k, err := cardAt(ctx, c.tx, h.card)
	if err != nil {
		return nil, err
	}
	return c.authorize(ctx, k, sim.Purchase{Amount: h.amount, Merchant: h.merchant}, sim.ChallengePassed)
}

// expireChallenge ends a pending challenge and declines the purchase.
func (c *change) expireChallenge(ctx context.Context, h *challengeRow) (*txnRow, error) {
	if err := c.endChallenge(ctx, h, statusExpired); err != nil {
		return nil, err
	}
	k, err := cardAt(ctx, c.tx, h.card)
	if err != nil {
		return nil, err
	}
	return c.decline(ctx, k, sim.Purchase{Amount: h.amount, Merchant: h.merchant}, sim.DeclineChallenge, sim.ChallengeFailed)
}

func (c *change) endChallenge(ctx context.Context, h *challengeRow, status string) error {
	if h.status = status; status == statusExpired {
		h.expires = min(h.expires, c.now)
	}
	_, err := c.tx.ExecContext(ctx, `UPDATE challenges SET status = ?, expires_at = ? WHERE seq = ?`, status, h.expires, h.seq)
	if err != nil {
		return fmt.Errorf("end challenge: %w", err)
	}
	if err := c.cancel(ctx, jobComplete, h.seq); err != nil {
		return err
	}
	return c.cancel(ctx, jobExpire, h.seq)
}

func (c *change) doEndChallenge(ctx context.Context, j job) error {
	// At time 0 it cannot be expired by time: the stored state decides here.
	h, err := challengeAt(ctx, c.tx, j.object, 0)
	if err != nil {
		return err
	}
	if h.status != statusPending {
		return nil
	}
	if j.kind == jobExpire {
		_, err := c.expireChallenge(ctx, h)
		return err
	}
	t, err := c.completeChallenge(ctx, h)
	if err != nil || t.kind != sim.TxnAuthorization || c.s.quiet {
		return err
	}
	return c.schedule(ctx, c.now+10*unit.Second, jobSettle, t.seq, t.amount)
}
