package hub_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/apitest"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/engine"
	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/team"
	"github.com/cardtop/cardtop/internal/nighttest"
	"github.com/cardtop/cardtop/state"
)

// cutting is what happens when so many bytes of a write have passed.
type cutting int

const (
	clientCut         cutting = iota // the connection between person and hub breaks
	apiCut                           // that between hub and service does
	hubKilledByClient                // the hub is killed, counted in bytes between person and hub
	hubKilledByAPI                   // likewise, between hub and service
	cuttings
)

func (c cutting) String() string {
	return [...]string{"the client's connection cut", "the API's connection cut", "the hub killed at the client's bytes", "the hub killed at the API's bytes"}[c]
}

// byteProof counts what came of writes. Its fields are of all workers.
type byteProof struct {
	mu                  sync.Mutex
	writes, right       int
	double, lost, wrong int
	kills               int
	places              [cuttings]map[string]bool // a verb and a byte
	longest             [cuttings]map[string]int
}

// TestMoneyMovesOnceWhereverAHubIsCut has each kind of write done over a hub while the
// client's side or the API's side is cut, or the hub is killed, at a byte of the
// exchange. The person asks again under the same key until they are told what became of
// it. The service's clock is ten minutes behind, the same, or ten minutes ahead.
//
// HUB_BYTES=all cuts at every byte; without it some are sampled.
func TestMoneyMovesOnceWhereverAHubIsCut(t *testing.T) {
	p, every := &byteProof{}, os.Getenv("HUB_BYTES") == "all"
	for i := range p.places {
		p.places[i], p.longest[i] = make(map[string]bool), make(map[string]int)
	}
	skews := []time.Duration{-10 * time.Minute, 0, 10 * time.Minute}
	t.Run("all", func(t *testing.T) {
		for i, skew := range skews {
			t.Run(strconv.Itoa(int(skew/time.Minute)), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) { p.run(t, i, len(skews), skew, every) })
			})
		}
	})
	for c := range cuttings {
		whole := 0
		for verb, n := range p.longest[c] {
			for at := range n {
				if !every || p.places[c][fmt.Sprint(verb, at)] {
					whole++
				} else {
					t.Errorf("%s: no %s at byte %d of %d", c, verb, at, n)
				}
			}
		}
		t.Logf("hub: %s at %d positions of %d", c, len(p.places[c]), whole)
	}
	t.Logf("hub: %d of %d writes moved what was told, %d kills, clocks 10 minutes apart: %d double, %d lost, %d told wrongly", p.right, p.writes, p.kills, p.double, p.lost, p.wrong)
	if p.right != p.writes || p.writes == 0 {
		t.Errorf("%d of %d", p.right, p.writes)
	}
}

// lives is how many cards an account has before the next one: a hub that starts reads
// them all.
const lives = 30

// run goes through the life of a card for each position that is a worker's.
func (p *byteProof) run(t *testing.T, worker, workers int, skew time.Duration, every bool) {
	t.Helper()
	w := openCut(t, p, skew)
	w.life(clientCut, -1) // Whole, to learn how long the exchanges are.
	length := w.length
	stride := 1
	if !every {
		stride = nighttest.Times(197, 97)
	}
	for c := range cuttings {
		far := 0
		for _, n := range length[c] {
			far = max(far, n)
		}
		for at := worker * stride; at < far; at += workers * stride {
			if w.cards >= lives {
				w.close()
				w = openCut(t, p, skew)
				w.length = length
			}
			w.life(c, at)
		}
	}
	w.close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range cuttings {
		for verb, n := range length[c] {
			if old, known := p.longest[c][verb]; !known || n < old {
				p.longest[c][verb] = n
			}
		}
	}
}

// cutSite is a hub between two wires.
type cutSite struct {
	*site
	p            *byteProof
	client, api  *apitest.Wire
	serving      atomic.Pointer[hub.Server]
	dead         atomic.Bool
	dying        sync.Mutex // A hub is killed as a whole before the next begins.
	person       *http.Client
	ends         []func() error
	length       [cuttings]map[string]int
	cards, tries int
	at           int
	how          cutting
}

func openCut(t *testing.T, p *byteProof, skew time.Duration) *cutSite {
	t.Helper()
	s := open(t, sandbox.Config{
		Seed: 7, Cards: -1, NoLimits: true, Quiet: true, Wallet: "9000000", Now: func() time.Time { return clock().Add(skew) },
	}, admin(), team.Person{Name: "lea", Role: team.Lead, Labels: []string{"*"}})
	w := &cutSite{site: s, p: p}
	for i := range w.length {
		w.length[i] = make(map[string]int)
	}
	var end, endAPI func() error
	w.client, end = apitest.NewWire(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) { w.serving.Load().ServeHTTP(out, r) }))
	w.api, endAPI = apitest.NewWire(s.world.Handler())
	w.ends = []func() error{end, endAPI}
	w.person = &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{DialContext: w.client.Dial, DisableKeepAlives: true}}
	s.wrap = func(j engine.Journal, h engine.History) (engine.Journal, engine.History) {
		return mortal{j, w}, mortalPast{h, w}
	}
	w.restart()
	return w
}

// restart starts the hub on what the last one left on disk.
func (w *cutSite) restart() {
	w.dying.Lock()
	w.dead.Store(false)
	w.client.Down(false)
	w.api.Down(false)
	w.dying.Unlock()
	w.between = &http.Transport{DialContext: w.api.Dial, MaxIdleConnsPerHost: 4}
	w.begin()
	w.serving.Store(w.hub)
}

// kill is the moment at which nothing of the hub gets anywhere any more.
func (w *cutSite) kill() {
	w.dying.Lock()
	defer w.dying.Unlock()
	w.dead.Store(true)
	w.client.Down(true)
	w.api.Down(true)
}

// bury ends what is left of a killed hub and starts the next.
func (w *cutSite) bury() {
	w.end()
	w.between.(*http.Transport).CloseIdleConnections() //nolint:forcetypeassert // restart made it
	w.p.mu.Lock()
	w.p.kills++
	w.p.mu.Unlock()
	w.restart()
}

func (w *cutSite) close() {
	w.end()
	w.between.(*http.Transport).CloseIdleConnections() //nolint:forcetypeassert // restart made it
	for _, end := range w.ends {
		if err := end(); err != nil {
			w.t.Error(err)
		}
	}
	if _, err := w.past.Verify(); err != nil {
		w.t.Error(err)
	}
	if twice, _ := w.upstream(http.MethodGet, "/sandbox/report", "")["duplicated_effects"].(map[string]any); len(twice) > 0 {
		w.t.Errorf("the service did %v twice", twice)
	}
}

var errKilled = errors.New("killed")

// mortal is a journal on which a hub that was killed writes nothing.
type mortal struct {
	engine.Journal
	w *cutSite
}

func (m mortal) Begin(op state.Op, write api.Write) error {
	if m.w.dead.Load() {
		return errKilled
	}
	return m.Journal.Begin(op, write)
}

func (m mortal) End(op state.Op, outcome api.Result) error {
	if m.w.dead.Load() {
		return errKilled
	}
	return m.Journal.End(op, outcome)
}

func (m mortal) Dismiss(op state.Op, as state.OpStatus) error {
	if m.w.dead.Load() {
		return errKilled
	}
	return m.Journal.Dismiss(op, as)
}

type mortalPast struct {
	engine.History
	w *cutSite
}

func (m mortalPast) Add(r state.Record) (state.Record, error) {
	if m.w.dead.Load() {
		return r, errKilled
	}
	return m.History.Add(r)
}

// life issues a card, does everything with it, and ends it; each write is cut at the same
// byte.
func (w *cutSite) life(how cutting, at int) {
	w.how, w.at, w.cards = how, at, w.cards+1
	label := fmt.Sprintf("card/%06d", w.cards)
	labelled := func(label string) (ids []string) {
		rows, _ := w.upstream(http.MethodGet, "/v1/cards?per_page=100&label="+label, "")["data"].([]any)
		for _, row := range rows {
			if c, ok := row.(map[string]any); ok && c["label"] == label {
				ids = append(ids, fmt.Sprint(c["id"]))
			}
		}
		return ids
	}
	w.try("issue", http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":"424242","amount":5,"label":%q}`, label), func() int { return len(labelled(label)) })
	made := labelled(label)
	if len(made) != 1 {
		w.t.Errorf("%d cards of %s", len(made), label)
		return
	}
	path := "/v1/cards/" + made[0]
	status := func(want string) func() int {
		return func() int {
			if w.upstream(http.MethodGet, path, "")["status"] == want {
				return 1
			}
			return 0
		}
	}
	moves := func(amount float64) func() int {
		before := w.balance(made[0])
		return func() int { return int((w.balance(made[0])-before)/amount + 0.5) }
	}
	w.try("update", http.MethodPatch, path, fmt.Sprintf(`{"label":%q}`, label+"/x"), func() int { return len(labelled(label + "/x")) })
	w.try("freeze", http.MethodPost, path+"/freeze", "", status("frozen"))
	w.try("unfreeze", http.MethodPost, path+"/unfreeze", "", status("active"))
	w.try("fund", http.MethodPost, path+"/fund", `{"amount":3}`, moves(3))
	w.try("withdraw", http.MethodPost, path+"/withdraw", `{"amount":2}`, moves(-2))
	before, left := w.wallet(), w.balance(made[0])
	w.try("terminate", http.MethodDelete, path, "", func() int {
		if w.upstream(http.MethodGet, path, "")["status"] != "terminated" {
			return 0
		}
		return int((w.wallet()-before)/left + 0.5)
	})
}

func (w *cutSite) wallet() float64 {
	b, _ := w.upstream(http.MethodGet, "/v1/wallet/balance", "")["balance"].(float64)
	return b
}

// wire is the one whose bytes count.
func (w *cutSite) wire() *apitest.Wire {
	if w.how == clientCut || w.how == hubKilledByClient {
		return w.client
	}
	return w.api
}

// try does one write, cut at the byte of this life.
func (w *cutSite) try(verb, method, path, body string, acted func() int) {
	if w.at >= 0 && w.at < w.length[w.how][verb] {
		way := apitest.Breakage(w.at % int(apitest.Breakages))
		if w.how >= hubKilledByClient {
			way = apitest.BreakEnd
			w.wire().OnBreak(w.kill)
		}
		w.wire().Cut(w.at, 1, way)
		w.p.mu.Lock()
		w.p.places[w.how][fmt.Sprint(verb, w.at)] = true
		w.p.mu.Unlock()
	}
	w.tries++
	told := w.persist(method, path, body, fmt.Sprintf("key-%d", w.tries))
	w.wire().OnBreak(func() {})
	w.wire().Cut(0, 0, apitest.BreakEnd)
	if w.at < 0 {
		w.length[clientCut][verb], w.length[hubKilledByClient][verb] = w.client.Length(), w.client.Length()
		w.length[apiCut][verb], w.length[hubKilledByAPI][verb] = w.api.Length(), w.api.Length()
	}
	n := acted()
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	w.p.writes++
	switch {
	case n > 1:
		w.p.double++
	case told == "":
		w.p.lost++
	case told == "done" && n == 1:
		w.p.right++
		return
	default:
		w.p.wrong++
	}
	w.t.Errorf("%s at byte %d, %s: told %q, and the service acted %d times", w.how, w.at, verb, told, n)
}

// persist asks until it is told what became of the write: done, or why not; empty for never.
func (w *cutSite) persist(method, path, body, key string) (told string) {
	for range 300 {
		told, again := w.once(method, path, body, key)
		if w.dead.Load() {
			w.bury()
			again = true
		}
		if !again {
			return told
		}
		wait(time.Second)
	}
	return ""
}

// once asks once; again reports that nothing is known yet.
func (w *cutSite) once(method, path, body, key string) (told string, again bool) {
	r, err := http.NewRequestWithContext(context.Background(), method, "http://localhost"+path, strings.NewReader(body))
	must(w.t, err)
	r.Header.Set("Authorization", "Bearer "+w.tokens["lea"])
	r.Header.Set("X-Idempotency-Key", key)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	res, err := w.person.Do(r)
	if err != nil {
		return "", true
	}
	data, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return "", true
	}
	switch text := string(data); {
	case res.StatusCode < 300, strings.Contains(text, "it was done"):
		return "done", false
	case res.StatusCode == http.StatusGatewayTimeout, res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusServiceUnavailable, strings.Contains(text, "not_sent"), strings.Contains(text, "busy"):
		return "", true
	default:
		return fmt.Sprint(res.StatusCode, " ", text), false
	}
}
