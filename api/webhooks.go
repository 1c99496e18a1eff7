package api

import (
	"encoding/json"
	"time"
)

// Webhook is a registered endpoint. Its secret comes with the answer to its
// creation only.
type Webhook struct {
	ID        WebhookID     `json:"id"`
	URL       Text          `json:"url"`
	Events    []Text        `json:"events"` // "*" alone: all
	Secret    SigningSecret `json:"secret"`
	Active    *bool         `json:"active"`
	CreatedAt time.Time     `json:"created_at"`
}

// UnmarshalJSON decodes a webhook; the id must be there.
func (h *Webhook) UnmarshalJSON(b []byte) error {
	type plain Webhook
	w := struct {
		*plain
		CreatedAt stamp `json:"created_at"`
	}{plain: (*plain)(h)}
	if err := json.Unmarshal(b, &w); err != nil {
		return err
	}
	h.CreatedAt = w.CreatedAt.time()
	return needID(h.ID, "webhook")
}
