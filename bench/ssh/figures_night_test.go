//go:build night

package ssh

import (
	"bytes"
	"context"
	"fmt"
	mrand "math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hinshun/vt10x"
	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/engine/loop"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/settings"
)

// Bars of the hub.
const (
	mostMemory = 200 << 20               // with 50 viewers over HTTP
	mostIdle   = 5                       // % of a core
	mostLate   = 1150 * time.Millisecond // the poll and 150 ms
)

// shown are codes, and when each viewer had them.
type shown struct {
	mu  sync.Mutex
	had map[string]map[int]time.Time
}

func (h *shown) has(viewer int, code string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.had[code] == nil {
		h.had[code] = make(map[int]time.Time)
	}
	if _, known := h.had[code][viewer]; !known {
		h.had[code][viewer] = time.Now() //nolint:forbidigo // real time is what is measured
	}
}

// all returns when the last of some viewers had a code; false while one has not.
func (h *shown) all(code string, viewers int) (last time.Time, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, at := range h.had[code] {
		if at.After(last) {
			last = at
		}
	}
	return last, len(h.had[code]) == viewers
}

// follow opens the client layer of a dashboard over HTTP: store, engine and stream.
func (s *site) follow(viewer int, h *shown) (stop func()) {
	s.t.Helper()
	var eng *engine.Engine
	client, err := client.New(client.Config{BaseURL: s.base, Key: api.NewAPIKey(s.tokens[viewer%people]), Now: time.Now, Observe: func(c api.Call) { eng.Observe(c) }}) //nolint:forbidigo // a real one
	must(s.t, err)
	none, err := journal.Open("", time.Now) //nolint:forbidigo // a real one
	must(s.t, err)
	eng = engine.New(engine.Config{Client: client, Journal: none, Now: time.Now}) //nolint:forbidigo // a real one
	store := state.New(settings.Config{NewKey: api.NewIdempotencyKey, Rand: mrand.Float64, Hub: true})
	calls := make(chan loop.Call)
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	var parts sync.WaitGroup
	parts.Go(func() {
		_ = loop.Run(ctx, loop.Config{ // It ends with its context.
			Store: store, Do: eng.Run, Now: time.Now, Calls: calls, //nolint:forbidigo // a real one
			Changed: func(topics kernel.Topic) ([]kernel.Intent, bool) {
				for _, c := range store.Codes.All() {
					if topics&kernel.TopicCodes != 0 && !c.OTP.IsZero() {
						h.has(viewer, c.OTP.Expose())
					}
				}
				return nil, false
			},
		})
	})
	parts.Go(func() {
		eng.FollowHub(ctx, func(ev kernel.Event) {
			select {
			case calls <- func(st *state.Store) (kernel.Topic, []kernel.Effect) { return st.Apply(ev) }:
			case <-ctx.Done():
			}
		})
	})
	return func() { cancel(); parts.Wait() }
}

// terminal is the terminal of a viewer over SSH.
type terminal struct {
	mu     sync.Mutex
	vt     vt10x.Terminal
	viewer int
	shown  *shown
}

var codes = regexp.MustCompile(`\b\d{3} \d{3}\b`)

func (w *terminal) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.vt.Write(b)
	for _, code := range codes.FindAllString(w.vt.String(), -1) {
		w.shown.has(w.viewer, strings.ReplaceAll(code, " ", ""))
	}
	return n, err
}

func (w *terminal) open() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(w.vt.String(), "Wallet")
}

// cpu is the time that the hub has used.
func (s *site) cpu() time.Duration {
	s.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.hub.Process.Pid))
	if err != nil {
		s.t.Skip("there is no /proc here")
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+2:]))
	ticks := 0
	for _, text := range fields[11:13] { // In user and in system mode.
		n, err := strconv.Atoi(text)
		must(s.t, err)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// busy is what the hub uses of a core for some time, in %.
func (s *site) busy(span time.Duration) float64 {
	before := s.cpu()
	wait(span)
	return float64(s.cpu()-before) * 100 / float64(span)
}

// challenge has the service ask for a code.
func (s *site) challenge(card, code string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"card_id":%q,"merchant":"Acme","amount":3,"otp":%q}`, card, code)
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.service+"/sandbox/challenges", strings.NewReader(body))
	must(s.t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	must(s.t, err)
	_ = res.Body.Close() // Its status says it.
	if res.StatusCode >= 300 {
		s.t.Fatal(res.Status)
	}
}

// TestFiguresOfAHub measures the built program with 50 viewers at 800 cards: memory, CPU,
// and when the last of 25 over HTTP and 25 over SSH has a code.
func TestFiguresOfAHub(t *testing.T) {
	if os.Getenv("BENCH_HUB") == "" {
		t.Skip("it measures, for make bench-hub: it needs a quiet machine")
	}
	s, keys := open(t)
	h := &shown{had: make(map[string]map[int]time.Time)}
	wait(20 * time.Second) // It has read what it reads once.
	idle := s.busy(20 * time.Second)
	alone := s.memory("VmRSS")
	var stops []func()
	for i := range viewers {
		stops = append(stops, s.follow(i, h))
	}
	wait(15 * time.Second)
	busy := s.busy(20 * time.Second)
	memory := s.memory("VmRSS")
	t.Logf("hub: nobody there uses %.1f %% of a core, 50 viewers over HTTP %.1f %% | idle ≤ %d %%", idle, busy, mostIdle)
	t.Logf("hub: memory with 50 viewers over HTTP %.0f MiB, without %.0f | ≤ %d MiB", mib(memory), mib(alone), mostMemory>>20)
	for _, stop := range stops[viewers/2:] {
		stop()
	}
	var clients []*gossh.Client
	for i := viewers / 2; i < viewers; i++ {
		w := &terminal{vt: vt10x.New(vt10x.WithSize(160, 50)), viewer: i, shown: h}
		clients = append(clients, s.dial(keys[i%people], w))
		until(t, fmt.Sprintf("the screen of viewer %d", i), w.open)
	}
	var late []time.Duration
	card := s.card()
	for i := range 30 {
		wait(time.Duration(300+mrand.IntN(2000)) * time.Millisecond)
		code := strconv.Itoa(300_000 + 7*i)
		began := time.Now() //nolint:forbidigo // real time is what is measured
		s.challenge(card, code)
		until(t, "a code on all screens", func() bool { _, ok := h.all(code, viewers); return ok })
		last, _ := h.all(code, viewers)
		late = append(late, last.Sub(began))
	}
	slices.Sort(late)
	p95 := late[len(late)*95/100]
	t.Logf("hub: %d codes at the last of 25 viewers over HTTP and 25 over SSH after p50 %.2f s, p95 %.2f s | p95 ≤ %.2f s", len(late), late[len(late)/2].Seconds(), p95.Seconds(), mostLate.Seconds())
	if idle > mostIdle || memory > mostMemory || p95 > mostLate {
		t.Errorf("idle %.1f %%, %.0f MiB, p95 %s", idle, mib(memory), p95)
	}
	for _, c := range clients {
		_ = c.Close() // It is over.
	}
	for _, stop := range stops[:viewers/2] {
		stop()
	}
}

// card is one that is active.
func (s *site) card() string {
	s.t.Helper()
	client, err := client.New(client.Config{BaseURL: s.base, Key: api.NewAPIKey(s.tokens[0]), Now: time.Now, Observe: func(api.Call) {}}) //nolint:forbidigo // a real one
	must(s.t, err)
	page, err := client.ListCards(s.t.Context(), api.ListCardsOptions{Status: api.CardActive, PerPage: 1})
	if err != nil || len(page.Data) == 0 {
		s.t.Fatalf("%v, %v", page, err)
	}
	return string(page.Data[0].ID)
}
