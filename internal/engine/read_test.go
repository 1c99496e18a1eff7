package engine_test

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
)

// slow answers after a while.
type slow struct {
	http.RoundTripper
	by time.Duration
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(s.by) //nolint:forbidigo // virtual time
	return s.RoundTripper.RoundTrip(r)
}

// patient returns a read of an engine over a transport, in virtual time, and what is told of its waits.
func patient(t *testing.T, over http.RoundTripper) (read func() error, told func() []string) {
	t.Helper()
	var eng *engine.Engine
	var mu sync.Mutex
	var lines []string
	now := time.Now //nolint:forbidigo // virtual time
	cl, err := client.New(client.Config{
		BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: over,
		Observe: func(c api.Call) { eng.Observe(c) }, Now: now,
	})
	must(t, err)
	eng = engine.New(engine.Config{Client: cl, Now: now, Waits: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}})
	return func() error {
			_, err := engine.Read(t.Context(), eng, "wallet", func(ctx context.Context, c *client.Client) (api.Wallet, error) { return c.WalletBalance(ctx) })
			return err
		}, func() []string {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(lines)
		}
}

// TestAReadWaitsOutTheMinuteAndSaysSo: what uses the minute up waits for its end, whatever the budget rounds up.
func TestAReadWaitsOutTheMinuteAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, told := patient(t, &service{bodies: bodies()})
		for n := range 1500 {
			if err := read(); err != nil {
				t.Fatalf("request %d: %v", n, err)
			}
		}
		if !slices.Contains(told(), "waiting 62 s for the request limit") {
			t.Errorf("told %q", told())
		}
	})
}

// TestWaitsSideBySideAreToldOnce, not once for each page that waits.
func TestWaitsSideBySideAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		read, told := patient(t, slow{&service{bodies: bodies()}, 3 * time.Second})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := read(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(told()) != 1 {
			t.Errorf("told %q", told())
		}
	})
}
