package sandbox

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/sqlite"
	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

const (
	signatureHeader  = "X-Signature" // ASSUMED 22
	maxAttempts      = 8
	firstRetry       = unit.Second // doubled after every failure
	maxInFlight      = 32
	maxPerWebhook    = 8 // so that one that hangs does not delay the others
	deliveryTimeout  = 10 * time.Second
	maxIdleDelivery  = 30 * unit.Second
	receiverBodyRead = 64 << 10
)

func newWebhookClient() *http.Client {
	return &http.Client{
		Timeout:       deliveryTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// delivery is one event to be sent to one webhook.
type delivery struct {
	seq, webhook, event int64
	object              string
	attempts            int
	url, secret         string
	body                []byte
}

// lane is the events of one object to one webhook, which are sent in their order.
type lane struct {
	webhook int64
	object  string
}

// deliver sends events to webhooks until ctx is done. In a lane the next event waits
// until the one before has arrived or was given up after maxAttempts.
func (s *Server) deliver(ctx context.Context, wake <-chan struct{}) {
	var running sync.WaitGroup
	defer running.Wait()
	busy := map[lane]bool{}
	done := make(chan lane, maxInFlight)
	for ctx.Err() == nil {
		batch, next, err := s.dueDeliveries(ctx, busy)
		if err != nil && ctx.Err() == nil {
			s.log.LogAttrs(ctx, slog.LevelError, "deliveries unread", slog.Any("error", err))
		}
		for _, d := range batch {
			way := lane{d.webhook, d.object}
			busy[way] = true
			running.Go(func() {
				s.attempt(ctx, d)
				done <- way
			})
		}
		timer := time.NewTimer(time.Duration(min(next, maxIdleDelivery)) * time.Millisecond)
		select {
		case <-ctx.Done():
		case <-wake:
		case <-timer.C:
		case way := <-done:
			delete(busy, way)
		}
		timer.Stop()
	}
}

// dueDeliveries returns the first event of every lane that is not busy, as many as
// may still start, and how long until another is due.
func (s *Server) dueDeliveries(ctx context.Context, busy map[lane]bool) ([]delivery, unit.Instant, error) {
	now := s.clock.Now()
	webhooks, err := sqlite.Collect(ctx, s.db.Reader, sqlite.ScanInt, `SELECT seq FROM webhooks`)
	if err != nil {
		return nil, unit.Second, err
	}
	var batch []delivery
	for _, webhook := range webhooks {
		heads, err := s.firstDue(ctx, webhook, now)
		if err != nil {
			return batch, unit.Second, err
		}
		for _, d := range heads {
			if !busy[lane{webhook, d.object}] && len(busy)+len(batch) < maxInFlight {
				batch = append(batch, d)
			}
		}
	}
	var due sql.Null[unit.Instant]
	row := s.db.Reader.QueryRowContext(ctx, `SELECT min(due) FROM deliveries WHERE due > ?`, now)
	if err := row.Scan(&due); err != nil {
		return batch, unit.Second, fmt.Errorf("read next delivery: %w", err)
	}
	if !due.Valid {
		return batch, maxIdleDelivery, nil
	}
	return batch, max(1, due.V-now), nil
}

// firstDue returns the first events of a webhook's lanes that are due, including
// those being sent, so that maxPerWebhook bounds what is sent to one webhook at a
// time.
func (s *Server) firstDue(ctx context.Context, webhook int64, now unit.Instant) ([]delivery, error) {
	return sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, d *delivery) error {
		return r.Scan(&d.seq, &d.webhook, &d.event, &d.object, &d.attempts, &d.url, &d.secret, &d.body)
	}, `SELECT d.seq, d.webhook, d.event, d.object, d.attempts, w.url, w.secret, e.body FROM deliveries d
		JOIN webhooks w ON w.seq = d.webhook JOIN events e ON e.seq = d.event
		WHERE d.webhook = ? AND d.due <= ? AND NOT EXISTS (SELECT 1 FROM deliveries b
			WHERE b.webhook = d.webhook AND b.object = d.object AND b.seq < d.seq)
		ORDER BY d.seq LIMIT ?`, webhook, now, maxPerWebhook)
}

// attempt sends one event and records the outcome.
func (s *Server) attempt(ctx context.Context, d delivery) {
	if late, strikes := s.faults.Reorder(); strikes {
		if err := s.delay(ctx, d, late); err != nil {
			s.log.LogAttrs(ctx, slog.LevelError, "delivery not put aside", slog.Any("error", err))
		}
		return
	}
	err := s.sendCopies(ctx, d)
	if ctx.Err() != nil {
		return // Not an outcome: it is sent again after the next start.
	}
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelInfo, "webhook not delivered",
			slog.String("event", s.world.ID(eventPrefix, d.event)), slog.Int("attempt", d.attempts+1))
	}
	if err := s.recordAttempt(ctx, d, err == nil); err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "delivery not recorded", slog.Any("error", err))
	}
}

// delay moves an event out of its lane for a while, so that later events of its
// object overtake it.
func (s *Server) delay(ctx context.Context, d delivery, late unit.Instant) error {
	return s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE deliveries SET object = object || ' late', due = ? WHERE seq = ?`,
			s.clock.Now()+late, d.seq)
		if err != nil {
			return fmt.Errorf("put delivery aside: %w", err)
		}
		return nil
	})
}

// sendCopies sends one event as often as the faults in force say.
func (s *Server) sendCopies(ctx context.Context, d delivery) error {
	times := s.faults.Copies()
	var err error
	for range times {
		err = errors.Join(err, s.post(ctx, d))
	}
	return err
}

func (s *Server) post(ctx context.Context, d delivery) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url, bytes.NewReader(d.body))
	if err != nil {
		return fmt.Errorf("make delivery: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(signatureHeader, sign(d.secret, d.body))
	resp, err := s.webhookClient.Do(r)
	if err != nil {
		return fmt.Errorf("deliver event: %w", err)
	}
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, receiverBodyRead))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return fmt.Errorf("read receiver: %w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("deliver event: receiver answered %d", resp.StatusCode)
	}
	return nil
}

func (s *Server) recordAttempt(ctx context.Context, d delivery, arrived bool) error {
	return s.db.Transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if !arrived && d.attempts+1 < maxAttempts {
			_, err := tx.ExecContext(ctx, `UPDATE deliveries SET attempts = attempts + 1, due = ? WHERE seq = ?`,
				s.clock.Now()+firstRetry<<d.attempts, d.seq)
			if err != nil {
				return fmt.Errorf("put off delivery: %w", err)
			}
			return nil
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM deliveries WHERE seq = ?`, d.seq); err != nil {
			return fmt.Errorf("end delivery: %w", err)
		}
		_, err := tx.ExecContext(ctx, `DELETE FROM events WHERE seq = ?1
			AND NOT EXISTS (SELECT 1 FROM deliveries WHERE event = ?1)`, d.event)
		if err != nil {
			return fmt.Errorf("forget event: %w", err)
		}
		return nil
	})
}

// eventPrefix begins the identifier of an event.
const eventPrefix = "evt_"

// event is the body of a delivery (ASSUMED 22).
type event struct {
	ID      string       `json:"id"`
	Type    string       `json:"type"`
	Created unit.Instant `json:"created_at"`
	Data    any          `json:"data"`
}

// emit stores an event about an object for every webhook that subscribes to it, in
// the transaction of the change.
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
