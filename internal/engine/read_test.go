package engine_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
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

// TestAReadWaitsOutTheMinuteAndSaysSo: a thousand requests use the minute up, and the next comes through after the
// window, whatever the budget rounds up.
func TestAReadWaitsOutTheMinuteAndSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var eng *engine.Engine
		var told []string
		client, err := api.New(api.Config{
			BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: &service{bodies: bodies()},
			Observe: func(c api.Call) { eng.Observe(c) }, Now: time.Now,
		})
		if err != nil {
			t.Fatal(err)
		}
		eng = engine.New(engine.Config{Client: client, Now: time.Now, Waits: func(line string) { told = append(told, line) }})
		wallet := func(ctx context.Context, c *api.Client) (api.Wallet, error) { return c.WalletBalance(ctx) }
		for n := range 1500 {
			if _, err := engine.Read(t.Context(), eng, "wallet", wallet); err != nil {
				t.Fatalf("request %d: %v", n, err)
			}
		}
		if !slices.Contains(told, "waiting 62 s for the request limit") {
			t.Errorf("told %q", told)
		}
	})
}

func TestAnAnswerThatDoesNotComeIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var eng *engine.Engine
		var told []string
		client, err := api.New(api.Config{
			BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_0123456789"), Transport: slow{&service{bodies: bodies()}, 3 * time.Second},
			Observe: func(c api.Call) { eng.Observe(c) }, Now: time.Now,
		})
		if err != nil {
			t.Fatal(err)
		}
		eng = engine.New(engine.Config{Client: client, Now: time.Now, Waits: func(line string) { told = append(told, line) }})
		if _, err := engine.Read(t.Context(), eng, "wallet", func(ctx context.Context, c *api.Client) (api.Wallet, error) { return c.WalletBalance(ctx) }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(told, []string{"waiting for the API, which has not answered yet"}) {
			t.Errorf("told %q", told)
		}
	})
}
