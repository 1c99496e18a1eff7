package sandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
	"github.com/cardtop/cardtop/api/sandbox/wire"
)

// webhookPrefix begins the identifier of a webhook.
const webhookPrefix = "wh_"

// allEvents returns the event types of the contract.
func allEvents() []string {
	return []string{
		"card.created", "card.frozen", "card.unfrozen", "card.terminated", "card.funded",
		"transaction.authorized", "transaction.settled", "transaction.declined", "transaction.refunded",
		"3ds.challenge", "deposit.pending", "deposit.confirmed",
	}
}

// webhook is the contract's Webhook. Only the answer to its creation has the secret
// (ASSUMED 20).
type webhook struct {
	ID      string       `json:"id"`
	URL     string       `json:"url"`
	Events  []string     `json:"events"`
	Secret  string       `json:"secret,omitempty"`
	Active  bool         `json:"active"`
	Created unit.Instant `json:"created_at"`
}

// parseWebhook parses the body of POST /webhooks. An empty secret means that one has
// to be generated.
func parseWebhook(body []byte, plainHTTP bool) (webhook, error) {
	f, err := wire.ParseForm(body)
	if err != nil {
		return webhook{}, err
	}
	w := webhook{URL: f.RequiredText("url"), Active: true}
	if f.Err == nil && !allowedURL(w.URL, plainHTTP) {
		f.Fail("url must be an absolute https URL")
	}
	set := false
	if w.Events, set = f.Texts("events"); !set {
		f.Fail("events is required")
	} else if len(w.Events) == 0 {
		f.Fail("events must not be empty")
	}
	known := allEvents()
	for _, event := range w.Events {
		switch {
		case event == "*" && len(w.Events) > 1:
			f.Fail("events must hold nothing beside *")
		case event != "*" && !slices.Contains(known, event):
			f.Fail("events holds an unknown type")
		}
	}
	if w.Secret, set = f.Text("secret"); set && w.Secret == "" {
		f.Fail("secret must not be empty")
	}
	return w, f.Err
}

// allowedURL reports whether a webhook may have a URL: https, or http on loopback
// hosts if the sandbox is configured so (ASSUMED 21).
func allowedURL(text string, plainHTTP bool) bool {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && plainHTTP && isLoopback(u.Hostname())
}

// isLoopback reports whether a host without its port is this machine.
func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return err == nil && address.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// hostOf returns an address without its port.
func hostOf(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return strings.Trim(address, "[]")
	}
	return host
}

// webhookRow is one row of the webhooks table.
type webhookRow struct {
	seq         int64
	url, secret string
	events      []string
	created     unit.Instant
}

func (w *webhookRow) wants(kind string) bool {
	return w.events[0] == "*" || slices.Contains(w.events, kind)
}

func createWebhook(c *change, req *request) (any, error) {
	w, err := parseWebhook(req.body, c.s.plainHTTP)
	if err != nil {
		return nil, err
	}
	if w.Secret == "" {
		w.Secret = "whsec_" + rand.Text() // Not from the seed: a receiver outside relies on it.
	}
	seq := c.next(func(b *books) *int64 { return &b.webhook })
	c.s.webhooks.Insert(c.tx, webhookRow{seq, w.URL, w.Secret, w.Events, c.now})
	w.ID, w.Created = c.s.world.ID(webhookPrefix, seq), c.now
	return w, nil
}

// listWebhooks returns a bare array (ASSUMED 20).
func listWebhooks(s *Server, _ *request) (any, error) {
	list := []webhook{}
	for _, w := range s.webhooks.Rows {
		list = append(list, webhook{ID: s.world.ID(webhookPrefix, w.seq), URL: w.url, Events: w.events, Active: true, Created: w.created})
	}
	return list, nil
}

type deletedWebhook struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

// deleteWebhook also removes deliveries that are not done yet.
func deleteWebhook(c *change, req *request) (any, error) {
	if _, err := wire.ParseForm(req.body); err != nil {
		return nil, err
	}
	seq, _ := c.s.world.Seq(webhookPrefix, req.id)
	w, ok := c.s.webhookAt(seq)
	if !ok {
		return nil, wire.NotFound("webhook")
	}
	c.s.webhooks.Remove(c.tx, w)
	for _, d := range slices.Clone(c.s.deliveries.Rows) {
		if d.webhook == seq {
			c.s.deliveries.Remove(c.tx, d)
		}
	}
	return deletedWebhook{ID: req.id, Deleted: true}, nil
}

func (s *Server) webhookAt(seq int64) (w webhookRow, ok bool) {
	if list := s.webhooks.From(webhookRow{seq: seq}); len(list) > 0 && list[0].seq == seq {
		return list[0], true
	}
	return w, false
}

// sign returns the lowercase hex HMAC-SHA256 of a body.
func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

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
