package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

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

// delivery is what is left to do of one event for one webhook.
type delivery struct {
	seq, webhook, event int64
	object              string
	attempts            int
	due                 unit.Instant
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
		batch, next := s.dueDeliveries(busy)
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

// dueDeliveries returns the first event of every lane that is due and not busy, as many as
// may still start, and how long until another is due. What is being sent counts, so that
// maxPerWebhook bounds what is sent to one webhook at a time.
func (s *Server) dueDeliveries(busy map[lane]bool) (batch []delivery, next unit.Instant) {
	now := s.clock.Now()
	next = maxIdleDelivery
	lanes, sending := map[lane]bool{}, map[int64]int{}
	_ = s.db.View(func() error {
		for _, d := range s.deliveries.Rows {
			way := lane{d.webhook, d.object}
			first := !lanes[way]
			lanes[way] = true
			if d.due > now {
				next = min(next, d.due-now)
				continue
			}
			if !first || sending[d.webhook] >= maxPerWebhook {
				continue
			}
			sending[d.webhook]++
			if !busy[way] && len(busy)+len(batch) < maxInFlight {
				batch = append(batch, d)
			}
		}
		return nil
	})
	return batch, next
}

// attempt sends one event and records the outcome.
func (s *Server) attempt(ctx context.Context, d delivery) {
	if late, strikes := s.faults.Reorder(); strikes {
		if err := s.delay(ctx, d, late); err != nil {
			s.log.LogAttrs(ctx, slog.LevelError, "delivery not put aside", slog.Any("error", err))
		}
		return
	}
	var to webhookRow
	_ = s.db.View(func() error { // It never fails.
		to, _ = s.webhookAt(d.webhook)
		return nil
	})
	err := s.sendCopies(ctx, to, d.body)
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
	return s.changeDelivery(ctx, d.seq, func(d *delivery) bool {
		d.object, d.due = d.object+" late", s.clock.Now()+late
		return true
	})
}

// changeDelivery changes a delivery, or removes it unless it stays.
func (s *Server) changeDelivery(ctx context.Context, seq int64, by func(*delivery) (stays bool)) error {
	return s.write(ctx, func(c *change) error {
		list := s.deliveries.From(delivery{seq: seq})
		if len(list) == 0 || list[0].seq != seq {
			return nil // The webhook was deleted.
		}
		d := list[0]
		s.deliveries.Remove(c.tx, d)
		if by(&d) {
			s.deliveries.Insert(c.tx, d)
		}
		return nil
	})
}

// sendCopies sends one event as often as the faults in force say.
func (s *Server) sendCopies(ctx context.Context, to webhookRow, body []byte) error {
	times := s.faults.Copies()
	var err error
	for range times {
		err = errors.Join(err, s.post(ctx, to, body))
	}
	return err
}

func (s *Server) post(ctx context.Context, to webhookRow, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, deliveryTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.url, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("make delivery: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(signatureHeader, sign(to.secret, body))
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
	return s.changeDelivery(ctx, d.seq, func(d *delivery) bool {
		d.due = s.clock.Now() + firstRetry<<d.attempts
		d.attempts++
		return !arrived && d.attempts < maxAttempts
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
func (c *change) emit(kind, object string, data any) {
	var subscribers []int64
	for _, w := range c.s.webhooks.Rows {
		if w.wants(kind) {
			subscribers = append(subscribers, w.seq)
		}
	}
	if len(subscribers) == 0 {
		return
	}
	number := c.next(func(b *books) *int64 { return &b.event })
	body, err := wire.Encode(event{ID: c.s.world.ID(eventPrefix, number), Type: kind, Created: c.now, Data: data})
	if err != nil {
		c.fail(err)
		return
	}
	for _, subscriber := range subscribers {
		seq := c.next(func(b *books) *int64 { return &b.delivery })
		c.s.deliveries.Insert(c.tx, delivery{seq: seq, webhook: subscriber, event: number, object: object, due: c.now, body: body})
	}
	c.wake = true
}
