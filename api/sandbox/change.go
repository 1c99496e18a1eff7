package sandbox

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"net/http"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// maxKey is the longest idempotency key, in characters; keyLife is how long its
// answer is stored (ASSUMED 11).
const (
	maxKey  = 255
	keyLife = 24 * unit.Hour
)

// change is one write in progress: a transaction with everything it does, its events
// included.
type change struct {
	s       *Server
	tx      *sql.Tx
	now     unit.Instant
	wake    bool // something was scheduled or is to be delivered
	recount bool // a card is new, or has another status or label
}

// write runs fn as one change at the current time.
func (s *Server) write(ctx context.Context, fn func(context.Context, *change) error) error {
	return s.writeAt(ctx, s.clock.Now(), fn)
}

// writeAt runs fn as one change at a time, or at the time of the latest change if
// that is later, and wakes [Server.Run] if something was scheduled.
func (s *Server) writeAt(ctx context.Context, at unit.Instant, fn func(context.Context, *change) error) error {
	var wake, recount bool
	err := s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		c := &change{s: s, tx: tx, now: s.clock.Stamp(at)}
		err := fn(ctx, c)
		wake, recount = c.wake, c.recount
		return err
	})
	if err != nil {
		return err
	}
	if recount {
		s.counts.ForgetCards()
	}
	if wake {
		s.signal()
	}
	return nil
}

// signal wakes [Server.Run]; one signal stands for any number of reasons.
func (s *Server) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// runOnce runs a writing endpoint. Under an idempotency key a request acts once: its
// answer is stored in the same transaction, and a simultaneous repeat waits for the
// first because writes do not overlap. A refused request does not use up its key
// (ASSUMED 11).
func (s *Server) runOnce(ctx context.Context, rt *route, req *request) (status int, body []byte, err error) {
	replayed := false
	err = s.write(ctx, func(ctx context.Context, c *change) error {
		if req.key != "" {
			status, body, err = c.storedAnswer(ctx, req)
			if replayed = status != 0; err != nil || replayed {
				return err
			}
		}
		result, err := rt.write(ctx, c, req)
		if err != nil {
			return err
		}
		status = rt.status
		if body, err = wire.Encode(result); err != nil || req.key == "" {
			return err
		}
		return c.storeAnswer(ctx, req, status, body)
	})
	switch {
	case err != nil:
	case replayed:
		s.report.Replayed()
	case rt.money:
		s.report.Acted(rt.name(), req.scope, req.body)
	}
	return status, body, err
}

// storedAnswer returns the first answer under a key; status is 0 when there is none.
func (c *change) storedAnswer(ctx context.Context, req *request) (status int, body []byte, err error) {
	var digest []byte
	row := c.tx.QueryRowContext(ctx,
		`SELECT body, status, answer FROM answers WHERE account = ? AND path = ? AND key = ? AND at > ?`,
		req.account, req.scope, req.key, c.now-keyLife)
	err = row.Scan(&digest, &status, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, fmt.Errorf("read answer: %w", err)
	}
	if sum := sha256.Sum256(req.body); !bytes.Equal(sum[:], digest) {
		return 0, nil, &wire.Error{
			Status: http.StatusBadRequest, ID: "idempotency_key_reused",
			Message: "this X-Idempotency-Key was used with another body",
		}
	}
	return status, body, nil
}

func (c *change) storeAnswer(ctx context.Context, req *request, status int, body []byte) error {
	digest := sha256.Sum256(req.body)
	if _, err := c.tx.ExecContext(ctx, `DELETE FROM answers WHERE at <= ?`, c.now-keyLife); err != nil {
		return fmt.Errorf("forget old answers: %w", err)
	}
	_, err := c.tx.ExecContext(ctx, `INSERT INTO answers (account, path, key, body, status, answer, at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`, req.account, req.scope, req.key, digest[:], status, body, c.now)
	if err != nil {
		return fmt.Errorf("keep answer: %w", err)
	}
	return nil
}
