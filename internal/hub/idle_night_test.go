//go:build night

package hub_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
)

const idleMany = 10_000

// TestTenThousandIdleConnections opens them from another process, each with an answer
// behind it, and asks meanwhile. Those without a token are not held.
func TestTenThousandIdleConnections(t *testing.T) {
	s := open(t, sandbox.Config{Seed: 7, Cards: 40, NoLimits: true, Quiet: true}, team.Person{Name: "ann", Role: team.Buyer, Labels: []string{"*"}})
	s.limits = limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 100}
	s.begin()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.hub.Serve(ctx, l, nil) }()
	s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
	before := inUse()
	holder := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHoldConnections$", "-test.v")
	holder.Env = append(os.Environ(), "HOLD_AT="+l.Addr().String())
	holder.Stderr = os.Stderr
	in, err := holder.StdinPipe()
	must(t, err)
	out, err := holder.StdoutPipe()
	must(t, err)
	must(t, holder.Start())
	if _, err := fmt.Fprintln(in, s.tokens["ann"]); err != nil {
		t.Fatal(err)
	}
	lines, held := bufio.NewScanner(out), 0
	for held == 0 && lines.Scan() {
		_, _ = fmt.Sscanf(lines.Text(), "held %d", &held) // Other lines are of the test.
	}
	s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
	t.Logf("hub: %d of %d idle connections held, %d KiB each; a request is answered meanwhile", held, idleMany, (inUse()-before)/idleMany/1024)
	if held != idleMany {
		t.Errorf("%d are held", held)
	}
	_ = in.Close() // It ends the holder.
	_, _ = io.Copy(io.Discard, out)
	if err := holder.Wait(); err != nil {
		t.Error(err)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	s.end()
}

func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// TestHoldConnections is the other process: it holds connections until its input ends.
func TestHoldConnections(t *testing.T) {
	addr := os.Getenv("HOLD_AT")
	if addr == "" {
		return
	}
	in := bufio.NewReader(os.Stdin)
	token, err := in.ReadString('\n')
	must(t, err)
	ask := func(token string) (net.Conn, string) {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
		must(t, err)
		if _, err := fmt.Fprintf(conn, "GET /hub/v1/about HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\n\r\n", token); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReaderSize(conn, 64), nil)
		must(t, err)
		_, _ = io.Copy(io.Discard, res.Body) // It is short.
		_ = res.Body.Close()
		return conn, fmt.Sprint(res.StatusCode, " ", res.Close)
	}
	conn, status := ask("nobody")
	if status != "401 true" {
		t.Errorf("without a token: %s", status)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the connection of who has no token is held")
	}
	held := make([]net.Conn, 0, idleMany)
	for range idleMany {
		conn, status := ask(strings.TrimSpace(token))
		if status != "200 false" {
			t.Fatal(status)
		}
		held = append(held, conn)
	}
	fmt.Println("held", len(held))
	_, _ = in.ReadString('\n')
	for _, conn := range held {
		_ = conn.Close()
	}
}
