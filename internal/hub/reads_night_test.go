//go:build night

package hub_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api/sandbox"
	"github.com/cardtop/cardtop/internal/hub/limit"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// Bars of reads on two cores.
const (
	leastReads = 5000 // a second
	mostWait   = 10 * time.Millisecond
)

// reads is what the other process has measured.
type reads struct {
	Served  int           // a second, as many as there are
	Paced   int           // a second, of those whose waits are below
	P50     time.Duration // from when one is due
	P99     time.Duration
	Refused string
}

// TestReadsServed has another process read from a hub of 800 cards over HTTP: what the
// lanes of a dashboard ask for, in turn. Both share the machine.
func TestReadsServed(t *testing.T) {
	if os.Getenv("BENCH_HUB") == "" {
		t.Skip("it measures, for make bench-hub: it needs a quiet machine")
	}
	s := open(t, sandbox.Config{Seed: 7, Cards: 800, Transactions: 800, NoLimits: true}, team.Person{Name: "ann", Role: team.Buyer, Labels: []string{"*"}})
	s.limits = limit.Limits{Requests: 1e9, Details: 1e9, Pages: 1e9, Streams: 100}
	lives := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	go func() { lives <- s.world.Run(ctx) }()
	s.begin()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	must(t, err)
	served := make(chan error, 1)
	go func() { served <- s.hub.Serve(ctx, l, nil) }()
	s.want(s.ask("ann", "GET", "/v1/cards", ""), 200, "")
	sender := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestSendReads$")
	sender.Env = append(os.Environ(), "READS_AT="+l.Addr().String())
	sender.Stdin, sender.Stderr = strings.NewReader(s.tokens["ann"]), os.Stderr
	out, err := sender.Output()
	must(t, err)
	var r reads
	line, _, _ := strings.Cut(string(out), "\n")
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.Refused != "" {
		t.Fatalf("%v %s", err, out)
	}
	t.Logf("hub: %d reads served a second over HTTP, the reader on the same two cores | ≥ %d", r.Served, leastReads)
	t.Logf("hub: at %d reads a second p50 %.1f ms, p99 %.1f ms | p99 ≤ %.0f ms", r.Paced, float64(r.P50)/1e6, float64(r.P99)/1e6, float64(mostWait)/1e6)
	if r.Served < leastReads || r.P99 > mostWait {
		t.Errorf("%+v", r)
	}
	stop()
	if err := errors.Join(<-served, <-lives); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.end()
}

// TestSendReads is the other process.
func TestSendReads(t *testing.T) {
	addr := os.Getenv("READS_AT")
	if addr == "" {
		return
	}
	token, err := io.ReadAll(os.Stdin)
	must(t, err)
	r := reads{Paced: leastReads}
	var asked [][]byte
	for _, path := range []string{"/v1/3ds?status=pending", "/v1/transactions?per_page=50", "/v1/wallet/balance", "/v1/cards?sort=last_used&order=desc&per_page=100"} {
		asked = append(asked, fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: hub\r\nAuthorization: Bearer %s\r\n\r\n", path, token))
	}
	const connections, span = 16, 5 * time.Second
	var mu sync.Mutex
	var waits []time.Duration
	round := func(pause time.Duration) (n int) {
		var all sync.WaitGroup
		waits = nil
		for c := range connections {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
			must(t, err)
			all.Go(func() {
				took, refused := send(conn, asked, pause, span, time.Duration(c)*pause/connections)
				mu.Lock()
				defer mu.Unlock()
				n, waits = n+len(took), append(waits, took...)
				r.Refused += refused
			})
		}
		all.Wait()
		return n
	}
	r.Served = round(0) / int(span/time.Second)
	round(time.Second * connections / leastReads)
	slices.Sort(waits)
	r.P50, r.P99 = waits[len(waits)/2], waits[len(waits)*99/100]
	line, err := json.Marshal(r)
	must(t, err)
	fmt.Println(string(line))
}

// send asks in turn for some time, each as far after the one before as pause says, and
// returns how long each answer took from when it was due.
func send(conn net.Conn, asked [][]byte, pause, span, first time.Duration) (took []time.Duration, refused string) {
	in := bufio.NewReaderSize(conn, 64<<10)
	due := clock().Add(first)
	for end := due.Add(span); due.Before(end); {
		if ahead := due.Sub(clock()); ahead > 0 {
			wait(ahead)
		}
		if _, err := conn.Write(asked[len(took)%len(asked)]); err != nil {
			return took, err.Error()
		}
		if err := answerOf(in); err != nil {
			return took, err.Error()
		}
		now := clock()
		took = append(took, now.Sub(due))
		if due = due.Add(pause); pause == 0 {
			due = now
		}
	}
	return took, ""
}

// answerOf reads an answer, and returns an error for another than 200.
func answerOf(in *bufio.Reader) error {
	length, first := 0, ""
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		text := strings.TrimSpace(string(line))
		if first == "" {
			first = text
		}
		if text == "" {
			break
		}
		if value, ok := strings.CutPrefix(text, "Content-Length: "); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return err
			}
		}
	}
	if _, err := in.Discard(length); err != nil {
		return err
	}
	if !strings.HasPrefix(first, "HTTP/1.1 200") {
		return errors.New(first)
	}
	return nil
}
