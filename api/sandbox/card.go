package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sim"
	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// cardPrefix begins the identifier of a card.
const cardPrefix = "card_"

const cardColumns = `seq, bin_id, status, balance, held, spending_limit, total_spent, txn_count, month,
	month_spent, label, categories, auto_freeze_at, metadata, created_at, expires_at, last_used, frozen_at`

func scanCard(row sqlite.Row, k *sim.Card) error {
	var categories, metadata []byte
	err := row.Scan(&k.Seq, &k.BIN, &k.Status, &k.Balance, &k.Held, &k.Limit, &k.Spent, &k.Count, &k.Month,
		&k.MonthSpent, &k.Label, &categories, &k.AutoFreezeAt, &metadata, &k.Created, &k.Expires, &k.LastUsed, &k.Frozen)
	if err != nil {
		return fmt.Errorf("scan card: %w", err)
	}
	if err := json.Unmarshal(categories, &k.Categories); err != nil {
		return fmt.Errorf("read categories: %w", err)
	}
	if err := json.Unmarshal(metadata, &k.Metadata); err != nil {
		return fmt.Errorf("read metadata: %w", err)
	}
	return nil
}

// cardValues returns the columns of a card in their order, for insert and update.
func cardValues(k *sim.Card) ([]any, error) {
	categories, err := wire.Encode(k.Categories)
	if err != nil {
		return nil, err
	}
	metadata, err := wire.Encode(k.Metadata)
	if err != nil {
		return nil, err
	}
	return []any{
		k.Seq, k.BIN, k.Status, k.Balance, k.Held, k.Limit, k.Spent, k.Count, k.Month, k.MonthSpent, k.Label,
		string(categories), k.AutoFreezeAt, string(metadata), k.Created, k.Expires, k.LastUsed, k.Frozen,
		fold(k.Label),
	}, nil
}

// fold returns the form in which partial matches compare text (ASSUMED 13).
func fold(s string) string { return strings.ToLower(s) }

// findCard returns the card of an identifier.
func (s *Server) findCard(ctx context.Context, q sqlite.Querier, id string) (*sim.Card, error) {
	seq, ok := s.world.Seq(cardPrefix, id)
	if !ok {
		return nil, wire.NotFound("card")
	}
	return cardAt(ctx, q, seq)
}

func cardAt(ctx context.Context, q sqlite.Querier, seq int64) (*sim.Card, error) {
	k := &sim.Card{}
	err := scanCard(q.QueryRowContext(ctx, `SELECT `+cardColumns+` FROM cards WHERE seq = ?`, seq), k)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, wire.NotFound("card")
	}
	return k, err
}

// liveCard returns a card that is about to change; a terminated one is an error.
func (c *change) liveCard(ctx context.Context, id string) (*sim.Card, error) {
	k, err := c.s.findCard(ctx, c.tx, id)
	if err != nil {
		return nil, err
	}
	if k.Status == sim.CardTerminated {
		return nil, wire.WrongState("the card is terminated")
	}
	return k, nil
}

// insertCard stores a new card and adds it to the wallet's sums.
func (c *change) insertCard(ctx context.Context, k *sim.Card) error {
	row := c.tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) + 1 FROM cards`)
	if err := row.Scan(&k.Seq); err != nil {
		return fmt.Errorf("number card: %w", err)
	}
	values, err := cardValues(k)
	if err != nil {
		return err
	}
	_, err = c.tx.ExecContext(ctx, `INSERT INTO cards (`+cardColumns+`, label_key)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
	if err != nil {
		return fmt.Errorf("insert card: %w", err)
	}
	c.recount = true
	return c.adjustWallet(ctx, walletChange{active: 1, cards: k.Balance})
}

// updateCard stores a changed card and updates the wallet's sums.
func (c *change) updateCard(ctx context.Context, before sim.Card, k *sim.Card) error {
	values, err := cardValues(k)
	if err != nil {
		return err
	}
	_, err = c.tx.ExecContext(ctx, `UPDATE cards SET bin_id = ?2, status = ?3, balance = ?4, held = ?5,
		spending_limit = ?6, total_spent = ?7, txn_count = ?8, month = ?9, month_spent = ?10, label = ?11,
		categories = ?12, auto_freeze_at = ?13, metadata = ?14, created_at = ?15, expires_at = ?16, last_used = ?17,
		frozen_at = ?18, label_key = ?19 WHERE seq = ?1`, values...)
	if err != nil {
		return fmt.Errorf("update card: %w", err)
	}
	if before.Status != k.Status || before.Label != k.Label {
		c.recount = true
	}
	sums := walletChange{cards: k.Balance - before.Balance}
	if before.Status == sim.CardActive {
		sums.active--
	}
	if k.Status == sim.CardActive {
		sums.active++
	}
	return c.adjustWallet(ctx, sums)
}

// freezeWhenLow freezes an active card with a balance below its threshold
// (ASSUMED 7), and reports whether it did.
func (c *change) freezeWhenLow(k *sim.Card) (frozen bool) {
	if k.Status != sim.CardActive || k.Balance >= k.AutoFreezeAt {
		return false
	}
	k.Status, k.Frozen = sim.CardFrozen, c.now
	return true
}

// cardHead is what every form of a card begins with.
type cardHead struct {
	ID      string     `json:"id"`
	BIN     string     `json:"bin_id"`
	Network string     `json:"network"`
	Last4   string     `json:"last4"`
	Status  string     `json:"status"`
	Balance unit.Cents `json:"balance"`
}

func (s *Server) cardHead(k *sim.Card) cardHead {
	return cardHead{
		ID: s.world.ID(cardPrefix, k.Seq), BIN: k.BIN, Network: sim.BINOf(k.BIN).Network, Last4: s.world.Last4(k),
		Status: k.Status, Balance: k.Balance,
	}
}

// fullCard is the contract's Card.
type fullCard struct {
	cardHead
	Limit      unit.Cents                 `json:"spending_limit"`
	Label      string                     `json:"label"`
	Categories []string                   `json:"allowed_categories"`
	AutoFreeze *unit.Cents                `json:"auto_freeze_at"`
	Metadata   map[string]json.RawMessage `json:"metadata"`
	Created    unit.Instant               `json:"created_at"`
	Expires    unit.Instant               `json:"expires_at"`
}

func (s *Server) fullCard(k *sim.Card) fullCard {
	full := fullCard{
		cardHead: s.cardHead(k), Limit: k.Limit, Label: k.Label, Categories: k.Categories, Metadata: k.Metadata,
		Created: k.Created, Expires: k.Expires,
	}
	if k.AutoFreezeAt > 0 {
		full.AutoFreeze = &k.AutoFreezeAt
	}
	return full
}

// cardSummary is the contract's Card summary.
type cardSummary struct {
	cardHead
	Limit    unit.Cents                 `json:"spending_limit"`
	Spent    unit.Cents                 `json:"total_spent"`
	Count    int64                      `json:"transaction_count"`
	Label    string                     `json:"label"`
	Metadata map[string]json.RawMessage `json:"metadata"`
	Created  unit.Instant               `json:"created_at"`
	Expires  unit.Instant               `json:"expires_at"`
	LastUsed unit.Instant               `json:"last_used_at"`
}

func getCard(ctx context.Context, s *Server, req *request) (any, error) {
	k, err := s.findCard(ctx, s.db.Reader, req.id)
	if err != nil {
		return nil, err
	}
	return cardSummary{
		cardHead: s.cardHead(k), Limit: k.Limit, Spent: k.Spent, Count: k.Count, Label: k.Label, Metadata: k.Metadata,
		Created: k.Created, Expires: k.Expires, LastUsed: k.LastUsed,
	}, nil
}

// cardDetails is the contract's Card details. It is never stored or logged.
type cardDetails struct {
	ID       string      `json:"id"`
	PAN      string      `json:"pan"`
	CVV      string      `json:"cvv"`
	ExpMonth int         `json:"exp_month"`
	ExpYear  int         `json:"exp_year"`
	Holder   string      `json:"holder_name"`
	Address  sim.Address `json:"billing_address"`
}

func getDetails(ctx context.Context, s *Server, req *request) (any, error) {
	k, err := s.findCard(ctx, s.db.Reader, req.id)
	if err != nil {
		return nil, err
	}
	expires := k.Expires.Time()
	return cardDetails{
		ID: req.id, PAN: s.world.PAN(k.BIN, k.Seq), CVV: s.world.CVV(k.Seq),
		ExpMonth: int(expires.Month()), ExpYear: expires.Year(),
		Holder: s.world.Holder(k.Seq), Address: s.world.Address(k.Seq),
	}, nil
}
