package e2e

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/push/pushtest"
	"github.com/cardtop/cardtop/state/kernel"
)

// hooks is the way of webhooks to the program. Its secret outlives a session.
type hooks struct {
	down atomic.Bool // nothing comes through
	kept *endpoint.Kept

	line    *pushtest.Listener
	address *endpoint.Endpoint
}

// open returns the address of a session; nil without one.
func (h *hooks) open() engine.Push {
	if h == nil {
		return nil
	}
	h.address = endpoint.New(endpoint.Config{URL: "http://127.0.0.1:8420/t0ken", Listen: "127.0.0.1:8420", Open: func(context.Context, string) (net.Listener, error) { return h.line, nil }, Transport: h, Secrets: h, Now: clock})
	return h.address
}

func (h *hooks) client() *http.Client {
	if h == nil {
		return nil
	}
	h.line = pushtest.Listen()
	return &http.Client{Transport: h, Timeout: 10 * time.Second}
}

func (h *hooks) events() <-chan kernel.Event {
	if h == nil {
		return nil
	}
	return h.address.Events()
}

func (h *hooks) close() {
	if h != nil {
		h.address.Close()
	}
}

// RoundTrip implements http.RoundTripper: the network between the service and the
// program.
func (h *hooks) RoundTrip(r *http.Request) (*http.Response, error) {
	if h.down.Load() {
		return nil, errors.New("connection refused")
	}
	return h.line.Transport().RoundTrip(r)
}

// Load implements endpoint.Secrets.
func (h *hooks) Load(context.Context) (endpoint.Kept, error) {
	if h.kept == nil {
		return endpoint.Kept{}, endpoint.ErrNone
	}
	return endpoint.Kept{Webhook: h.kept.Webhook, Secret: api.NewSigningSecret(h.kept.Secret.Bytes())}, nil
}

// Save implements endpoint.Secrets.
func (h *hooks) Save(_ context.Context, k endpoint.Kept) error {
	h.kept = &endpoint.Kept{Webhook: k.Webhook, Secret: api.NewSigningSecret(k.Secret.Bytes())}
	return nil
}
