//go:build night && linux

package terminals

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	apiKey   = "sk_test_terminals"
	patience = 60 * time.Second
)

// rounds returns how often each thing is done.
func rounds(t *testing.T) int { t.Helper(); return number(t, "CARDTOP_PROVE") }

func number(t *testing.T, name string) int {
	t.Helper()
	if os.Getenv(name) == "" {
		t.Skip("needs xterm, screen, mosh: run bench/proof-screen.sh")
	}
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil || n < 1 {
		t.Fatalf("%s has to be a number", name)
	}
	return n
}

// proved prints how often something held.
func proved(t *testing.T, what string, good, of int) {
	t.Helper()
	t.Logf("%-70s %d of %d", what, good, of)
	if good != of {
		t.Errorf("%s: %d of %d", what, good, of)
	}
}

// built is the program, built once for all tests.
var built = sync.OnceValues(func() (string, error) {
	exe := filepath.Join(binaries(), "cardtop")
	out, err := exec.CommandContext(context.Background(), "go", "build", "-buildvcs=false", "-o", exe, "../..").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return exe, nil
})

func binaries() string {
	return filepath.Join(os.TempDir(), fmt.Sprintf("cardtop-terminals-%d", os.Getpid()))
}

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(binaries()) // The system clears what is left.
	os.Exit(code)
}

// world is a server without traffic and a home of the program's own.
type world struct {
	t                  *testing.T
	exe, home, address string // the address without /v1
}

func openWorld(t *testing.T) *world {
	t.Helper()
	exe, err := built()
	must(t, err)
	w := &world{t: t, exe: exe, home: t.TempDir()}
	t.Cleanup(w.ended)
	cmd := exec.CommandContext(context.Background(), exe, "sandbox", "--addr", "127.0.0.1:0", "--api-key", apiKey, "--quiet", "--no-limits", "--cards", "300", "--transactions", "1000", "--history", "0")
	cmd.Env = []string{"HOME=" + w.home}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must(t, err)
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	w.address = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(line, "sandbox on ")), "/v1")
	// Codes that count down end first: they would be gone in the middle.
	var codes struct{ Data []struct{ ID string } }
	w.call(http.MethodGet, "/v1/3ds?status=pending", "", &codes)
	for _, c := range codes.Data {
		w.call(http.MethodPost, "/sandbox/challenges/"+c.ID+"/expire", "", nil)
	}
	return w
}

// call sends a request to the server.
func (w *world) call(method, path, body string, into any) {
	w.t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, w.address+path, bytes.NewBufferString(body))
	must(w.t, err)
	req.Header.Set("Authorization", "Bearer "+apiKey)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	must(w.t, err)
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 {
		w.t.Fatalf("%s %s: %s", method, path, res.Status)
	}
	if into == nil {
		return
	}
	must(w.t, json.NewDecoder(res.Body).Decode(into))
}

// polls returns how often the codes were asked for so far.
func (w *world) polls() int {
	w.t.Helper()
	return w.requests(func(route string) bool { return strings.HasSuffix(route, "/3ds") })
}

// requests returns how often the routes were asked for that a function is true of.
func (w *world) requests(of func(route string) bool) (n int) {
	w.t.Helper()
	var report struct {
		Requests map[string]map[string]int `json:"requests"`
	}
	w.call(http.MethodGet, "/sandbox/report", "", &report)
	for route, by := range report.Requests {
		if of(route) {
			for _, count := range by {
				n += count
			}
		}
	}
	return n
}

// idle waits until nothing about a single card was asked for a while: an answer to that
// changes the screen between two pictures of it.
func (w *world) idle() {
	w.t.Helper()
	about := func() int { return w.requests(func(route string) bool { return strings.Contains(route, "{") }) }
	for last, at, end := about(), now(), now().Add(patience); now().Sub(at) < 1500*time.Millisecond && now().Before(end); <-time.After(100 * time.Millisecond) {
		if n := about(); n != last {
			last, at = n, now()
		}
	}
}

// anew is the world for a program that never ran in it: its hour of requests is its own.
func (w *world) anew(t *testing.T) *world {
	t.Helper()
	out := *w
	out.t, out.home = t, t.TempDir()
	t.Cleanup(out.ended)
	return &out
}

// env is the environment of a terminal; the last of two values counts.
func (w *world) env(more ...string) []string {
	return append([]string{
		"TERM=xterm-256color", "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "PS1=$ ", "SHELL=/bin/sh",
		"XDG_CONFIG_HOME=" + w.home + "/config", "XDG_STATE_HOME=" + w.home + "/state", "XDG_CACHE_HOME=" + w.home + "/cache",
		"CARDTOP_BASE_URL=" + w.address + "/v1", "CARDTOP_API_KEY=" + apiKey,
	}, more...)
}

// terminal shows the program. Keys have the names that X gives them.
type terminal interface {
	keys(names ...string)
	// text is what the terminal says that it shows.
	text() string
	resize(width, height int)
}

func now() time.Time { return time.Now() } //nolint:forbidigo // of real programs

// await waits for something of a real program.
func await(t *testing.T, at terminal, what string, ok func(screen string) bool) {
	t.Helper()
	end := now().Add(patience)
	for {
		screen := at.text()
		if ok(screen) {
			return
		}
		if now().After(end) {
			t.Fatalf("there is not %s:\n%s", what, screen)
		}
		<-time.After(20 * time.Millisecond)
	}
}

func has(words string) func(string) bool {
	return func(screen string) bool { return strings.Contains(screen, words) }
}

// awaitList waits until everything was read.
func awaitList(t *testing.T, at terminal) {
	t.Helper()
	await(t, at, "the list", func(s string) bool {
		return strings.Contains(s, "1 Cards  300 ") && strings.Contains(s, " live  API") && strings.Contains(s, "? help") && strings.Contains(s, " lasts ") && !strings.Contains(s, "≥")
	})
}

// settled returns the screen once it has stood still.
func settled(at terminal) string {
	before := at.text()
	for range 50 {
		<-time.After(150 * time.Millisecond)
		after := at.text()
		if differs(before, after) == nil {
			return after
		}
		before = after
	}
	return before
}

// wrong returns how the screen differs from what a redraw of all of it shows.
func wrong(w *world, at terminal) error {
	w.idle()
	before := settled(at)
	at.keys("ctrl+l")
	return differs(before, settled(at))
}

// exercise types keys that go everywhere and change nothing.
func exercise(at terminal, random *rand.Rand) {
	walks := [][]string{
		{"j", "j", "j", "k"},
		{"Next", "Next", "Prior"},
		{"G"},
		{"g"},
		{"Tab"},
		{"1"},
		{"3", "Next"},
		{"4", "j"},
		{"slash", "b", "r"},
		{"question", "Next"},
		{"Return"},
		{"s"},
		{"H"},
		{"B"},
		{"1", "Down", "Down", "Down", "Down", "Down", "Down"},
	}
	var all []string
	for range 12 {
		all = append(all, walks[random.IntN(len(walks))]...)
		if random.IntN(3) == 0 {
			all = append(all, "Escape")
		}
	}
	at.keys(all...)
}

// home leaves whatever is open, for the first row of the list. It waits for each
// key: a terminal that is behind would hand over an escape together with the next
// key, as another key. Escapes come in twos: where an amount is typed, such as the 1 of the try
// before, the first clears it.
func home(t *testing.T, at terminal) {
	t.Helper()
	screen := ""
	for range 30 {
		for range 2 {
			at.keys("Escape")
			settled(at)
		}
		at.keys("1")
		screen = settled(at)
		if strings.Contains(screen, "1 Cards  300 ") && strings.Contains(screen, "tab panes") {
			at.keys("g")
			return
		}
	}
	t.Fatalf("escape does not lead to the list:\n%s", screen)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
