package node_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/bustest"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/node"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/rule"
	"github.com/cardtop/cardtop/state/settings"
)

const (
	upstreamKey = "sk_test_upstream"
	token       = "sk_test_hub_ann"
)

func now() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// world is hubs, a service, and what the hubs share.
type world struct {
	t       *testing.T
	service *sandbox.Server
	shared  *bustest.Hubs
	keys    *seal.Keys
	guard   guard.Guard
	rules   []rule.Rule
	hubs    []*member
	skew    func(hub int) time.Duration // of its wall clock; ten minutes apart where a test sets none
}

// member is one of the hubs. Its connections to service and bus may be cut.
type member struct {
	w      *world
	node   *node.Node
	past   *history.Log
	stop   func()
	people *team.Live
	now    func() time.Time

	mu      sync.Mutex
	cut     bool          // from the bus
	follows bool          // never leads
	saves   chan struct{} // is told of each snapshot, which is never stored; nil where they are
	reads   int
	writes  int
	hold    chan struct{} // is closed by a write that acted, which is not answered
	refuse  bool          // the service refuses writes
	says    atomic.Value  // a string: the funded_amount that answers say instead; empty for the one there is
	said    []string
}

// holdNext has the next write act and get no answer until the hub gives it up. What it
// returns is closed then.
func (m *member) holdNext() <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hold = make(chan struct{})
	return m.hold
}

// release has writes be answered again.
func (m *member) release() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hold = nil
}

var funded = regexp.MustCompile(`"funded_amount":[0-9.]+`)

// sever cuts a hub off the bus, or connects it again.
func (m *member) sever(cut bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cut = cut
}

func (m *member) told() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.said, "\n")
}

func (m *member) fault(call string) bustest.Fault {
	m.mu.Lock()
	defer m.mu.Unlock()
	if call == "save" && m.saves != nil {
		m.saves <- struct{}{}
		return bustest.Fault{LoseRequest: true}
	}
	return bustest.Fault{LoseRequest: m.cut, Refused: m.follows && call == "swap"}
}

// RoundTrip is what a hub sends to the service.
func (m *member) RoundTrip(r *http.Request) (*http.Response, error) {
	m.mu.Lock()
	hold, refuse := m.hold, m.refuse
	if r.Method == http.MethodGet {
		m.reads++
	} else {
		m.writes++
		m.hold = nil
	}
	m.mu.Unlock()
	if refuse && r.Method != http.MethodGet {
		return &http.Response{
			StatusCode: http.StatusUnprocessableEntity, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
			Body: io.NopCloser(strings.NewReader(`{"error":"no","message":"no","code":422}`)),
		}, nil
	}
	res, err := m.w.service.Transport().RoundTrip(r)
	if says, _ := m.says.Load().(string); says != "" && err == nil && r.Method != http.MethodGet {
		data, readErr := io.ReadAll(res.Body)
		if err = readErr; err == nil {
			res.Body = io.NopCloser(bytes.NewReader(funded.ReplaceAll(data, []byte(says))))
			res.ContentLength = -1
		}
	}
	if r.Method != http.MethodGet && hold != nil {
		close(hold)
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	return res, err
}

func (m *member) count() (reads, writes int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.reads, m.writes
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// open makes a world without hubs. It is for a bubble: its clock is virtual.
func open(t *testing.T, key string) *world {
	t.Helper()
	service, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 7, Cards: -1, NoLimits: true, Quiet: true, Wallet: "50000", APIKeys: []string{upstreamKey}})
	must(t, err)
	w := &world{t: t, skew: func(hub int) time.Duration { return time.Duration(hub%3-1) * 10 * time.Minute }, service: service, shared: bustest.NewHubs()}
	file := filepath.Join(t.TempDir(), "key")
	must(t, os.WriteFile(file, []byte(key), 0o600))
	w.keys, err = seal.Load(file, "test")
	must(t, err)
	return w
}

// join starts another hub, and waits until it takes part.
func (w *world) join() *member {
	w.t.Helper()
	by := w.skew(len(w.hubs))
	m := &member{w: w, now: func() time.Time { return now().Add(by) }}
	dir := w.t.TempDir()
	var err error
	m.past, err = history.Open(history.Config{Dir: dir, User: "hub", Mode: "TEST", Profile: "team", Via: "hub", Now: m.now})
	must(w.t, err)
	m.people = team.Fixed(&team.Team{People: []team.Person{{Name: "ann", Role: team.Admin, Labels: []string{"*"}, Token: team.HashOf([]byte(token)), Keys: []string{sshKey}}}})
	var act []string
	for _, is := range w.rules {
		act = append(act, is.Name)
	}
	began := now()
	set := settings.Defaults() // As a profile without settings has them.
	set.Guard, set.Rules, set.SpendHourly = w.guard, w.rules, 0
	m.node = node.New(node.Config{
		Bus:  w.shared.Connect(m.fault),
		Keys: w.keys, Name: "hub", TTL: 3 * time.Second, Clock: func() time.Duration { return now().Sub(began) }, Connect: m.connect,
		Hub: hub.Config{
			Audit: m.past, Team: m.people,
			Limits: limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 9}, Mode: "test", Now: m.now, Act: act, Tell: m.tell,
			Store: settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, FindFundings: true, Reloadable: set},
		},
		Log: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(w.t.Context())
	over := make(chan error, 1)
	go func() { over <- m.node.Run(ctx) }()
	m.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-over; !errors.Is(err, context.Canceled) {
			w.t.Error(err)
		}
	})
	w.hubs = append(w.hubs, m)
	wait(10 * time.Second)
	return m
}

func (m *member) tell(line string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said = append(m.said, line)
}

func (m *member) connect(j engine.Journal, h func(engine.History) engine.History, address engine.Push, limit func(*client.Config)) (*engine.Engine, func(), error) {
	var eng *engine.Engine
	cfg := client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(upstreamKey), Now: m.now, Transport: m, Observe: func(c api.Call) { eng.Observe(c) }}
	limit(&cfg)
	cl, err := client.New(cfg)
	if err != nil {
		return nil, nil, err
	}
	eng = engine.New(engine.Config{Client: cl, Journal: j, History: h(m.past), Guard: m.w.guard, Rules: m.w.rules, Push: address, Now: m.now})
	return eng, func() {}, nil
}

func (w *world) close() {
	for _, m := range w.hubs {
		m.stop()
	}
	must(w.t, w.service.Close())
}

func wait(d time.Duration) { time.Sleep(d) } //nolint:forbidigo // virtual time in a bubble

// reply is an answer of a hub.
type reply struct {
	status int
	age    string
	text   string
	body   map[string]any
}

func (m *member) ask(method, path, body, key string) reply {
	m.w.t.Helper()
	return send(m.w.t, m.node, token, method, path, body, key)
}

func (w *world) upstream(method, path, body string) map[string]any {
	w.t.Helper()
	r := send(w.t, w.service.Handler(), upstreamKey, method, path, body, "")
	if r.status >= 400 {
		w.t.Fatalf("%s %s: %d %s", method, path, r.status, r.text)
	}
	return r.body
}

func send(t *testing.T, h http.Handler, as, method, path, body, key string) reply {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, bytes.NewReader([]byte(body)))
	r.RemoteAddr, r.Host = "127.0.0.1:50000", "localhost" // The sandbox is controlled from its machine only.
	r.Header.Set("Authorization", "Bearer "+as)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("X-Idempotency-Key", key)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	data, err := io.ReadAll(rec.Body)
	must(t, err)
	out := reply{status: rec.Code, age: rec.Header().Get("Age"), text: string(data)}
	_ = json.Unmarshal(data, &out.body) // A test looks at the text.
	return out
}

// card issues a card past the hubs.
func (w *world) card(label string) string {
	w.t.Helper()
	bins, _ := w.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any)
	bin, _ := bins[0].(map[string]any)
	body, err := json.Marshal(map[string]any{"bin_id": bin["id"], "amount": 50, "label": label})
	must(w.t, err)
	id, _ := w.upstream(http.MethodPost, "/v1/cards", string(body))["id"].(string)
	return id
}

// log is how many fundings that acted the log of the hubs has, and their sum.
func (w *world) log() (keys int, sum float64) {
	w.t.Helper()
	type record struct {
		Op struct {
			Key    string  `json:"key"`
			Amount float64 `json:"amount"`
		} `json:"op"`
		State string `json:"state"`
	}
	last := make(map[string]record)
	_, err := w.shared.Connect(nil).Log.Read(w.t.Context(), 0, func(_ uint64, data []byte) error {
		var m struct {
			Record *record `json:"record"`
		}
		err := json.Unmarshal(data[1+sha256.Size:], &m) // What goes before is its signature.
		if m.Record != nil {
			last[m.Record.Op.Key] = *m.Record
		}
		return err
	})
	must(w.t, err)
	for _, r := range last {
		if r.State == "done" {
			keys++
			sum += r.Op.Amount
		}
	}
	return keys, sum
}

func (w *world) balance(card string) float64 {
	f, _ := w.upstream(http.MethodGet, "/v1/cards/"+card, "")["balance"].(float64)
	return f
}
