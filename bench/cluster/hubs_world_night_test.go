//go:build night && unix

package cluster_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/cluster/natstest"
)

const (
	hubKey = "sk_test_proof"
	each   = 1 // USD that every operation funds
)

// gate is the service of the hubs: a sandbox that notes which hub writes, and when two
// do at once. Each hub comes to a port of its own.
type gate struct {
	sandbox http.Handler

	mu     sync.Mutex
	active map[int]int // writes under way, by hub
	last   int         // who wrote last
	writes int
	wrong  []string
	keys   map[string]int // tries, by idempotency key
}

func (g *gate) of(hub int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			g.sandbox.ServeHTTP(w, r)
			return
		}
		g.begin(hub, r.Header.Get("X-Idempotency-Key"))
		defer g.end(hub)
		<-time.After(time.Duration(rand.IntN(20)) * time.Millisecond) // It works.
		answer := httptest.NewRecorder()
		g.sandbox.ServeHTTP(answer, r)
		if rand.IntN(20) == 0 {
			if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = c.Close() // The answer is lost.
				return
			}
		}
		for name, v := range answer.Header() {
			w.Header()[name] = v
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes()) // The hub may be gone.
	})
}

func (g *gate) begin(hub int, key string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.active[hub]++
	g.last, g.writes = hub, g.writes+1
	g.keys[key]++
	if len(g.active) > 1 {
		g.wrong = append(g.wrong, fmt.Sprintf("two hubs write at the same time: %v", g.active))
	}
}

func (g *gate) end(hub int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.active[hub]--; g.active[hub] == 0 {
		delete(g.active, hub)
	}
}

func (g *gate) leader() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last
}

// fleet is three hubs of the built program, servers, a sandbox, and people who write.
type fleet struct {
	t      *testing.T
	nats   *natstest.Cluster
	hubs   []*process
	client *http.Client
	gate   *gate
	token  string
	cards  []string
	done   atomic.Int64

	toldMu sync.Mutex
	told   map[string]int // how many operations were told what
}

// startFleet starts a fleet whose clocks differ by up to 20 minutes.
func startFleet(t *testing.T) *fleet {
	t.Helper()
	box, err := sandbox.Open(t.Context(), sandbox.Config{Seed: 5, Cards: -1, NoLimits: true, Quiet: true, Wallet: "1000000", APIKeys: []string{hubKey}})
	must(t, err)
	t.Cleanup(func() { _ = box.Close() }) // It is in memory.
	f := &fleet{
		t: t, client: &http.Client{Timeout: 7 * time.Second},
		gate: &gate{sandbox: box.Handler(), active: make(map[int]int), keys: make(map[string]int)}, told: make(map[string]int),
	}
	bins := f.upstream(http.MethodGet, "/v1/bins", "")["data"].([]any) //nolint:forcetypeassert // a test that breaks is one that fails
	bin := bins[0].(map[string]any)["id"]                              //nolint:forcetypeassert // as above
	for range 8 {
		card := f.upstream(http.MethodPost, "/v1/cards", fmt.Sprintf(`{"bin_id":%q,"amount":50,"label":"fb/a"}`, bin))
		f.cards = append(f.cards, fmt.Sprint(card["id"]))
	}
	program := natstest.Build(t, ".", "github.com/cardtop/cardtop", true, "-tags", "nats")
	f.nats = natstest.Start(t, natstest.BuildServer(t, true), size, skewed)
	key := filepath.Join(t.TempDir(), "key")
	line := f.run(program, nil, "hub", "key")
	must(t, os.WriteFile(key, []byte(line), 0o600))
	var team []byte
	for i := range size {
		team = f.addHub(i, program, key, team)
	}
	return f
}

// run runs the program to its end, and returns what it printed.
func (f *fleet) run(program string, env []string, args ...string) string {
	f.t.Helper()
	cmd := exec.CommandContext(f.t.Context(), program, args...)
	cmd.Env = append(os.Environ(), env...)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		f.t.Fatalf("%v: %v %s", args, err, failed.Bytes())
	}
	return strings.TrimSpace(string(out))
}

// addHub starts a hub with a folder of its own. All have the team of the first.
func (f *fleet) addHub(i int, program, key string, team []byte) []byte {
	service := httptest.NewServer(f.gate.of(i))
	f.t.Cleanup(service.Close)
	dir, p := f.t.TempDir(), &process{addr: natstest.FreeAddrs(f.t, 1)[0]}
	env := []string{"CARDTOP_BASE_URL=" + service.URL + "/v1", "CARDTOP_API_KEY=" + hubKey, "HOME=" + dir}
	for _, name := range []string{"CONFIG", "STATE", "CACHE", "DATA"} {
		env = append(env, "XDG_"+name+"_HOME="+filepath.Join(dir, name))
	}
	token := f.run(program, env, "hub", "add", "ann", "--role", "lead", "--labels", "*")
	if team == nil {
		f.token = token
	}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "team.toml" {
			return err
		}
		if team == nil {
			team, err = os.ReadFile(path)
			return err
		}
		return os.WriteFile(path, team, 0o600)
	})
	if err != nil || team == nil {
		f.t.Fatalf("the team: %v", err)
	}
	args := []string{"hub", "--listen", p.addr, "--name", fmt.Sprint(i), "--cluster", "proof", "--cluster-key", key}
	for _, n := range f.nats.Nodes {
		l := natstest.NewLink(f.t, n.Addr())
		p.links, args = append(p.links, l), append(args, "--nats", "nats://"+l.Addr())
	}
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	must(f.t, err)
	p.begin(func() *exec.Cmd {
		cmd := exec.CommandContext(context.Background(), program, args...)
		cmd.Env, cmd.Stdout, cmd.Stderr = append(append(os.Environ(), env...), skewed(i+1)...), log, log
		if err := cmd.Start(); err != nil {
			f.t.Error(err)
		}
		return cmd
	})
	f.hubs = append(f.hubs, p)
	f.t.Cleanup(func() {
		p.kill()
		if data, err := os.ReadFile(log.Name()); f.t.Failed() && err == nil {
			f.t.Logf("hub %d:\n%s", i, data[max(0, len(data)-4000):])
		}
	})
	return team
}

// upstream asks the sandbox itself.
func (f *fleet) upstream(method, path, body string) map[string]any {
	f.t.Helper()
	r := httptest.NewRequestWithContext(f.t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+hubKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	f.gate.sandbox.ServeHTTP(w, r)
	var out map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code >= 400 {
		f.t.Fatalf("%s %s: %d %s, %v", method, path, w.Code, w.Body, err)
	}
	return out
}

// moved is what the sandbox has on the cards above what they began with, USD.
func (f *fleet) moved() int {
	sum := 0.0
	for _, id := range f.cards {
		b, _ := f.upstream(http.MethodGet, "/v1/cards/"+id, "")["balance"].(float64)
		sum += b - 50
	}
	return int(sum + 0.5)
}

// writer funds a card, asking any hub, until ctx ends; and then until the last operation
// has an answer.
func (f *fleet) writer(ctx context.Context, n int) {
	for i := 0; ctx.Err() == nil; i++ {
		key, told, why := fmt.Sprintf("w%d-%d", n, i), "", error(nil)
		for range 200 {
			if told, why = f.fund(rand.IntN(size), f.cards[n], key); why == nil {
				break
			}
			<-time.After(time.Duration(100+rand.IntN(200)) * time.Millisecond)
		}
		if why != nil {
			told = "nothing in 200 tries, the last: " + why.Error()
		}
		if told == "done" {
			f.done.Add(1)
		}
		f.toldMu.Lock()
		f.told[told]++
		f.toldMu.Unlock()
	}
}

// fund sends a write and returns its outcome, or why it has to be sent again.
func (f *fleet) fund(hub int, card, key string) (told string, err error) {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://"+f.hubs[hub].addr+"/v1/cards/"+card+"/fund", strings.NewReader(fmt.Sprintf(`{"amount":%d}`, each)))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Idempotency-Key", key)
	res, err := f.client.Do(r)
	if err != nil {
		return "", err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // It was read.
	if err != nil {
		return "", err
	}
	answer := fmt.Sprintf("%d %s", res.StatusCode, body)
	switch {
	case res.StatusCode == http.StatusOK, strings.Contains(string(body), "it was done"):
		return "done", nil
	case slices.Contains([]int{http.StatusGatewayTimeout, http.StatusConflict, http.StatusServiceUnavailable, http.StatusTooManyRequests, http.StatusNotFound}, res.StatusCode):
		return "", errors.New(answer)
	default:
		return answer, nil
	}
}

// read asks each hub for its cards, and returns the oldest that one of them says.
func (f *fleet) read() (age string, err error) {
	for _, p := range f.hubs {
		r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+p.addr+"/v1/wallet/balance", nil)
		if err != nil {
			return "", err
		}
		r.Header.Set("Authorization", "Bearer "+f.token)
		res, err := f.client.Do(r)
		if err != nil {
			return "", err
		}
		_ = res.Body.Close() // Its header says it.
		if res.StatusCode != http.StatusOK || res.Header.Get("Age") == "" {
			return "", errors.New(res.Status)
		}
		if len(res.Header.Get("Age")) > len(age) || res.Header.Get("Age") > age {
			age = res.Header.Get("Age")
		}
	}
	return age, nil
}
