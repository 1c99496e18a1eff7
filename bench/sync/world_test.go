//go:build long

package sync_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/push/endpoint"
	"github.com/cardtop/cardtop/internal/push/pushtest"
	"github.com/cardtop/cardtop/state/kernel"
)

const (
	programKey = "sk_test_program"
	// watcherKey sees what the program must not miss. Limits count by key, so it
	// takes nothing from the program's.
	watcherKey = "sk_test_watcher"
)

// roundTrip is how long every request takes besides the server's own work.
const roundTrip = 80 * time.Millisecond

// clock returns the virtual time of the current bubble.
func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// pass waits in virtual time.
func pass(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// between returns a random span.
func between(rng *rand.Rand, least, most time.Duration) time.Duration {
	return least + time.Duration(rng.Int64N(int64(most-least)))
}

// world is a running sandbox, and the network of a program to it.
type world struct {
	t      *testing.T
	server *sandbox.Server
	line   http.RoundTripper
	door   *endpoint.Endpoint // of webhooks; nil for none
	told   chan kernel.Event  // what a hub tells, for one of its viewers; nil for none
	stop   func()
}

// pushed returns what webhooks or a hub tell of; nil without them.
func (w *world) pushed() <-chan kernel.Event {
	if w.door == nil {
		return w.told
	}
	return w.door.Events()
}

// openWorld opens a world that runs until stop.
func openWorld(ctx context.Context, t *testing.T, cfg sandbox.Config) *world {
	t.Helper()
	cfg.Seed, cfg.APIKeys = 7, []string{programKey, watcherKey}
	server, err := sandbox.Open(ctx, cfg)
	must(t, err)
	ctx, cancel := context.WithCancel(ctx)
	lives := make(chan struct{})
	go func() {
		defer close(lives)
		_ = server.Run(ctx) // It always gives nil.
	}()
	return &world{t: t, server: server, line: line{server.Transport()}, stop: func() {
		cancel()
		<-lives
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}}
}

// openPushedWorld opens a world that delivers webhooks to the program.
func openPushedWorld(t *testing.T, cfg sandbox.Config) *world {
	t.Helper()
	to := pushtest.Listen()
	cfg.AllowHTTPWebhooks, cfg.WebhookClient = true, &http.Client{Transport: line{to.Transport()}, Timeout: 10 * time.Second}
	w := openWorld(t.Context(), t, cfg)
	w.door = endpoint.New(endpoint.Config{URL: "http://127.0.0.1:8420/hook", Listen: "127.0.0.1:8420", Open: func(context.Context, string) (net.Listener, error) { return to, nil }, Transport: to.Transport(), Now: clock})
	stop := w.stop
	w.stop = func() {
		stop()
		w.door.Close()
	}
	return w
}

// followHub has a viewer of a hub be told of what is new there.
func (w *world) followHub(ctx context.Context, eng *engine.Engine) {
	if w.told == nil {
		return
	}
	go eng.FollowHub(ctx, func(ev kernel.Event) {
		select {
		case w.told <- ev:
		case <-ctx.Done():
		}
	})
}

// engine returns an engine that reaches the world over the network.
func (w *world) engine(disk engine.Config) *engine.Engine {
	w.t.Helper()
	var eng *engine.Engine
	key := programKey
	if w.told != nil {
		key = viewerKey
	}
	client, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: w.line, Now: clock,
		Observe: func(c api.Call) { eng.Observe(c) },
	})
	must(w.t, err)
	disk.Client, disk.Now = client, clock
	if w.door != nil {
		disk.Push = w.door
	}
	eng = engine.New(disk)
	return eng
}

// ask calls the server without the network, as the watcher.
func (w *world) ask(method, path string, body, into any) {
	w.t.Helper()
	data, err := json.Marshal(body)
	must(w.t, err)
	req, err := http.NewRequestWithContext(context.WithoutCancel(w.t.Context()), method, "http://localhost"+path, bytes.NewReader(data))
	must(w.t, err)
	req.Header.Set("Authorization", "Bearer "+watcherKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := w.server.Transport().RoundTrip(req)
	must(w.t, err)
	defer func() { _ = res.Body.Close() }()
	if data, err = io.ReadAll(res.Body); err != nil {
		w.t.Fatal(err)
	}
	if res.StatusCode >= 400 {
		w.t.Fatalf("%s %s: %d %s", method, path, res.StatusCode, data)
	}
	if into == nil {
		return
	}
	must(w.t, json.Unmarshal(data, into))
}

// item is a row of any list.
type item struct {
	ID      string    `json:"id"`
	Last4   string    `json:"last4"`
	Status  string    `json:"status"`
	Created time.Time `json:"created_at"`
	Type    string    `json:"type"`
	Amount  api.USD   `json:"amount"`
}

// list returns all rows of a list, page by page.
func (w *world) list(path string) []item {
	w.t.Helper()
	var all []item
	for page := 1; ; page++ {
		var answer struct{ Data []item }
		w.ask(http.MethodGet, fmt.Sprintf("%s&per_page=100&page=%d", path, page), nil, &answer)
		all = append(all, answer.Data...)
		if len(answer.Data) < 100 {
			return all
		}
	}
}

// report is what reached the server.
type report struct {
	Requests map[string]map[int]int
	MostHour int `json:"most_in_an_hour"`
	MostMin  int `json:"most_in_a_minute"`
}

func (w *world) report() report {
	w.t.Helper()
	var r report
	w.ask(http.MethodGet, "/sandbox/report", nil, &r)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
