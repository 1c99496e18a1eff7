package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/ui/tty"
)

// embedded is the sandbox in this process. It is filled while the program starts, and
// requests wait for that.
type embedded struct {
	opened chan struct{}
	world  *sandbox.Server // set when opened is closed, or nil
	next   http.RoundTripper
	err    error
}

// openSandbox starts the embedded sandbox with a key of its own.
func openSandbox(ctx context.Context, fail func(error)) account {
	key := "sk_test_" + rand.Text()
	e := &embedded{opened: make(chan struct{})}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(ctx)
	tty.Go(fail, func() {
		defer close(done)
		switch e.open(ctx, key); {
		case e.err == nil:
			_ = e.world.Run(ctx) // It always returns nil.
		case ctx.Err() == nil:
			fail(e.err)
		}
	})
	return account{
		cfg:  client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: e},
		mode: config.ModeSandbox,
		close: func() {
			cancel()
			<-done
			if e.world != nil {
				_ = e.world.Close() // The world ends with the program: nothing is lost.
			}
		},
	}
}

func (e *embedded) open(ctx context.Context, key string) {
	defer close(e.opened)
	world, err := sandbox.Open(ctx, sandbox.Config{
		Seed: 1, APIKeys: []string{key}, History: sandbox.DefaultHistory, Reasons: sandbox.ReasonsSome, AllowHTTPWebhooks: true,
	})
	if err != nil {
		e.err = fmt.Errorf("open the sandbox: %w", err)
		return
	}
	e.world, e.next = world, world.Transport()
}

// RoundTrip implements [http.RoundTripper].
func (e *embedded) RoundTrip(r *http.Request) (*http.Response, error) {
	var err error
	select {
	case <-e.opened:
		if err = e.err; err == nil {
			return e.next.RoundTrip(r)
		}
	case <-r.Context().Done():
		err = context.Cause(r.Context())
	}
	if r.Body != nil {
		_ = r.Body.Close() // Nothing of it was read.
	}
	return nil, err
}
