package cmd

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/cmd/cli"
	"github.com/cardtop/cardtop/internal/cmd/output"
	"github.com/cardtop/cardtop/internal/config"
	"github.com/cardtop/cardtop/internal/storage/addresses"
	"github.com/cardtop/cardtop/internal/storage/journal"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/wallets"
)

const servedKey = "sk_test_served0123456789"

// served is a sandbox on a loopback address, and a user who runs commands on it.
type served struct {
	t     *testing.T
	world *sandbox.Server
	url   string
	// before sees each request of the contract, one at a time, and reports whether it
	// answered.
	before func(w http.ResponseWriter, r *http.Request) bool
	mu     sync.Mutex
	key    string
	dir    string           // Of this package.
	in     string           // Standard input of the next command.
	full   bool             // Whether what is printed goes to a full disk.
	now    func() time.Time // nil is the clock of main
	out    string
	errs   string
}

// standing is the time of the worlds: nothing depends on when a test runs.
func standing() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func serve(t *testing.T, cfg sandbox.Config) *served {
	t.Helper()
	dir, err := os.Getwd()
	must(t, err)
	nobody(t)
	cfg.Seed, cfg.APIKeys, cfg.Quiet = cmp.Or(cfg.Seed, 3), []string{servedKey}, true
	world, err := sandbox.Open(t.Context(), cfg)
	must(t, err)
	s := &served{t: t, world: world, key: servedKey, dir: dir}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.seen(w, r) {
			return
		}
		world.Handler().ServeHTTP(w, r)
	}))
	s.url = server.URL
	t.Cleanup(func() {
		server.Close()
		if err := world.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// seen reports whether a request was answered before the world could.
func (s *served) seen(w http.ResponseWriter, r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.before != nil && strings.HasPrefix(r.URL.Path, "/v1/") && s.before(w, r)
}

// clock is what the next program has.
func (s *served) clock() func() time.Time {
	if s.now != nil {
		return s.now
	}
	return time.Now //nolint:forbidigo // the clock of main
}

// fullDisk is an output that takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// frozen is a default world at a time that stands still.
func frozen(t *testing.T) *served { t.Helper(); return serve(t, sandbox.Config{Now: standing}) }

// intercept has f see each request from now on, nil nothing. A request that its command
// no longer waits for may still be seen meanwhile.
func (s *served) intercept(f func(w http.ResponseWriter, r *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.before = f
}

// run runs a command line and returns its exit code, as main does.
func (s *served) run(args ...string) int {
	s.t.Helper()
	var out, errs bytes.Buffer
	p := program{app.Program{Env: config.Env{BaseURL: s.url + "/v1", APIKey: api.NewAPIKey(s.key)}, Errs: &errs, Now: time.Now}, &out} //nolint:forbidigo // the clock of main
	if s.full {
		p.out = fullDisk{}
	}
	root := commands(p)
	root.SetArgs(args)
	root.SetIn(strings.NewReader(s.in))
	ran, err := root.ExecuteContextC(s.t.Context())
	code := cli.ExitCode(err)
	if output.AsJSON(ran, args) {
		cli.ReportJSON(&errs, err)
	} else {
		cli.Report(&errs, err)
	}
	s.in, s.out, s.errs = "", out.String(), errs.String()
	for _, text := range []string{s.out, s.errs} {
		if strings.Contains(text, servedKey) || strings.ContainsAny(text, "\x1b\x07\x00\r") {
			s.t.Errorf("%q prints %q", args, text)
		}
	}
	return code
}

// does runs a command line that has to end with a code.
func (s *served) does(code int, args ...string) string {
	s.t.Helper()
	if got := s.run(args...); got != code {
		s.t.Fatalf("%q ends with %d, not %d: %s%s", args, got, code, s.out, s.errs)
	}
	return s.out
}

// ask sends a request past the commands.
func (s *served) ask(method, path, body string) map[string]any {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	must(s.t, err)
	req.Header.Set("Authorization", "Bearer "+servedKey)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	must(s.t, err)
	defer func() { _ = res.Body.Close() }() // It is read to its end.
	data, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode >= http.StatusBadRequest {
		s.t.Fatalf("%s %s: %d %s %v", method, path, res.StatusCode, data, err)
	}
	var out map[string]any
	if len(data) > 0 && json.Unmarshal(data, &out) != nil {
		s.t.Fatalf("%s %s: %s", method, path, data)
	}
	return out
}

// lines are the objects of JSON lines.
func (s *served) lines(text string) []map[string]any {
	s.t.Helper()
	var all []map[string]any
	for line := range strings.Lines(text) {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			s.t.Fatalf("%q: %v", line, err)
		}
		all = append(all, o)
	}
	return all
}

// golden compares what a command printed with a file.
func (s *served) golden(name string) {
	s.t.Helper()
	path := filepath.Join(s.dir, "testdata", name)
	if *update {
		must(s.t, os.WriteFile(path, []byte(s.out), 0o600))
		return
	}
	want, err := os.ReadFile(path)
	must(s.t, err)
	if s.out != string(want) {
		s.t.Errorf("%s: printed\n%s\nwant\n%s", name, s.out, want)
	}
}

// pin notes a deposit address as seen by the dashboard.
func (s *served) pin(c api.Currency, address api.Text) {
	s.t.Helper()
	pin := wallets.Pin{Currency: c, Address: address, Network: "erc-20", Since: standing().AddDate(0, -1, 0)}
	if _, err := addresses.Open(s.profile()).Keep([]wallets.Pin{pin}, false); err != nil {
		s.t.Fatal(err)
	}
}

// leaveOpen leaves a fund of 5 USD in the journal that a run began an hour ago and
// that no answer settled.
func (s *served) leaveOpen(id, key string) {
	s.t.Helper()
	w, err := api.FundWrite(api.CardID(id), 5*api.Dollar)
	must(s.t, err)
	s.leave(state.Op{Kind: state.OpFund, Card: api.CardID(id), Amount: 5 * api.Dollar, Name: "fb/spring/01", Key: api.IdempotencyKey(key), Tries: 1}, w)
}

// leave has an operation in the journal, of an hour ago unless it has a time.
func (s *served) leave(op state.Op, w api.Write) {
	s.t.Helper()
	if op.At.IsZero() {
		op.At = time.Now().Add(-time.Hour) //nolint:forbidigo // the clock of main
	}
	j, err := journal.Open(s.profile(), func() time.Time { return op.At })
	must(s.t, err)
	if err = errors.Join(j.Begin(op, w), j.Close()); err != nil {
		s.t.Fatal(err)
	}
}

// files are those that the commands have left.
func (s *served) files() []string {
	s.t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	must(s.t, err)
	return files
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
