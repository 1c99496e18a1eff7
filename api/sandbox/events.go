package sandbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// eventPrefix begins the identifier of an event.
const eventPrefix = "evt_"

// event is the body of a delivery (ASSUMED 22).
type event struct {
	ID      string       `json:"id"`
	Type    string       `json:"type"`
	Created unit.Instant `json:"created_at"`
	Data    any          `json:"data"`
}

// emit stores an event about an object for every webhook that subscribes to
// it, in the same transaction as the change that it tells of.
func (c *change) emit(ctx context.Context, kind, object string, data any) error {
	subscribers, err := c.subscribers(ctx, kind)
	if err != nil || len(subscribers) == 0 {
		return err
	}
	var seq int64
	row := c.tx.QueryRowContext(ctx, `INSERT INTO events (type, body) VALUES (?, '') RETURNING seq`, kind)
	if err := row.Scan(&seq); err != nil {
		return fmt.Errorf("insert event: %w", err)
	}
	body, err := wire.Encode(event{ID: c.s.world.ID(eventPrefix, seq), Type: kind, Created: c.now, Data: data})
	if err != nil {
		return err
	}
	if _, err := c.tx.ExecContext(ctx, `UPDATE events SET body = ? WHERE seq = ?`, body, seq); err != nil {
		return fmt.Errorf("store event: %w", err)
	}
	for _, subscriber := range subscribers {
		_, err := c.tx.ExecContext(ctx, `INSERT INTO deliveries (webhook, event, object, attempts, due)
			VALUES (?, ?, ?, 0, ?)`, subscriber, seq, object, c.now)
		if err != nil {
			return fmt.Errorf("insert delivery: %w", err)
		}
	}
	c.wake = true
	return nil
}

func (c *change) subscribers(ctx context.Context, kind string) ([]int64, error) {
	type subscription struct {
		seq    int64
		events []string
	}
	all, err := sqlite.Collect(ctx, c.tx, func(r *sql.Rows, sub *subscription) error {
		var events []byte
		if err := r.Scan(&sub.seq, &events); err != nil {
			return err
		}
		return json.Unmarshal(events, &sub.events)
	}, `SELECT seq, events FROM webhooks`)
	if err != nil {
		return nil, err
	}
	var list []int64
	for _, sub := range all {
		if sub.events[0] == "*" || slices.Contains(sub.events, kind) {
			list = append(list, sub.seq)
		}
	}
	return list, nil
}
