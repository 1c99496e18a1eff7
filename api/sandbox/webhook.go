package sandbox

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/cardtop/cardtop/api/sandbox/sqlite"
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

func createWebhook(ctx context.Context, c *change, req *request) (any, error) {
	w, err := parseWebhook(req.body, c.s.plainHTTP)
	if err != nil {
		return nil, err
	}
	events, err := wire.Encode(w.Events)
	if err != nil {
		return nil, err
	}
	var seq int64
	row := c.tx.QueryRowContext(ctx, `INSERT INTO webhooks (url, events, secret, created_at)
		VALUES (?, ?, ?, ?) RETURNING seq`, w.URL, string(events), w.Secret, c.now)
	if err := row.Scan(&seq); err != nil {
		return nil, fmt.Errorf("insert webhook: %w", err)
	}
	w.ID, w.Created = c.s.world.ID(webhookPrefix, seq), c.now
	if w.Secret == "" {
		// Not from the seed: a receiver outside relies on it.
		w.Secret = "whsec_" + rand.Text()
		if _, err := c.tx.ExecContext(ctx, `UPDATE webhooks SET secret = ? WHERE seq = ?`, w.Secret, seq); err != nil {
			return nil, fmt.Errorf("set secret: %w", err)
		}
	}
	return w, nil
}

// listWebhooks returns a bare array (ASSUMED 20).
func listWebhooks(ctx context.Context, s *Server, _ *request) (any, error) {
	return sqlite.Collect(ctx, s.db.Reader, func(r *sql.Rows, w *webhook) error {
		var seq int64
		var events []byte
		if err := r.Scan(&seq, &w.URL, &events, &w.Created); err != nil {
			return err
		}
		w.ID, w.Active = s.world.ID(webhookPrefix, seq), true
		return json.Unmarshal(events, &w.Events)
	}, `SELECT seq, url, events, created_at FROM webhooks ORDER BY seq`)
}

type deletedWebhook struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

// deleteWebhook also removes deliveries that are not done yet.
func deleteWebhook(ctx context.Context, c *change, req *request) (any, error) {
	if _, err := wire.ParseForm(req.body); err != nil {
		return nil, err
	}
	seq, ok := c.s.world.Seq(webhookPrefix, req.id)
	if !ok {
		return nil, wire.NotFound("webhook")
	}
	result, err := c.tx.ExecContext(ctx, `DELETE FROM webhooks WHERE seq = ?`, seq)
	if err != nil {
		return nil, fmt.Errorf("delete webhook: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return nil, wire.NotFound("webhook")
	}
	_, err = c.tx.ExecContext(ctx, `DELETE FROM deliveries WHERE webhook = ?`, seq)
	if err != nil {
		return nil, fmt.Errorf("drop deliveries: %w", err)
	}
	_, err = c.tx.ExecContext(ctx, `DELETE FROM events WHERE seq NOT IN (SELECT event FROM deliveries)`)
	if err != nil {
		return nil, fmt.Errorf("drop events: %w", err)
	}
	return deletedWebhook{ID: req.id, Deleted: true}, nil
}

// sign returns the lowercase hex HMAC-SHA256 of a body.
func sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
