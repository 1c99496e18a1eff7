//go:build night

package e2e

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// losing passes requests on, and keeps the answers of writes until it is told to pass
// those on as well.
type losing struct {
	mu   sync.Mutex
	keys []string // Of the writes.
	lose bool
	lost chan struct{}
}

func (l *losing) serve(t *testing.T, address string) string {
	t.Helper()
	to, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: to.Scheme, Host: to.Host})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			proxy.ServeHTTP(w, r)
			return
		}
		l.mu.Lock()
		l.keys = append(l.keys, r.Header.Get("X-Idempotency-Key"))
		lose := l.lose
		l.mu.Unlock()
		if !lose {
			proxy.ServeHTTP(w, r)
			return
		}
		proxy.ServeHTTP(httptest.NewRecorder(), r)
		l.lost <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(server.Close)
	return server.URL + to.Path
}

// tools is the built program as it serves tools, and its client.
type tools struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func openTools(t *testing.T, exe, home, address string, args ...string) *tools {
	t.Helper()
	s := &tools{t: t, cmd: exec.CommandContext(t.Context(), exe, append([]string{"mcp"}, args...)...)}
	s.cmd.Env = environment(home, "CARDTOP_BASE_URL="+address, "CARDTOP_API_KEY="+binaryKey)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	s.receive()
	return s
}

func (s *tools) send(line string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

func (s *tools) receive() string {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return line
}

// TestAnAssistantIsKilledWhileMoneyMoves: started again, the same call settles what the
// killed one began, under the same key, and the money moves once.
func TestAnAssistantIsKilledWhileMoneyMoves(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	address := serve(t, exe, "--cards", "3", "--transactions", "1", "--wallet", "900")
	l := &losing{lose: true, lost: make(chan struct{})}
	home, proxied := t.TempDir(), l.serve(t, address)
	list := &script{t: t, exe: exe, home: home, address: proxied}
	code, out, errs := list.run("", "cards", "list", "--status", "active", "--limit", "1", "--jsonl")
	var card struct {
		ID      string  `json:"id"`
		Balance float64 `json:"balance"`
	}
	if err := json.Unmarshal([]byte(out), &card); err != nil || code != 0 {
		t.Fatalf("%d %s %s", code, out, errs)
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cards_fund","arguments":{"card":"` + card.ID + `","amount":7,"idempotency_key":"order-17"}}}`
	allow := []string{"--allow", "fund", "--max-amount", "10"}

	s := openTools(t, exe, home, proxied, allow...)
	s.send(call)
	<-l.lost
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = s.cmd.Wait() // It was killed.
	l.mu.Lock()
	l.lose = false
	l.mu.Unlock()

	s = openTools(t, exe, home, proxied, allow...)
	s.send(call)
	if got := s.receive(); !strings.Contains(got, `"outcome":"done"`) || strings.Contains(got, "isError") {
		t.Errorf("the second call is answered with %s", got)
	}
	if err := s.in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	for _, key := range l.keys {
		if key != "order-17" {
			t.Errorf("a write was sent with the key %s", key)
		}
	}
	if len(l.keys) < 2 {
		t.Errorf("%d writes were sent", len(l.keys))
	}
	_, out, _ = list.run("", "cards", "show", card.ID, "--json")
	was := card.Balance
	if err := json.Unmarshal([]byte(out), &card); err != nil || card.Balance != was+7 {
		t.Errorf("the card held %v and holds %v", was, card.Balance)
	}
	if _, out, _ = list.run("", "history", "--jsonl"); strings.Count(out, `"via":"mcp"`) != strings.Count(out, "\n") || !strings.Contains(out, `"outcome":"done"`) {
		t.Errorf("the history has %s", out)
	}
	if _, out, _ = list.run("", "operations", "list", "--jsonl"); out != "" {
		t.Errorf("operations are open: %s", out)
	}
}
