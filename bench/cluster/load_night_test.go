//go:build night && unix

package cluster_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	mrand "math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/bus"
	"github.com/cardtop/cardtop/internal/hub/cluster/lease"
	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
	"github.com/cardtop/cardtop/internal/hub/cluster/seal"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/node"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state/settings"
)

// mostFanOut is the bar of the time from the hub that leads to a viewer.
const mostFanOut = 500 * time.Millisecond

func real() time.Time { return time.Now() } //nolint:forbidigo // real time is what is measured

// sight is when viewers have had what is waited for, a text in what they read.
type sight struct {
	mu    sync.Mutex
	text  string
	path  string    // where they read it
	known time.Time // when the hub that leads had it
	had   []time.Time
	calls map[int]int // requests to the service, by hub
}

func (s *sight) look(text, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text, s.path, s.known, s.had = text, path, time.Time{}, nil
}

// reads reports whether a viewer who is told of a part reads now, and where.
func (s *sight) reads(topic string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if strings.Contains(s.path, "3ds") == (topic == "codes") {
		return s.path
	}
	return ""
}

func (s *sight) of(body []byte, leader bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.text == "" || !bytes.Contains(body, []byte(s.text)) {
		return false
	}
	switch now := real(); {
	case !leader:
		s.had = append(s.had, now)
	case s.known.IsZero():
		s.known = now
	}
	return true
}

// lag is how long after the hub that leads each viewer had it; false while some have not.
func (s *sight) lag(viewers int) (all []time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.had {
		all = append(all, max(0, at.Sub(s.known)))
	}
	return all, len(all) >= viewers && !s.known.IsZero()
}

// upstream is the way of a hub to the service.
type upstream struct {
	box   *sandbox.Server
	hub   int
	sight *sight
}

func (u upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := u.box.Transport().RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // It was read.
	u.sight.of(body, true)
	u.sight.mu.Lock()
	u.sight.calls[u.hub]++
	u.sight.mu.Unlock()
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, err
}

// viewer reads a stream in memory, and a list when it is told to.
type viewer struct {
	header http.Header
	hub    http.Handler
	sight  *sight
	seen   string        // the text that this viewer has had
	there  chan struct{} // is closed when the hub has begun to tell
	begun  bool
	token  string
}

func (v *viewer) Header() http.Header { return v.header }
func (v *viewer) WriteHeader(int)     {}
func (v *viewer) Flush()              {}

func (v *viewer) Write(p []byte) (int, error) {
	if !v.begun && bytes.HasPrefix(p, []byte("event: hello")) {
		v.begun = true
		close(v.there)
	}
	for _, topic := range []string{"codes", "cards"} {
		if !bytes.Contains(p, []byte(`"`+topic+`"`)) {
			continue
		}
		if path := v.sight.reads(topic); path != "" {
			v.read(path)
		}
	}
	return len(p), nil
}

func (v *viewer) read(path string) {
	v.sight.mu.Lock()
	text := v.sight.text
	v.sight.mu.Unlock()
	w := httptest.NewRecorder()
	v.hub.ServeHTTP(w, ask(context.Background(), path, v.token))
	if v.seen != text && v.sight.of(w.Body.Bytes(), false) {
		v.seen = text
	}
}

func ask(ctx context.Context, path, token string) *http.Request {
	r := httptest.NewRequestWithContext(ctx, http.MethodGet, path, http.NoBody)
	r.Header.Set("Authorization", "Bearer "+token)
	return r
}

// fair is many hubs of one process on three servers.
type fair struct {
	t     *testing.T
	box   *sandbox.Server
	hubs  []*node.Node
	sight *sight
	stops []func()
}

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	must(t, err)
	return n
}

func openFair(t *testing.T, hubs, cards int) *fair {
	t.Helper()
	box, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 7, Cards: cards, Transactions: 1000, NoLimits: true, Quiet: true, APIKeys: []string{hubKey}})
	must(t, err)
	f := &fair{t: t, box: box, sight: &sight{calls: make(map[int]int)}}
	nats := natstest.Start(t, natstest.BuildServer(t, false), size, nil)
	text, err := seal.NewKey()
	file := filepath.Join(t.TempDir(), "key")
	if err = errors.Join(err, os.WriteFile(file, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
	keys, err := seal.Load(file, "load")
	must(t, err)
	var servers []string
	for _, n := range nats.Nodes {
		servers = append(servers, "nats://"+n.Addr())
	}
	for i := range hubs {
		f.join(i, servers, keys)
	}
	return f
}

// join starts a hub: real code, its viewers in memory.
func (f *fair) join(i int, servers []string, keys *seal.Keys) {
	f.t.Helper()
	name := fmt.Sprint("hub-", i)
	log := slog.New(slog.DiscardHandler)
	b, err := bus.Connect(bus.Config{Servers: servers, Account: "load", Hub: name, Replicas: len(servers), Log: log})
	must(f.t, err)
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	var errs [5]error
	cfg := node.Config{Keys: keys, Name: name, TTL: 10 * time.Second, Clock: lease.SystemClock(), Log: log}
	cfg.Bus.Line = b.Line()
	cfg.Bus.Register, errs[0] = b.Register(ctx, "leader")
	cfg.Bus.Log, errs[1] = b.Log(ctx)
	cfg.Bus.Feed, errs[2] = b.Feed(ctx)
	cfg.Bus.Snapshots, errs[3] = b.Snapshots(ctx)
	past, err := history.Open(history.Config{Dir: f.t.TempDir(), User: "hub", Mode: "TEST", Profile: "load", Via: "hub", Now: real})
	errs[4] = err
	must(f.t, errors.Join(errs[:]...))
	cfg.Hub = hub.Config{
		Audit: past, Limits: limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 1e9}, Mode: "test", Now: real, Tell: func(string) {},
		Team:  team.Fixed(&team.Team{People: []team.Person{{Name: "ann", Role: team.Admin, Labels: []string{"*"}, Token: team.HashOf([]byte("sk_test_hub_ann"))}}}),
		Store: settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64},
	}
	cfg.Connect = func(j engine.Journal, h func(engine.History) engine.History, _ engine.Push, limits func(*client.Config)) (*engine.Engine, func(), error) {
		var eng *engine.Engine
		cfg := client.Config{BaseURL: "http://localhost/v1", Key: api.NewAPIKey(hubKey), Now: real, Transport: upstream{f.box, i, f.sight}, Observe: func(c api.Call) { eng.Observe(c) }}
		limits(&cfg)
		client, err := client.New(cfg)
		if err != nil {
			return nil, nil, err
		}
		eng = engine.New(engine.Config{Client: client, Journal: j, History: h(past), Now: real})
		return eng, func() {}, nil
	}
	n := node.New(cfg)
	run, stop := context.WithCancel(context.WithoutCancel(f.t.Context()))
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = n.Run(run) // It ends with its context.
	}()
	f.hubs = append(f.hubs, n)
	f.stops = append(f.stops, func() { stop(); <-over; b.Close() })
}

// ready waits until every hub answers with all cards.
func (f *fair) ready(cards int) time.Duration {
	f.t.Helper()
	began := real()
	for i, n := range f.hubs {
		for {
			w := httptest.NewRecorder()
			n.ServeHTTP(w, ask(f.t.Context(), "/v1/cards?per_page=1", "sk_test_hub_ann"))
			if w.Code == http.StatusOK && strings.Contains(w.Body.String(), fmt.Sprintf(`"total":%d`, cards)) {
				break
			}
			if real().Sub(began) > 15*time.Minute {
				f.t.Fatalf("hub %d has not read all cards: %d %s", i, w.Code, w.Body)
			}
			<-time.After(200 * time.Millisecond)
		}
	}
	return real().Sub(began)
}

func (f *fair) upstream(method, path, body string) string {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, "http://localhost"+path, strings.NewReader(body))
	must(f.t, err)
	r.Header.Set("Authorization", "Bearer "+hubKey)
	r.Header.Set("Content-Type", "application/json")
	res, err := f.box.Transport().RoundTrip(r)
	must(f.t, err)
	text, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil || res.StatusCode >= 400 {
		f.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, text, err)
	}
	return string(text)
}

func used() (cpu time.Duration, memory uint64) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return spent(), m.HeapInuse + m.StackInuse
}

func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // It never fails.
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// watch opens viewers, spread over the hubs, and returns what closes them. A hub that has
// just started has read nothing yet, and is waited for.
func (f *fair) watch(viewers int) (leave func()) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(f.t.Context()))
	var all sync.WaitGroup
	opened := make([]*viewer, viewers)
	for i := range opened {
		v := &viewer{header: make(http.Header), there: make(chan struct{}), hub: f.hubs[i%len(f.hubs)], sight: f.sight, token: "sk_test_hub_ann"}
		opened[i] = v
		all.Go(func() {
			for ctx.Err() == nil { // A stream that ends is opened anew.
				v.hub.ServeHTTP(v, ask(ctx, "/hub/v1/stream", v.token))
				select {
				case <-ctx.Done():
				case <-time.After(200 * time.Millisecond):
				}
			}
		})
	}
	late := time.After(5 * time.Minute)
	for i, v := range opened {
		select {
		case <-v.there:
		case <-late:
			f.t.Fatalf("hub %d tells nothing", i%len(f.hubs))
		}
	}
	return func() { cancel(); all.Wait() }
}

// told waits until all viewers have had what is looked for.
func (f *fair) told(viewers int) []time.Duration {
	f.t.Helper()
	for range 6000 {
		if lag, ok := f.sight.lag(viewers); ok {
			slices.Sort(lag)
			return lag
		}
		<-time.After(10 * time.Millisecond)
	}
	lag, _ := f.sight.lag(viewers)
	f.t.Fatalf("%d of %d viewers were told", len(lag), viewers)
	return nil
}

// TestManyHubsAndViewers has hubs in one process, with viewers in memory, on three NATS
// servers: what a viewer costs as there are more, and how long a code and a change take
// from the hub that leads to each. LOAD_HUBS and LOAD_CARDS say how many there are,
// LOAD_VIEWERS the most viewers.
func TestManyHubsAndViewers(t *testing.T) {
	hubs, cards, most := number(t, "LOAD_HUBS", 3), number(t, "LOAD_CARDS", 1000), number(t, "LOAD_VIEWERS", 100)
	f := openFair(t, hubs, cards)
	took := f.ready(cards)
	t.Logf("hub: %d hubs have %d cards after %.0f s", hubs, cards, took.Seconds())
	_, before := used()
	worst := time.Duration(0)
	for _, viewers := range []int{10, 100, 1000, 5000} {
		if viewers > most {
			break
		}
		leave := f.watch(viewers)
		<-time.After(5 * time.Second)
		cpu, memory := used()
		began := real()
		var codes, changes []time.Duration
		for i := range 5 {
			code := strconv.Itoa(100_000 + viewers*10 + i)
			card := f.card(i)
			f.sight.look(code, "/v1/3ds?status=pending")
			f.upstream(http.MethodPost, "/sandbox/challenges", fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":%q}`, card, code))
			codes = append(codes, f.told(viewers)...)
			label := fmt.Sprintf("load/%d/%d", viewers, i)
			f.sight.look(label, "/v1/cards?per_page=1&label="+label)
			f.relabel(card, label)
			changes = append(changes, f.told(viewers)...)
		}
		span := real().Sub(began)
		busy := spent() - cpu
		slices.Sort(codes)
		slices.Sort(changes)
		p99 := max(codes[len(codes)*99/100], changes[len(changes)*99/100])
		worst = max(worst, p99)
		t.Logf("hub: %d viewers: %.3f ms CPU a viewer and second, %.0f KiB a viewer; a code p50 %d ms, p99 %d ms; a change p50 %d ms, p99 %d ms | p99 ≤ %d ms",
			viewers, float64(busy)/float64(time.Millisecond)/float64(viewers)/span.Seconds(), float64(int64(memory)-int64(before))/1024/float64(viewers),
			codes[len(codes)/2].Milliseconds(), codes[len(codes)*99/100].Milliseconds(), changes[len(changes)/2].Milliseconds(), changes[len(changes)*99/100].Milliseconds(), mostFanOut.Milliseconds())
		leave()
	}
	f.sight.mu.Lock()
	pollers := len(f.sight.calls)
	f.sight.mu.Unlock()
	t.Logf("hub: %d of %d hubs asked the service | 1", pollers, hubs)
	if bars := os.Getenv("BENCH_HUB") != ""; pollers != 1 || bars && worst > mostFanOut {
		t.Errorf("%d pollers, p99 is %s", pollers, worst)
	}
	for _, stop := range f.stops {
		stop()
	}
	if err := f.box.Close(); err != nil {
		t.Error(err)
	}
}

// card is one that is active, each time another.
func (f *fair) card(i int) string {
	f.t.Helper()
	text := f.upstream(http.MethodGet, fmt.Sprintf("/v1/cards?status=active&per_page=1&page=%d", i+1), "")
	_, rest, _ := strings.Cut(text, `"id":"`)
	id, _, _ := strings.Cut(strings.ReplaceAll(rest, `"id": "`, ""), `"`)
	return id
}

// relabel changes a card over a hub, which answers when its store has the change.
func (f *fair) relabel(card, label string) {
	f.t.Helper()
	r := ask(f.t.Context(), "/v1/cards/"+card, "sk_test_hub_ann")
	r.Method, r.Body = http.MethodPatch, io.NopCloser(strings.NewReader(fmt.Sprintf(`{"label":%q}`, label)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	f.hubs[mrand.IntN(len(f.hubs))].ServeHTTP(w, r)
	if w.Code >= 300 {
		f.t.Fatalf("relabel: %d %s", w.Code, w.Body)
	}
}
