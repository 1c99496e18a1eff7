//go:build night

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// lineMode is what a line does with what is sent over it.
type lineMode uint8

const (
	lineOpen    lineMode = iota // carries it
	lineHeld                    // carries it when it is open again
	lineCut                     // resets every connection
	lineGateway                 // answers itself that nobody is behind it
	lineRefused                 // takes no connection
)

// line is a TCP proxy before the sandbox that can be spoiled.
type line struct {
	t       *testing.T
	server  string
	address string

	mu      sync.Mutex
	changed *sync.Cond
	mode    lineMode
	over    bool
	door    net.Listener
	conns   map[net.Conn]bool
	work    sync.WaitGroup
}

func openLine(t *testing.T, server string) *line {
	t.Helper()
	l := &line{t: t, server: server, address: "127.0.0.1:0", conns: map[net.Conn]bool{}}
	l.changed = sync.NewCond(&l.mu)
	l.listen()
	t.Cleanup(func() {
		l.mu.Lock()
		l.over = true
		l.mu.Unlock()
		l.set(lineRefused)
		l.work.Wait()
	})
	return l
}

func (l *line) listen() {
	l.t.Helper()
	door, err := (&net.ListenConfig{}).Listen(l.t.Context(), "tcp", l.address)
	if err != nil {
		l.t.Fatal(err)
	}
	l.door, l.address = door, door.Addr().String()
	l.work.Go(func() {
		for {
			c, err := door.Accept()
			if err != nil {
				return
			}
			l.work.Go(func() { l.carry(c) })
		}
	})
}

// set spoils the line, or opens it again. What is under way is ended unless it
// is only held up.
func (l *line) set(m lineMode) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.mode == lineRefused && m != lineRefused {
		l.listen()
	}
	l.mode = m
	if m == lineRefused {
		_ = l.door.Close()
	}
	if m != lineOpen && m != lineHeld {
		for c := range l.conns {
			reset(c)
		}
	}
	l.changed.Broadcast()
}

// passes waits while the line is held; false when it carries nothing.
func (l *line) passes() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.mode == lineHeld && !l.over {
		l.changed.Wait()
	}
	return l.mode == lineOpen
}

func (l *line) keep(c net.Conn) (done func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns[c] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.conns, c)
		_ = c.Close() // A line ends as it likes.
	}
}

func (l *line) carry(client net.Conn) {
	defer l.keep(client)()
	l.mu.Lock()
	m := l.mode
	l.mu.Unlock()
	switch m {
	case lineGateway:
		if _, err := http.ReadRequest(bufio.NewReader(client)); err == nil {
			_, _ = io.WriteString(client, "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 15\r\nConnection: close\r\n\r\n<html>502</html")
		}
		return
	case lineCut, lineRefused:
		reset(client)
		return
	case lineOpen, lineHeld:
	}
	server, err := (&net.Dialer{}).DialContext(l.t.Context(), "tcp", l.server)
	if err != nil {
		return
	}
	defer l.keep(server)()
	l.work.Go(func() { l.pump(server, client) })
	l.pump(client, server)
}

func (l *line) pump(from, to net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 && l.passes() {
			_, err = to.Write(buf[:n])
		}
		if err != nil {
			_ = to.Close() // The other half ends with this one.
			return
		}
	}
}

// reset ends a connection so that the other side sees no proper end.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// TestTheProgramOutlivesItsNetwork runs the built program over a line that is
// spoiled in every way, and uses the account meanwhile.
func TestTheProgramOutlivesItsNetwork(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	address := serve(t, exe)
	host := strings.TrimSuffix(strings.TrimPrefix(address, "http://"), "/v1")
	l := openLine(t, host)
	card := activeCard(t, address)
	s := openScreen(t, exe, strings.Replace(address, host, l.address, 1))
	s.await("● live", "1 Cards  50")
	for i, x := range []struct {
		mode  lineMode
		words []string
	}{
		{lineRefused, []string{"✗ OFFLINE since", "the API does not answer (" + l.address + ": connection refused)"}},
		{lineCut, []string{"✗ OFFLINE since", "the API does not answer (connection reset by peer)"}},
		{lineGateway, []string{"late ", "the API failed (502): text/html"}},
		{lineHeld, []string{"✗ OFFLINE since", "the API does not answer (timed out)"}},
	} {
		l.set(x.mode)
		lever(t, host, "/sandbox/transactions", map[string]any{"card_id": card, "type": "authorization", "amount": 1, "merchant": fmt.Sprintf("Store No%d", i)})
		s.await(x.words...)
		code := fmt.Sprintf("48291%d", i)
		lever(t, host, "/sandbox/challenges", map[string]any{"card_id": card, "merchant": "Acme Store", "amount": 25, "otp": code})
		back := clock()
		l.set(lineOpen)
		s.await(code[:3] + " " + code[3:])
		if took := clock().Sub(back); took > 5*time.Second {
			t.Errorf("after %q the code took %v", x.words[1], took)
		}
		s.await("● live", fmt.Sprintf("Store No%d", i))
	}
	s.awaitGone("STALE")
	screen := s.term.text()
	for i := range 4 {
		if n := strings.Count(screen, fmt.Sprintf("Store No%d", i)); n != 1 {
			t.Errorf("the charge of store %d is on the screen %d times:\n%s", i, n, screen)
		}
	}
	if !strings.Contains(screen, "1 Cards  50") {
		t.Errorf("cards are lost or doubled:\n%s", screen)
	}
	if err := s.quit(); err != nil {
		t.Errorf("quit: %v", err)
	}
}

func activeCard(t *testing.T, address string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/cards?status=active&per_page=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+binaryKey)
	return text(t, objects(t, sendTo(t, req)["data"])[0]["id"])
}

// lever moves one of the sandbox's, past the line.
func lever(t *testing.T, host, path string, body map[string]any) {
	t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+path, bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	sendTo(t, req)
}

func sendTo(t *testing.T, req *http.Request) map[string]any {
	t.Helper()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }() // It was read.
	var out map[string]any
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil || res.StatusCode >= 400 {
		t.Fatalf("%s: %d, %v", req.URL.Path, res.StatusCode, err)
	}
	return out
}
