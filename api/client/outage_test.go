package client_test

import (
	"net"
	"net/http"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

// blackhole is a way to the server that swallows everything while it is
// closed: what was connected by then stays silent for ever.
type blackhole struct {
	to     string
	closed atomic.Bool
}

func (b *blackhole) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go b.carry(conn)
	}
}

func (b *blackhole) carry(conn net.Conn) {
	out, err := net.Dial("tcp", b.to)
	if err != nil {
		return
	}
	dead := new(atomic.Bool)
	pass := func(from, to net.Conn) {
		buf := make([]byte, 4096)
		for {
			n, err := from.Read(buf)
			dead.CompareAndSwap(false, b.closed.Load())
			if err != nil {
				break
			}
			if dead.Load() {
				continue
			}
			if _, err := to.Write(buf[:n]); err != nil {
				break
			}
		}
		_ = from.Close()
		_ = to.Close()
	}
	go pass(conn, out)
	go pass(out, conn)
}

// TestADeadConnectionCostsSixSeconds cuts the network without a word in the
// middle of the reading, with the time-outs that the program has, and measures
// from its return to the first good answer.
func TestADeadConnectionCostsSixSeconds(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("CARDTOP_PROVE"))
	if err != nil {
		t.Skip("takes up to 12 seconds a round: run bench/secrets.sh")
	}
	n = min(n, 20)
	good, worst := 0, time.Duration(0)
	done := make(chan time.Duration, n)
	for i := range n {
		go func() { done <- outage(t, time.Duration(i)*300*time.Millisecond) }()
	}
	for range n {
		took := <-done
		worst = max(worst, took)
		if took <= 6*time.Second {
			good++
		}
	}
	t.Logf("%-60s %d of %d   longest %v", "dead connection: an answer 6 s after the network is back", good, n, worst.Round(time.Millisecond))
	if good != n {
		t.Error("a dead connection costs more")
	}
}

func outage(t *testing.T, span time.Duration) time.Duration {
	t.Helper()
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: answer(200, "application/json", cardBody)}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return time.Hour
	}
	go func() { _ = server.Serve(inner) }()
	defer server.Close() //nolint:errcheck // the test's own server
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Error(err)
		return time.Hour
	}
	defer l.Close() //nolint:errcheck // the test's own listener
	hole := &blackhole{to: inner.Addr().String()}
	go hole.serve(l)
	c, err := client.New(client.Config{BaseURL: "http://" + l.Addr().String() + "/v1", Key: api.NewAPIKey(testKey)})
	if err != nil {
		t.Error(err)
		return time.Hour
	}
	defer c.ResetConnections()
	if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
		t.Error(err)
		return time.Hour
	}
	hole.closed.Store(true)
	var back atomic.Int64
	timer := time.AfterFunc(span, func() { back.Store(time.Now().UnixNano()); hole.closed.Store(false) }) //nolint:forbidigo // a real network takes real time
	defer timer.Stop()
	for {
		_, err := c.GetCard(t.Context(), "card_1")
		if at := back.Load(); err == nil && at != 0 {
			return time.Since(time.Unix(0, at)) //nolint:forbidigo // a real network takes real time
		}
	}
}
