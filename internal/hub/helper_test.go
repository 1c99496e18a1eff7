package hub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/kept"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/settings"
)

const upstreamKey = "sk_test_upstream"

func clock() time.Time { return time.Now() } //nolint:forbidigo // virtual in a bubble, and else the hub's own clock

// site is a hub, the sandbox behind it, and a team.
type site struct {
	t       testing.TB
	world   *sandbox.Server
	dir     string
	people  *team.Live
	tokens  map[string]string
	guard   guard.Guard
	limits  limit.Limits
	between http.RoundTripper  // to the sandbox; nil is its own transport
	watch   func(*state.Store) // called with each viewer's store when its codes changed
	wrap    func(engine.Journal, engine.History) (engine.Journal, engine.History)

	hub     *hub.Server
	journal *journal.Journal
	past    *history.Log
	said    bytes.Buffer
	stop    func()
	sent    sync.Mutex
	paths   []string
}

// RoundTrip is what the hub sends to the sandbox.
func (s *site) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent.Lock()
	s.paths = append(s.paths, r.Method+" "+r.URL.Path)
	s.sent.Unlock()
	if s.between != nil {
		return s.between.RoundTrip(r)
	}
	return s.world.Transport().RoundTrip(r)
}

// asked counts what was sent to the sandbox.
func (s *site) asked(request string) (n int) {
	s.sent.Lock()
	defer s.sent.Unlock()
	for _, p := range s.paths {
		if p == request {
			n++
		}
	}
	return n
}

// open makes a sandbox and a team, and no hub yet.
func open(tb testing.TB, cfg sandbox.Config, people ...team.Person) *site {
	tb.Helper()
	cfg.APIKeys = []string{upstreamKey}
	world, err := sandbox.Open(tb.Context(), cfg)
	must(tb, err)
	s := &site{t: tb, world: world, dir: tb.TempDir(), tokens: make(map[string]string), limits: limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 100}}
	for i := range people {
		token := fmt.Sprintf("sk_test_hub_%s", people[i].Name)
		people[i].Token = team.HashOf([]byte(token))
		s.tokens[people[i].Name] = token
	}
	s.people = team.Fixed(&team.Team{People: people})
	tb.Cleanup(func() {
		s.end()
		if err := world.Close(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// begin starts a hub on what the last one left on disk.
func (s *site) begin() {
	s.t.Helper()
	var err error
	if s.journal, err = journal.Open(s.dir, clock); err != nil {
		s.t.Fatal(err)
	}
	s.past, err = history.Open(history.Config{Dir: s.dir, User: "hub", Mode: "TEST", Profile: "team", Via: "hub", Now: clock})
	must(s.t, err)
	var eng *engine.Engine
	cl, err := client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(upstreamKey), Now: clock, Transport: s,
		Observe: func(c api.Call) { eng.Observe(c) },
	})
	must(s.t, err)
	var ops engine.Journal = s.journal
	var past engine.History = s.past
	if s.wrap != nil {
		ops, past = s.wrap(ops, past)
	}
	eng = engine.New(engine.Config{Client: cl, Journal: ops, History: past, Guard: s.guard, Now: clock})
	set := settings.Defaults() // As a profile without settings has them.
	set.Guard, set.SpendHourly = s.guard, 0
	s.hub = hub.New(hub.Config{
		Engine: eng, Audit: s.past, Team: s.people, Limits: s.limits, Mode: "test", Version: "test", Now: clock, Pending: s.journal.Pending(),
		Store: settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, Reloadable: set},
		Keep:  kept.Dir{Path: filepath.Join(s.dir, "hub")},
		Tell:  func(line string) { s.said.WriteString(line + "\n") },
	})
	ctx, cancel := context.WithCancel(s.t.Context())
	over := make(chan error, 1)
	go func() { over <- s.hub.Run(ctx) }()
	s.stop = func() {
		cancel()
		if err := <-over; err != nil && !errors.Is(err, context.Canceled) {
			s.t.Error(err)
		}
		if err := s.journal.Close(); err != nil {
			s.t.Error(err)
		}
		s.stop = nil
	}
}

func (s *site) end() {
	if s.stop != nil {
		s.stop()
	}
}

// local is a transport to a handler in memory.
type local struct{ http.Handler }

func (l local) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.RemoteAddr = "192.0.2.7:4711"
	l.ServeHTTP(w, r)
	return w.Result(), nil
}

// reply is an answer of the hub.
type reply struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// ask sends a request as a person.
func (s *site) ask(name, method, path, body string, headers ...string) reply {
	s.t.Helper()
	return s.askWithin(s.t.Context(), name, method, path, body, headers...)
}

func (s *site) askWithin(ctx context.Context, name, method, path, body string, headers ...string) reply {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, "http://hub"+path, bytes.NewReader([]byte(body)))
	must(s.t, err)
	req.Header.Set("Authorization", "Bearer "+s.tokens[name])
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := local{s.hub}.RoundTrip(req)
	must(s.t, err)
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	must(s.t, err)
	r := reply{status: res.StatusCode, header: res.Header, text: string(data)}
	_ = json.Unmarshal(data, &r.body)
	return r
}

// upstream asks the sandbox itself.
func (s *site) upstream(method, path, body string) map[string]any {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, "http://localhost"+path, bytes.NewReader([]byte(body)))
	must(s.t, err)
	req.Header.Set("Authorization", "Bearer "+upstreamKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.world.Transport().RoundTrip(req)
	must(s.t, err)
	defer func() { _ = res.Body.Close() }()
	var out map[string]any
	data, err := io.ReadAll(res.Body)
	if err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &out)
	}
	if err != nil || res.StatusCode >= 400 {
		s.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, data, err)
	}
	return out
}

func admin() team.Person { return team.Person{Name: "root", Role: team.Admin, Labels: []string{"*"}} }

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
