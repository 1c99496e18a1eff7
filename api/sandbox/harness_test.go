package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox/unit"
)

const testKey = "sk_test_harness"

// fakeNow is the injected clock of tests that do not run in a bubble.
type fakeNow struct {
	mu sync.Mutex
	at time.Time
}

func newFakeNow() *fakeNow {
	return &fakeNow{at: time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC)}
}

func (f *fakeNow) now() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at
}

func (f *fakeNow) advance(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = f.at.Add(d)
}

// client calls a server in process and checks every exchange against the
// contract.
type client struct {
	t      testing.TB
	server *Server
	rt     http.RoundTripper
	key    string
	now    *fakeNow
}

// open makes a quiet world without limits unless cfg says otherwise.
func open(tb testing.TB, cfg Config) *client {
	tb.Helper()
	now := newFakeNow()
	cfg.Now = now.now
	c := start(tb, cfg)
	c.now = now
	return c
}

// start opens a world on the machine's clock, which in a bubble is virtual.
func start(tb testing.TB, cfg Config) *client {
	tb.Helper()
	c := &client{t: tb, key: testKey}
	if cfg.APIKeys == nil {
		cfg.APIKeys = []string{testKey}
	}
	s, err := Open(context.Background(), cfg)
	if err != nil {
		tb.Fatalf("open world: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Errorf("close world: %v", err)
		}
	})
	c.server, c.rt = s, s.Transport()
	return c
}

// quiet opens a world with a wallet and nothing else.
func quiet(tb testing.TB) *client {
	tb.Helper()
	return open(tb, Config{Quiet: true, NoLimits: true, Cards: -1, Wallet: "10000"})
}

// reply is a response with its body decoded.
type reply struct {
	t      testing.TB
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

// send makes one request; extra are header names and values in turn.
func (c *client) send(method, path, body string, extra ...string) reply {
	c.t.Helper()
	r, err := c.try(context.Background(), method, path, body, extra...)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return r
}

func (c *client) try(ctx context.Context, method, path, body string, extra ...string) (reply, error) {
	c.t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	base := "https://cards.test"
	if !strings.HasPrefix(path, "/sandbox") {
		base += "/v1"
	}
	r, err := http.NewRequestWithContext(ctx, method, base+path, reader)
	if err != nil {
		return reply{}, err
	}
	if c.key != "" {
		r.Header.Set("Authorization", "Bearer "+c.key)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(extra); i += 2 {
		r.Header.Set(extra[i], extra[i+1])
	}
	got, err := c.exchange(r)
	if err != nil {
		return got, err
	}
	checkContract(c.t, r, body, got)
	return got, nil
}

// exchange sends one request and decodes the answer.
func (c *client) exchange(r *http.Request) (reply, error) {
	resp, err := c.rt.RoundTrip(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{status: resp.StatusCode, raw: raw}, err
	}
	got := reply{t: c.t, status: resp.StatusCode, header: resp.Header, raw: raw}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") && r.Method != http.MethodHead {
		got.decode()
	}
	return got, nil
}

func (r *reply) decode() {
	r.t.Helper()
	d := json.NewDecoder(bytes.NewReader(r.raw))
	d.UseNumber()
	if bytes.HasPrefix(r.raw, []byte("[")) {
		var list []any
		if err := d.Decode(&list); err != nil {
			r.t.Fatalf("decode answer: %v", err)
		}
		r.body = map[string]any{"data": list}
		return
	}
	if err := d.Decode(&r.body); err != nil {
		r.t.Fatalf("decode answer %q: %v", r.raw, err)
	}
}

// want fails unless the status is the one given, and the error identifier too.
func (r reply) want(status int, id ...string) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("status %d, want %d: %s", r.status, status, r.raw)
	}
	if len(id) > 0 && r.text("error") != id[0] {
		r.t.Fatalf("error %q, want %q: %s", r.text("error"), id[0], r.raw)
	}
	return r
}

// at follows a dotted path through objects.
func (r reply) at(path string) any {
	var value any = r.body
	for _, name := range strings.Split(path, ".") {
		object, ok := value.(map[string]any)
		if !ok {
			return nil
		}
		value = object[name]
	}
	return value
}

func (r reply) text(path string) string {
	switch v := r.at(path).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// money reads an amount in cents.
func (r reply) money(path string) unit.Cents {
	r.t.Helper()
	return amountOf(r.t, r.at(path))
}

func amountOf(tb testing.TB, v any) unit.Cents {
	tb.Helper()
	n, ok := v.(json.Number)
	if !ok {
		tb.Fatalf("%v is not a number", v)
	}
	value, exact, err := unit.ParseCents(n.String())
	if err != nil {
		tb.Fatalf("%v is not an amount", v)
	}
	if !exact {
		tb.Fatalf("%v has more than two decimals", v)
	}
	return value
}

func (r reply) list() []map[string]any {
	r.t.Helper()
	data, ok := r.body["data"].([]any)
	if !ok {
		r.t.Fatalf("no data: %s", r.raw)
	}
	list := make([]map[string]any, len(data))
	for i := range data {
		list[i], _ = data[i].(map[string]any)
	}
	return list
}

// ids returns the identifiers of a list's items.
func (r reply) ids() []string {
	r.t.Helper()
	var list []string
	for _, item := range r.list() {
		id, ok := item["id"].(string)
		if !ok {
			r.t.Fatalf("an item has no id: %v", item)
		}
		list = append(list, id)
	}
	return list
}

// newCard makes a card of the first BIN and returns its id.
func (c *client) newCard(amount string) string {
	c.t.Helper()
	return c.send("POST", "/cards", `{"bin_id":"424242","amount":`+amount+`}`).want(201).text("id")
}

func (c *client) spend(card, kind, amount string, more ...string) reply {
	c.t.Helper()
	body := `{"card_id":"` + card + `","type":"` + kind + `","amount":` + amount
	for _, field := range more {
		body += "," + field
	}
	return c.send("POST", "/sandbox/transactions", body+"}")
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
