package api

import (
	"bytes"
	"encoding/json"
	"net/url"
	"time"
)

// WebhookID identifies a webhook (prefix wh_).
type WebhookID string

// UnmarshalJSON decodes the identifier; one that is not printable ASCII is refused.
func (id *WebhookID) UnmarshalJSON(b []byte) error { return setID(id, b) }

// Webhook is a registered endpoint. Only the answer to its creation has the secret.
type Webhook struct {
	ID        WebhookID     `json:"id"`
	URL       Text          `json:"url"`
	Events    []Text        `json:"events"` // "*" alone: all
	Secret    SigningSecret `json:"secret"`
	Active    *bool         `json:"active"`
	CreatedAt time.Time     `json:"created_at"`
}

// UnmarshalJSON decodes a webhook; the id is required.
func (h *Webhook) UnmarshalJSON(b []byte) error {
	type plain Webhook
	w := struct {
		*plain
		CreatedAt timestamp `json:"created_at"`
	}{plain: (*plain)(h)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	h.CreatedAt = w.CreatedAt.time()
	return requireID(h.ID, "webhook")
}

func (h *Webhook) identifier() string { return string(h.ID) }

// AllEvents subscribes to every event; it stands alone in its list.
const AllEvents = "*"

// CreateWebhookRequest registers an endpoint.
type CreateWebhookRequest struct {
	URL    string        // https
	Events []string      // at least one
	Secret SigningSecret // empty: the service makes one
}

// CreateWebhookWrite builds the request that registers an endpoint. It is sensitive:
// its body may hold the signing secret and its answer does. A URL that is not https,
// except on loopback (ASSUMED 21), is ErrInvalid.
func CreateWebhookWrite(r CreateWebhookRequest) (Write, error) {
	if err := r.check(); err != nil {
		return Write{}, err
	}
	body := struct {
		URL    string   `json:"url"`
		Events []string `json:"events"`
		Secret string   `json:"secret,omitempty"`
	}{r.URL, r.Events, r.Secret.Expose()}
	w, err := newWrite(methodPost, "/webhooks", "/webhooks", body)
	w.Sensitive = true
	return w, err
}

func (r CreateWebhookRequest) check() error {
	u, err := url.Parse(r.URL)
	switch {
	case err != nil, u.Hostname() == "", u.User != nil:
		return Invalid("the webhook url is not valid")
	case u.Scheme != "https" && (u.Scheme != "http" || !IsLoopback(u)):
		// ASSUMED 21: a sandbox may take http for loopback.
		return Invalid("the webhook url is not https")
	case len(r.Events) == 0:
		return Invalid("events is empty")
	}
	for _, e := range r.Events {
		if e == "" || e == AllEvents && len(r.Events) > 1 {
			return Invalid("events holds an empty name, or * beside others")
		}
	}
	return nil
}

// DeleteWebhookWrite builds the request that removes an endpoint for good.
func DeleteWebhookWrite(id WebhookID) (Write, error) {
	s, err := Segment("webhook", id)
	if err != nil {
		return Write{}, err
	}
	return newWrite(methodDelete, "/webhooks/{webhook_id}", "/webhooks/"+s, nil)
}

// DeleteResult is the answer to removing a webhook. The contract names no field of it,
// and it may be empty (ASSUMED 20).
type DeleteResult struct {
	ID WebhookID `json:"id"`
}

func (*DeleteResult) mayBeEmpty() bool { return true }

// Wipe overwrites the signing secret.
func (h *Webhook) Wipe() { h.Secret.Wipe() }

// DecodeWebhooks decodes a bare array, or one in data (ASSUMED 20).
func DecodeWebhooks(b []byte) (Page[Webhook], error) {
	if b = bytes.TrimSpace(b); len(b) > 0 && b[0] == '[' {
		b = object("data", b)
		defer clear(b)
	}
	return DecodePage[Webhook](b)
}
