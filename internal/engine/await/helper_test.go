package await_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/await"
	"github.com/cardtop/cardtop/internal/storage/journal"
)

const testKey = "sk_test_await"

// clock is the virtual time of the bubble it is read in.
func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// shop is a sandbox and the wire to it, which can be cut.
type shop struct {
	t     *testing.T
	world *sandbox.Server
	eng   *engine.Engine
	began time.Time
	later sync.WaitGroup

	mu   sync.Mutex
	down bool
	seen []string
	told []string
}

// story runs a test in a bubble of virtual time.
func story(t *testing.T, key string, tell func(s *shop)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 7, APIKeys: []string{testKey}, Cards: -1, Wallet: "90000", Quiet: true, NoLimits: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := world.Close(); err != nil {
				t.Error(err)
			}
		})
		s := &shop{t: t, world: world, began: clock()}
		cl, err := client.New(client.Config{
			BaseURL: "http://localhost/v1", Key: api.NewAPIKey(key), Transport: s,
			Observe: func(c api.Call) { s.eng.Observe(c) },
		})
		if err != nil {
			t.Fatal(err)
		}
		none, err := journal.Open("", clock)
		if err != nil {
			t.Fatal(err)
		}
		s.eng = engine.New(engine.Config{Client: cl, Journal: none, Now: clock})
		tell(s)
		s.later.Wait()
	})
}

// RoundTrip is the wire of the code under test.
func (s *shop) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Method+" "+r.URL.Path)
	down := s.down
	s.mu.Unlock()
	if down {
		return nil, errors.New("dial tcp: connection refused")
	}
	return s.world.Transport().RoundTrip(r)
}

func (s *shop) cut(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// asked counts requests.
func (s *shop) asked(request string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, seen := range s.seen {
		if seen == request {
			n++
		}
	}
	return n
}

func (s *shop) tell(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told = append(s.told, line)
}

// after does something later, while the code under test runs. The story ends
// after it.
func (s *shop) after(d time.Duration, do func()) {
	s.later.Go(func() {
		time.Sleep(d) //nolint:forbidigo // virtual time in a bubble
		do()
	})
}

// ask sends a request of another client, or moves a lever of the sandbox's.
func (s *shop) ask(method, path string, body map[string]any) map[string]any {
	s.t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			s.t.Fatal(err)
		}
	}
	if !strings.HasPrefix(path, "/sandbox") {
		path = "/v1" + path
	}
	req, err := http.NewRequestWithContext(context.Background(), method, "http://localhost"+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.world.Transport().RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It is in memory.
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %s", method, path, answer)
	}
	var out map[string]any
	if err := json.Unmarshal(answer, &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *shop) card(label string) (id, last4 string) {
	s.t.Helper()
	c := s.ask(http.MethodPost, "/cards", map[string]any{"bin_id": "424242", "amount": 5, "label": label})
	return text(s.t, c["id"]), text(s.t, c["last4"])
}

func (s *shop) challenge(card, merchant, code string) (id string) {
	s.t.Helper()
	c := s.ask(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": card, "merchant": merchant, "otp": code, "amount": 12.5})
	return text(s.t, c["id"])
}

// fault lets requests go wrong, a number of times or, with 0, for good.
func (s *shop) fault(route, kind string, times int) {
	s.t.Helper()
	body := map[string]any{"route": route, "kind": kind}
	if times > 0 {
		body["times"] = times
	}
	s.ask(http.MethodPost, "/sandbox/faults", body)
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, ok := v.(string)
	if !ok {
		t.Fatalf("%v is no text", v)
	}
	return out
}

// config is a wait of a minute.
func (s *shop) config(card string) await.Config {
	return await.Config{
		Do: s.eng.Run, Now: clock, Rand: func() float64 { return 0.5 }, Card: card, Wait: true, Timeout: time.Minute, Tell: s.tell,
	}
}

// now is a look without a wait.
func (s *shop) now(card string) await.Config {
	cfg := s.config(card)
	cfg.Wait = false
	return cfg
}

// get expects a code.
func (s *shop) get(cfg await.Config, want string) await.Result {
	s.t.Helper()
	r, err := await.Code(s.t.Context(), cfg)
	if err != nil {
		s.t.Fatalf("no code: %v", err)
	}
	if got := r.Digits.Expose(); got != want {
		s.t.Fatalf("got %q, want %q", got, want)
	}
	return r
}

// fail expects an error of a kind whose line holds a text.
func (s *shop) fail(cfg await.Config, kind error, part string) {
	s.t.Helper()
	r, err := await.Code(s.t.Context(), cfg)
	if err == nil {
		s.t.Fatalf("got %q, want an error", r.Digits.Expose())
	}
	if kind != nil && !errors.Is(err, kind) || !strings.Contains(err.Error(), part) {
		s.t.Fatalf("got %v, want %v with %q", err, kind, part)
	}
	if strings.Contains(err.Error(), "\n") {
		s.t.Errorf("%q is more than a line", err)
	}
	if errors.Is(err, context.DeadlineExceeded) != errors.Is(kind, context.DeadlineExceeded) {
		s.t.Errorf("%v passes for a time-out", err)
	}
}

// took bounds how long the story has run.
func (s *shop) took(low, high time.Duration) {
	s.t.Helper()
	if d := clock().Sub(s.began); d < low || d > high {
		s.t.Errorf("it took %s, want %s to %s", d, low, high)
	}
}
