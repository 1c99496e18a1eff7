package loop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/poll"
	"github.com/cardtop/cardtop/state/settings"
)

const testKey = "sk_test_teller"

// teller writes cards by a store, an engine and a journal, as the dashboard
// does, over a wire that breaks.
type teller struct {
	t     *testing.T
	world *sandbox.Server
	wire  *apitest.Wire
	dir   string
	keys  int

	store   *state.Store
	eng     *engine.Engine
	client  *client.Client
	journal *journal.Journal
	past    *history.Log
	events  chan kernel.Event
	run     func(kernel.Effect)
	cancel  context.CancelFunc
	under   sync.WaitGroup
}

// withTeller runs a teller in a world of its own, within a bubble.
func withTeller(t *testing.T, dir string, use func(b *teller)) {
	t.Helper()
	world, err := sandbox.Open(t.Context(), sandbox.Config{
		Seed: 7, Cards: 2, Wallet: "9000000", Quiet: true, NoLimits: true, APIKeys: []string{testKey},
	})
	must(t, err)
	w, stop := apitest.NewWire(world.Handler())
	b := &teller{t: t, world: world, wire: w, dir: dir}
	b.begin()
	use(b)
	b.crash()
	for _, end := range []func() error{stop, world.Close} {
		if err := end(); err != nil {
			t.Error(err)
		}
	}
}

// begin starts a run on what the last one left on disk.
func (b *teller) begin() {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	events := make(chan kernel.Event)
	b.events, b.cancel = events, cancel
	b.run = func(e kernel.Effect) {
		ev := b.eng.Run(ctx, e)
		select {
		case events <- ev:
		case <-ctx.Done():
		}
	}
	var err error
	if b.journal, err = journal.Open(b.dir, clock); err != nil {
		b.t.Fatal(err)
	}
	b.past, err = history.Open(history.Config{Dir: b.dir, User: "ann", Mode: "SANDBOX", Profile: "demo", Now: clock})
	must(b.t, err)
	b.client, err = client.New(client.Config{
		BaseURL: "http://localhost/v1", Key: api.NewAPIKey(testKey), Now: clock,
		Transport: &http.Transport{DialContext: b.wire.Dial, MaxIdleConnsPerHost: 4},
		Observe:   func(c api.Call) { b.eng.Observe(c) },
	})
	must(b.t, err)
	b.eng = engine.New(engine.Config{Client: b.client, Journal: b.journal, History: b.past, Now: clock})
	b.store = state.New(settings.Config{
		NewKey: func() api.IdempotencyKey { b.keys++; return api.IdempotencyKey(fmt.Sprintf("key-%06d", b.keys)) },
		Rand:   func() float64 { return 0.5 }, Shared: true, Only: []poll.Lane{poll.Hot, poll.Sweep, poll.Wallet},
	})
	b.store.Resume(b.journal.Pending(), clock())
	b.until("read cards and wallet", 5*time.Minute, func() bool {
		_, all := b.store.Cards.Total()
		_, known := b.store.Wallets.Balance()
		return all && known
	})
}

// crash ends the run without a word: what is under way stays in the journal.
func (b *teller) crash() {
	b.t.Helper()
	b.cancel()
	b.under.Wait()
	if err := b.journal.Close(); err != nil {
		b.t.Error(err)
	}
	b.client.ResetConnections()
}

func (b *teller) start(effects []kernel.Effect) {
	for _, e := range effects {
		run := b.run
		b.under.Go(func() { run(e) })
	}
}

// until lets the dashboard go on until something is so.
func (b *teller) until(what string, limit time.Duration, so func() bool) {
	b.t.Helper()
	for end := clock().Add(limit); !so(); {
		now := clock()
		if now.After(end) {
			b.t.Fatalf("it does not %s: %s", what, b.store.Notice().Text)
		}
		_, effects := b.store.Tick(now)
		b.start(effects)
		next := now.Add(time.Second)
		if due := b.store.NextWake(); !due.IsZero() && due.Before(next) {
			next = due
		}
		timer := time.NewTimer(next.Sub(now))
		select {
		case <-timer.C:
		case ev := <-b.events:
			timer.Stop()
			_, effects := b.store.Apply(ev)
			b.start(effects)
		}
	}
}

func (b *teller) wait(span time.Duration) {
	b.t.Helper()
	end := clock().Add(span)
	b.until("pass", 2*span, func() bool { return !clock().Before(end) })
}

// do dispatches an intent and gives the key it goes under; empty when it is
// refused here.
func (b *teller) do(in kernel.Intent) (key api.IdempotencyKey) {
	b.t.Helper()
	_, effects, err := b.store.Dispatch(in)
	if err != nil {
		b.t.Fatalf("%#v: %v", in, err)
	}
	for _, e := range effects {
		if do, ok := e.(state.Do); ok {
			key = do.Op.Key
		}
	}
	b.start(effects)
	return key
}

// shown is the last word on an operation that a person gets to see.
func (b *teller) shown(key api.IdempotencyKey) state.OpStatus {
	fate := ""
	for _, r := range b.store.History.Past().Rows {
		if r.Key == key {
			fate = r.Outcome
		}
	}
	return fate
}

// ask calls the server past the wire.
func (b *teller) ask(method, path string, body map[string]any) map[string]any {
	b.t.Helper()
	var data []byte
	if body != nil {
		var err error
		if data, err = json.Marshal(body); err != nil {
			b.t.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, "http://localhost"+path, bytes.NewReader(data))
	must(b.t, err)
	req.Header.Set("Authorization", "Bearer "+testKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := b.world.Transport().RoundTrip(req)
	must(b.t, err)
	defer func() { _ = res.Body.Close() }()
	var out map[string]any
	if data, err = io.ReadAll(res.Body); err == nil && len(data) > 0 {
		err = json.Unmarshal(data, &out)
	}
	if err != nil || res.StatusCode >= 400 {
		b.t.Fatalf("%s %s: %d %s, %v", method, path, res.StatusCode, data, err)
	}
	return out
}

// labelled lists the server's cards of a label.
func (b *teller) labelled(label string) (ids []api.CardID) {
	b.t.Helper()
	rows, _ := b.ask(http.MethodGet, "/v1/cards?per_page=100&label="+label, nil)["data"].([]any)
	for _, row := range rows {
		if c, ok := row.(map[string]any); ok && c["label"] == label {
			ids = append(ids, api.CardID(fmt.Sprint(c["id"])))
		}
	}
	slices.Sort(ids)
	return ids
}

// balance is what the server says of a card, in cents.
func (b *teller) balance(id api.CardID) int64 {
	b.t.Helper()
	return inCents(b.ask(http.MethodGet, "/v1/cards/"+string(id), nil)["balance"])
}

func (b *teller) wallet() int64 {
	b.t.Helper()
	return inCents(b.ask(http.MethodGet, "/v1/wallet/balance", nil)["balance"])
}

func (b *teller) status(id api.CardID) string {
	b.t.Helper()
	return fmt.Sprint(b.ask(http.MethodGet, "/v1/cards/"+string(id), nil)["status"])
}

func inCents(v any) int64 {
	f, _ := v.(float64)
	return int64(f*100 + 0.5)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
