package loop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

// line is the way to the server. It can be cut, and notes what is sent over it.
type line struct {
	next http.RoundTripper
	mu   sync.Mutex
	cut  bool
	sent []call
}

type call struct {
	path string
	at   time.Time
}

func isCodes(c call) bool { return c.path == "/v1/3ds" }

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mu.Lock()
	l.sent = append(l.sent, call{r.URL.Path, clock()})
	cut := l.cut
	l.mu.Unlock()
	if cut {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.EHOSTUNREACH}
	}
	return l.next.RoundTrip(r)
}

func (l *line) set(cut bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = cut
}

func (l *line) since(at time.Time) []call {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []call
	for _, c := range l.sent {
		if !c.at.Before(at) {
			out = append(out, c)
		}
	}
	return out
}

const testKey = "sk_test_outage"

// site is the sandbox with a store that is kept up to date with it.
type site struct {
	t     *testing.T
	world *sandbox.Server
	line  *line
	store *state.Store
}

// ask calls the server past the line.
func (s *site) ask(method, path string, body map[string]any) map[string]any {
	s.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, "http://localhost"+path, bytes.NewReader(data))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.world.Transport().RoundTrip(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var out map[string]any
	if data, err = io.ReadAll(res.Body); err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil || res.StatusCode >= 400 {
		s.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, data, err)
	}
	return out
}

// list gives the ids of all the server lists at a path, from a moment on where
// there are moments.
func (s *site) list(path string, from time.Time) map[string]bool {
	s.t.Helper()
	ids := make(map[string]bool)
	for page := 1; ; page++ {
		rows, ok := s.ask(http.MethodGet, fmt.Sprintf("%s?per_page=100&page=%d&from=%s", path, page, from.UTC().Format(time.RFC3339)), nil)["data"].([]any)
		if !ok || len(rows) == 0 {
			return ids
		}
		for _, row := range rows {
			if row, ok := row.(map[string]any); ok {
				ids[fmt.Sprint(row["id"])] = true
			}
		}
	}
}

// charge lets a merchant hold a cent on a card.
func (s *site) charge(card any, merchant string) {
	s.t.Helper()
	s.ask(http.MethodPost, "/sandbox/transactions", map[string]any{"card_id": card, "type": "authorization", "amount": 0.01, "merchant": merchant})
}

// card is the id of one that can be charged.
func (s *site) card() any {
	s.t.Helper()
	for id := range s.list("/v1/cards", time.Time{}) {
		if s.ask(http.MethodGet, "/v1/cards/"+id, nil)["status"] == "active" {
			return id
		}
	}
	s.t.Fatal("no card is active")
	return nil
}

// once tells whether all that the server lists is held, and nothing twice.
func once[T ~string](t *testing.T, what string, held []T, listed map[string]bool) {
	t.Helper()
	left, seen := maps.Clone(listed), make(map[T]bool)
	for _, id := range held {
		if seen[id] {
			t.Errorf("%s %s is there twice", what, id)
		}
		seen[id] = true
		delete(left, string(id))
	}
	if len(left) > 0 {
		t.Errorf("of %d %ss %d are lost", len(listed), what, len(left))
	}
}

func (s *site) transactionsHeld() []api.TransactionID {
	var out []api.TransactionID
	for _, row := range s.store.Txns.All() {
		out = append(out, row.ID)
	}
	return out
}

// live runs a store on the sandbox while tell goes on, then stops it.
func live(t *testing.T, cards int, only []poll.Lane, changed func(*state.Store), tell func(s *site)) *site {
	t.Helper()
	world, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 7, Cards: cards, Transactions: cards, Quiet: true, APIKeys: []string{testKey}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	}()
	s := &site{t: t, world: world, line: &line{next: world.Transport()}}
	s.store = state.New(settings.Config{NewKey: func() api.IdempotencyKey { return "key" }, Rand: func() float64 { return 0.999 }, Only: only})
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(testKey), Transport: s.line, Now: clock,
		Observe: func(c api.Call) { eng.Observe(c) },
	})
	if err != nil {
		t.Fatal(err)
	}
	eng = engine.New(engine.Config{Client: cl, Now: clock})
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- loop.Run(ctx, loop.Config{
			Store: s.store, Do: eng.Run, Now: clock,
			Changed: func(kernel.Topic) ([]kernel.Intent, bool) { changed(s.store); return nil, false },
		})
	}()
	tell(s)
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("the loop ended with %v", err)
	}
	return s
}

// TestSixHoursOfOutage cuts the line for six hours in which the account is
// used, and looks at the five seconds after them.
func TestSixHoursOfOutage(t *testing.T) {
	t.Parallel()
	const (
		hours = 6
		every = 80 * time.Second
	)
	synctest.Test(t, func(t *testing.T) {
		var seen, up time.Time
		changed := func(s *state.Store) {
			if code, ok := s.Codes.Newest(); ok && seen.IsZero() && code.Merchant == "Just Before" {
				seen = clock()
			}
			if s.Poll.Health().Link != kernel.Live {
				up = time.Time{}
			} else if up.IsZero() {
				up = clock()
			}
		}
		var (
			back time.Time
			want map[string]bool
		)
		s := live(t, 4, nil, changed, func(s *site) {
			time.Sleep(5 * time.Second) //nolint:forbidigo // virtual time in a bubble
			s.line.set(true)
			began := clock()
			card := s.card()
			for i := range hours * time.Hour / every {
				s.charge(card, fmt.Sprintf("Store %d", i))
				time.Sleep(every) //nolint:forbidigo // virtual time in a bubble
			}
			s.ask(http.MethodPost, "/sandbox/challenges", map[string]any{"card_id": card, "amount": 1, "merchant": "Just Before"})
			if n := len(s.line.since(began)); n > hours*1600 {
				t.Errorf("%d requests in %d hours", n, hours)
			}
			// Right after a try the next is as far away as it can be.
			for last := clock(); !slices.ContainsFunc(s.line.since(last), isCodes); {
				time.Sleep(10 * time.Millisecond) //nolint:forbidigo // virtual time in a bubble
			}
			s.line.set(false)
			back = clock().Add(time.Nanosecond)
			time.Sleep(6 * time.Second) //nolint:forbidigo // virtual time in a bubble
			want = s.list("/v1/transactions", began.Add(-23*time.Hour))
		})
		first := s.line.since(back)
		codes := slices.IndexFunc(first, isCodes)
		if codes < 0 || !first[codes].at.Equal(first[0].at) {
			t.Errorf("the first requests were %v", first)
		}
		if seen.IsZero() || up.IsZero() || seen.Sub(back) > 5*time.Second || up.Sub(back) > 5*time.Second {
			t.Errorf("the code was there after %v, everything after %v", seen.Sub(back), up.Sub(back))
		}
		if len(want) < int(hours*time.Hour/every) {
			t.Fatalf("the server lists %d transactions", len(want))
		}
		once(t, "transaction", s.transactionsHeld(), want)
	})
}
