package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/shell"
	"github.com/cardtop/cardtop/state/news"
)

const botToken = "123456789:AAcanaryTOKEN_of-a-bot"

// botServer stands for Telegram on this machine.
type botServer struct {
	*httptest.Server
	mu    sync.Mutex
	calls []string
	leaks []string
	gone  bool
}

func openBot(t *testing.T) *botServer {
	t.Helper()
	b := &botServer{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.gone {
			http.NotFound(w, r)
			return
		}
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		b.calls = append(b.calls, r.Method+" "+r.URL.Path+" "+r.Form.Get("chat_id")+" "+r.Form.Get("text"))
		b.leaks = append(b.leaks, visible(botToken)...) // The script waits for the answer now.
	}))
	t.Cleanup(b.Close)
	return b
}

// visible lists where the arguments and the environment of a process hold a
// text.
func visible(text string) (where []string) {
	own := fmt.Sprintf("/proc/%d/", os.Getpid())
	for _, name := range []string{"cmdline", "environ"} {
		files, _ := filepath.Glob("/proc/[0-9]*/" + name)
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err == nil && !strings.HasPrefix(file, own) && strings.Contains(string(data), text) {
				where = append(where, file)
			}
		}
	}
	return where
}

func (b *botServer) seen() ([]string, []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.calls, b.leaks
}

// telegram makes the script of docs/ALERTS.md a file, with the server in the
// place of Telegram.
func telegram(t *testing.T, home, server string) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "ALERTS.md"))
	must(t, err)
	_, script, found := strings.Cut(string(page), "```sh\n")
	script, _, _ = strings.Cut(script, "```")
	const real = "https://api.telegram.org"
	if !found || strings.Count(script, real) != 1 {
		t.Fatal("docs/ALERTS.md holds no script for Telegram")
	}
	dir := filepath.Join(home, ".config", "cardtop")
	must(t, os.MkdirAll(dir, 0o700))
	path := filepath.Join(dir, "telegram")
	must(t, os.WriteFile(path, []byte(strings.Replace(script, real, server, 1)), 0o700))
	conf(t, home, botToken+"\n-100200300\n", 0o600)
	return path
}

func conf(t *testing.T, home, text string, mode os.FileMode) {
	t.Helper()
	path := filepath.Join(home, ".config", "cardtop", "telegram.conf")
	must(t, os.WriteFile(path, []byte(text), mode))
	must(t, os.Chmod(path, mode))
}

// needs skips where a tool of the script is missing.
func needs(t *testing.T, tools ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the script is one for sh")
	}
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
}

// TestTheTelegramScriptOfTheDocs is run by the hook as the dashboard runs it: what
// arrives is the event, and the token is in no argument and no environment.
func TestTheTelegramScriptOfTheDocs(t *testing.T) {
	needs(t, "curl", "jq")
	home, bot := t.TempDir(), openBot(t)
	script := telegram(t, home, bot.URL)
	amount := 1250 * api.Cent
	failed := make(chan error, 10)
	hook := shell.StartHook(t.Context(), []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CARDTOP_API_KEY=sk_live_secret"}, func(err error) { failed <- err })
	hook.SetLine("'" + script + "'")
	for _, n := range []news.News{
		{Kind: news.Alert, Type: "low balance", Card: "card_1", Last4: "2039", Label: `"; touch $(pwd)/x; '` + "`id`", Text: "$8.20, below $10.00"},
		{Kind: news.Transaction, Type: "settlement", Last4: "2039", Merchant: "Meta", Amount: &amount},
		{Kind: news.Code, Last4: "2039", Merchant: "Zoë & Söhne", Amount: &amount},
		{Kind: news.Deposit, Amount: &amount},
	} {
		n.At = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		hook.Send(EventLine(n))
	}
	want := []string{
		`alert · low balance · 2039 · "; touch $(pwd)/x; '` + "`id`" + ` · $8.20, below $10.00`,
		"code_ready · 2039 · Zoë & Söhne · $12.5",
		"deposit_credited · $12.5",
	}
	deadline := time.After(8 * time.Second)
	for {
		if calls, _ := bot.seen(); len(calls) >= len(want) {
			break
		}
		select {
		case err := <-failed:
			t.Fatal(err)
		case <-deadline:
			calls, _ := bot.seen()
			t.Fatalf("only %q arrived", calls)
		case <-time.After(5 * time.Millisecond):
		}
	}
	hook.Close()
	calls, leaks := bot.seen()
	all := strings.Join(calls, "\n")
	for _, text := range want {
		if !strings.Contains(all, "POST /bot"+botToken+"/sendMessage -100200300 "+text) {
			t.Errorf("%q did not arrive:\n%s", text, all)
		}
	}
	if len(calls) != len(want) || len(leaks) > 0 {
		t.Errorf("%d arrived, and the token is in %v", len(calls), leaks)
	}
}

// TestTheTelegramScriptKeepsItsToken: it reads no file that others can, nor what
// would be an option of curl, and says so without the token.
func TestTheTelegramScriptKeepsItsToken(t *testing.T) {
	needs(t, "curl")
	home, bot := t.TempDir(), openBot(t)
	script := telegram(t, home, bot.URL)
	run := func() (string, error) {
		cmd := exec.CommandContext(t.Context(), script)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
		cmd.Stdin = strings.NewReader(`{"event":"alert","text":"hello"}`)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for name, c := range map[string]struct {
		text string
		mode os.FileMode
		says string
	}{
		"a file that others read": {botToken + "\n1\n", 0o644, "chmod 600"},
		"a file for the group":    {botToken + "\n1\n", 0o640, "chmod 600"},
		"an option of curl":       {botToken + "\"\n1\n", 0o600, "in the first line"},
		"a chat with an option":   {botToken + "\n1&x\n", 0o600, "in the first line"},
	} {
		conf(t, home, c.text, c.mode)
		out, err := run()
		if err == nil || !strings.Contains(out, c.says) || strings.Contains(out, "canary") {
			t.Errorf("%s: %v, %q", name, err, out)
		}
	}
	conf(t, home, botToken+"\n1\n", 0o600)
	bot.mu.Lock()
	bot.gone = true
	bot.mu.Unlock()
	if out, err := run(); err == nil || strings.Contains(out, "canary") {
		t.Errorf("refused by the server: %v, %q", err, out)
	}
	if calls, _ := bot.seen(); len(calls) > 0 {
		t.Errorf("sent %q", calls)
	}
}
