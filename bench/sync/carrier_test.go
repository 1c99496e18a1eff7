//go:build long

package sync_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/push/pushtest"
)

// mischief is what happens to a delivery on its way.
type mischief string

const (
	arrives   mischief = "arrives"
	dropped   mischief = "dropped"
	doubled   mischief = "doubled"
	delayed   mischief = "delayed"
	reordered mischief = "reordered"
	forged    mischief = "forged"
)

// carrier brings the deliveries of the sandbox to the program, and answers for it.
type carrier struct {
	to http.RoundTripper

	mu    sync.Mutex
	rng   *rand.Rand
	odds  float64 // of a mischief
	done  map[mischief]int
	held  func() // one that the next overtakes
	letIn int    // forged ones that were let in
}

// openPushedWorld opens a world that delivers to an endpoint over a carrier.
func openPushedWorld(t *testing.T, cfg sandbox.Config, seed uint64) (*world, *carrier) {
	t.Helper()
	line := pushtest.Listen()
	c := &carrier{to: line.Transport(), rng: newRand(seed), done: make(map[mischief]int)}
	cfg.AllowHTTPWebhooks, cfg.WebhookClient = true, &http.Client{Transport: c, Timeout: 10 * time.Second}
	w := openWorld(t.Context(), t, cfg)
	w.door = endpoint.New(endpoint.Config{URL: "http://127.0.0.1:8420/hook", Listen: "127.0.0.1:8420", Open: func(context.Context, string) (net.Listener, error) { return line, nil }, Transport: line.Transport(), Now: clock})
	stop := w.stop
	w.stop = func() {
		stop()
		w.door.Close()
		pass(time.Minute) // What is delayed arrives nowhere.
	}
	return w, c
}

// next draws what happens to a delivery.
func (c *carrier) next() (kind mischief, late time.Duration, before func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kind = arrives
	if c.rng.Float64() < c.odds {
		kind = []mischief{dropped, doubled, delayed, reordered, forged}[c.rng.IntN(5)]
	}
	c.done[kind]++
	before, c.held = c.held, nil
	return kind, between(c.rng, time.Second, 20*time.Second), before
}

// count is how many deliveries had something happen to them.
func (c *carrier) count() (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for kind, times := range c.done {
		if kind != arrives {
			n += times
		}
	}
	return n
}

// RoundTrip implements http.RoundTripper.
func (c *carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	header, url := r.Header.Clone(), r.URL.String()
	deliver := func(body []byte) int {
		req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			return 0
		}
		req.Header = header
		pass(roundTrip / 2)
		res, err := c.to.RoundTrip(req)
		if err != nil {
			return 0
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	kind, late, before := c.next()
	later := func(d time.Duration) {
		go func() {
			pass(d)
			deliver(body)
		}()
	}
	switch kind {
	case dropped:
	case delayed:
		later(late)
	case reordered:
		c.mu.Lock()
		c.held = func() { deliver(body) }
		c.mu.Unlock()
	case doubled:
		deliver(body)
		later(late)
	case forged:
		if deliver(slices.Concat([]byte(`{"type":"3ds.challenge","id":"forged"} `), body)) == http.StatusNoContent {
			c.mu.Lock()
			c.letIn++
			c.mu.Unlock()
		}
		deliver(body)
	default:
		deliver(body)
	}
	if before != nil {
		before()
	}
	pass(roundTrip / 2)
	return &http.Response{StatusCode: http.StatusNoContent, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}
