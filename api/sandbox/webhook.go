package sandbox

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"

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
