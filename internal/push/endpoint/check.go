package endpoint

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/push"
	"github.com/cardtop/cardtop/state/webhooks"
)

// Check says how deliveries to an address would arrive, or why they would not: its
// webhook is in the list, its secret is stored, and a heartbeat through the address is
// answered, by the program that listens there or else by this one.
func Check(ctx context.Context, cfg Config, hooks []api.Webhook) (string, error) {
	kept, err := cfg.Secrets.Load(ctx)
	if errors.Is(err, ErrNone) {
		return "", errors.New("no webhook is registered yet: the dashboard does it at its start")
	}
	if err != nil {
		return "", fmt.Errorf("read the signing secret: %w", err)
	}
	defer kept.Secret.Wipe()
	hook := api.WebhookID("")
	for _, h := range hooks {
		if h.ID == kept.Webhook || string(h.URL) == cfg.URL {
			hook = h.ID
		}
	}
	if hook == "" {
		return "", errors.New("the webhook is not in the list: the dashboard registers it at its start")
	}
	e := New(cfg)
	defer e.Close()
	by := "this program"
	switch listener, err := e.listen(ctx); {
	case err != nil && cfg.Listen != "" && cfg.URL != "":
		by = "the program that listens at " + cfg.Listen
	case err != nil:
		return "", err
	default:
		server := push.Server(&push.Receiver{
			Path: pathOf(cfg.URL), Secret: func() [][]byte { return [][]byte{kept.Secret.Bytes()} }, Header: cfg.Header, Deliver: func(push.Delivery) {}, Now: cfg.Now,
		})
		served := make(chan struct{})
		go func() {
			defer close(served)
			_ = server.Serve(limit(listener, connections)) // It ends when it is closed.
		}()
		defer func() {
			_ = server.Close()
			<-served
		}()
	}
	from := cfg.Now()
	if err := send(ctx, e.sender, cfg.URL, cfg.Header, kept.Secret, rand.Text()); err != nil {
		return "", fmt.Errorf("a heartbeat to %s: %w", webhooks.Host(cfg.URL), err)
	}
	return fmt.Sprintf("a heartbeat to %s came to %s in %d ms; webhook %s", webhooks.Host(cfg.URL), by, cfg.Now().Sub(from).Milliseconds(), hook), nil
}
