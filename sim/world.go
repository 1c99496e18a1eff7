package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/sim/judge"
)

const key = "sk_test_simulation_0001"

// ruleDay is the cap of the rule that tops cards up, cents.
const ruleDay = 60_00

// now is the virtual time of the bubble that it is read in.
func now() time.Time { return time.Now() } //nolint:forbidigo // virtual time in a bubble

// world is an account at a provider, and the people who use it.
type world struct {
	t        *testing.T
	rand     *rand.Rand // Of the world's own doings; each person has another.
	provider *sandbox.Server
	liar     *liar
	dir      string
	maxDay   int64 // Cents; 0 for no cap.

	mu     sync.Mutex
	run    judge.Run
	people []*person
}

// draw returns the randomness of a part of a seed.
func draw(seed uint64, part string) *rand.Rand {
	sum := uint64(14695981039346656037)
	for _, b := range []byte(part) {
		sum = (sum ^ uint64(b)) * 1099511628211
	}
	return rand.New(rand.NewPCG(seed, sum)) //nolint:gosec // a seed has to draw the same again
}

// makeWorld opens a provider for a seed.
func makeWorld(ctx context.Context, t *testing.T, seed uint64) *world {
	t.Helper()
	w := &world{t: t, rand: draw(seed, "world"), dir: t.TempDir(), run: judge.Run{Acted: make(map[string]time.Time)}}
	cards := 3 + w.rand.IntN(12)
	if w.rand.IntN(8) == 0 {
		cards = 100 + w.rand.IntN(120) // More than a page.
	}
	var err error
	w.provider, err = sandbox.Open(ctx, sandbox.Config{
		Seed: seed, APIKeys: []string{key}, Quiet: true, Cards: cards, Transactions: -1, Wallet: fmt.Sprint(200 + w.rand.IntN(3000)),
	})
	if err != nil {
		t.Fatal(err)
	}
	w.liar = makeLiar(w.watched(), draw(seed, "liar"))
	if w.rand.IntN(2) == 0 {
		w.maxDay = int64(60+w.rand.IntN(440)) * 100
	}
	return w
}

// watched is the way to the provider on which what it does is noted.
func (w *world) watched() http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		resp, err := w.provider.Transport().RoundTrip(r)
		w.mu.Lock()
		defer w.mu.Unlock()
		if k := r.Header.Get("X-Idempotency-Key"); k != "" && err == nil && resp.StatusCode < 300 {
			if _, again := w.run.Acted[k]; !again {
				w.run.Acted[k] = now()
			}
		}
		return resp, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// books reads what the provider has.
func (w *world) books() judge.Books {
	var wallet struct{ Balance json.Number }
	w.read("/wallet/balance", &wallet)
	b := judge.Books{Wallet: cents(wallet.Balance), Cards: make(map[string]judge.Card)}
	for page := 1; ; page++ {
		var list struct {
			Data []struct {
				ID, Status string
				Balance    json.Number
			}
		}
		w.read(fmt.Sprintf("/cards?per_page=100&page=%d", page), &list)
		for _, c := range list.Data {
			b.Cards[c.ID] = judge.Card{Cents: cents(c.Balance), Status: c.Status}
		}
		if len(list.Data) < 100 {
			return b
		}
	}
}

func (w *world) read(path string, into any) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://localhost/v1"+path, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	resp, err := w.provider.Transport().RoundTrip(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // it is in memory
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		w.t.Fatal(path, err)
	}
}

// cents reads an amount of USD. Balances are far below what a float has exactly.
func cents(n json.Number) int64 {
	f, err := n.Float64()
	if err != nil {
		return math.MinInt64
	}
	return int64(math.Round(f * 100))
}

// person is somebody at a machine of their own. When it is killed, all programs on it end at once, and what was on
// its disk stays.
type person struct {
	w     *world
	name  string
	rand  *rand.Rand
	mu    sync.Mutex
	home  string
	lives context.CancelFunc
	ctx   context.Context //nolint:containedctx // of the machine, until it is killed
	kills int
	// killAt has the machine killed before its nth request from now on; 0 for not.
	killAt int
	after  bool // The request that kills acts before.
	n      int
}

func (w *world) addPerson(seed uint64, name string) *person {
	p := &person{w: w, name: name, rand: draw(seed, name), home: filepath.Join(w.dir, name)}
	p.ctx, p.lives = context.WithCancel(context.Background())
	paths := config.PathsUnder(p.home)
	if err := os.MkdirAll(filepath.Dir(paths.Config), 0o700); err != nil {
		w.t.Fatal(err)
	}
	settings := fmt.Sprintf("[[rules]]\nname = \"topup\"\nwhen = \"status=active bal<250\"\nfund_by = \"7.77\"\nmax_per_day = \"%d\"\ncooldown = \"10m\"\n", ruleDay/100)
	if w.maxDay > 0 {
		settings += fmt.Sprintf("[guardrails]\nmax_day = \"%d\"\n", w.maxDay/100)
	}
	if err := os.WriteFile(paths.Config, []byte(settings), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.people = append(w.people, p)
	return p
}

// way is how the programs of a machine reach the provider, until it is killed.
func (p *person) way(ctx context.Context) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		p.mu.Lock()
		dies := false
		if p.killAt > 0 && ctx.Err() == nil {
			p.killAt--
			dies = p.killAt == 0
		}
		after := p.after
		p.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return nil, errCut
		case dies && after:
			_, _ = p.w.liar.RoundTrip(r)
			p.kill()
			return nil, errCut
		case dies:
			p.kill()
			return nil, errCut
		}
		return p.w.liar.RoundTrip(r)
	})
}

// kill ends all programs of the machine. What they write from now on is on a disk that nobody has.
func (p *person) kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kills++
	next := fmt.Sprintf("%s-%d", filepath.Join(p.w.dir, p.name), p.kills)
	if err := errors.Join(os.CopyFS(next, os.DirFS(p.home)), private(next)); err != nil {
		p.w.t.Error(err)
	}
	p.home = next
	p.lives()
	p.ctx, p.lives = context.WithCancel(context.Background())
}

// private has a copy as closed to others as what was copied.
func private(dir string) error {
	return filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o700) //nolint:gosec // a folder of the test
		}
		return os.Chmod(path, 0o600) //nolint:gosec // a file of the test
	})
}

// runs runs a command line on the person's machine.
func (p *person) runs(in string, a judge.Asked, args ...string) judge.Asked {
	p.mu.Lock()
	ctx, home, kills := p.ctx, p.home, p.kills
	p.mu.Unlock()
	var out, errs bytes.Buffer
	a.From, a.Who, a.Line = now(), p.name, strings.Join(args, " ")
	program := app.Program{
		Env: config.Env{BaseURL: "http://localhost/v1", APIKey: api.NewAPIKey(key)}, Errs: &errs, Now: now,
		Paths: config.PathsUnder(home), Transport: p.way(ctx),
	}
	a.Exit = cmd.Run(ctx, program, args, strings.NewReader(in), &out)
	a.To, a.Out, a.Errs = now(), out.String(), errs.String()
	p.mu.Lock()
	a.Killed = p.kills != kills
	p.mu.Unlock()
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	at, acted := p.w.run.Acted[a.Key]
	a.Acted = acted && !at.Before(a.From)
	p.w.run.Asked = append(p.w.run.Asked, a)
	return a
}

// lines are the objects that a command printed.
func lines[T any](t *testing.T, a judge.Asked) (all []T) {
	t.Helper()
	for l := range strings.Lines(a.Out) {
		var v T
		if err := json.Unmarshal([]byte(l), &v); err != nil {
			t.Errorf("%s prints %q: %v", a.Line, l, err)
			continue
		}
		all = append(all, v)
	}
	return all
}

// leaks are the files and outputs with the key in them.
func (w *world) leaks() (found []string) {
	for _, a := range w.run.Asked {
		if strings.Contains(a.Out+a.Errs, key) {
			found = append(found, "the output of "+a.Line)
		}
	}
	err := filepath.WalkDir(w.dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path) //nolint:gosec // of the test
		if err == nil && bytes.Contains(data, []byte(key)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		w.t.Error(err)
	}
	slices.Sort(found)
	return found
}
