//go:build long

package sync_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// outage is a span without answers, in one of three ways.
type outage struct {
	from, to time.Time
	kind     string
}

// planOutages returns outages of a day. None is at its end, so that everything of the
// last one is read.
func planOutages(rng *rand.Rand, began time.Time, day time.Duration) []outage {
	var all []outage
	kinds := []string{"unreachable", "silent", "503"}
	for at := began.Add(between(rng, 5*time.Minute, 20*time.Minute)); ; {
		one := outage{from: at, to: at.Add(between(rng, 30*time.Second, 8*time.Minute)), kind: kinds[rng.IntN(len(kinds))]}
		if one.to.After(began.Add(day - calm)) {
			return all
		}
		all = append(all, one)
		at = one.to.Add(between(rng, 10*time.Minute, time.Hour))
	}
}

// calm is how long the end of a day is without trouble.
const calm = 2 * time.Minute

// reachable returns how much of a span is outside all outages.
func reachable(all []outage, from, to time.Time) time.Duration {
	left := to.Sub(from)
	for _, o := range all {
		left -= max(0, earlier(o.to, to).Sub(later(o.from, from)))
	}
	return left
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// trouble makes requests fail at random, and all of them in an outage.
type trouble struct {
	next    http.RoundTripper
	outages []outage
	until   time.Time // nothing happens from then on

	mu     sync.Mutex
	rng    *rand.Rand
	struck map[string]int // by kind
}

// RoundTrip applies the current fault to a request.
func (t *trouble) RoundTrip(r *http.Request) (*http.Response, error) {
	kind, span := t.draw()
	switch kind {
	case "":
		return t.next.RoundTrip(r)
	case "unreachable":
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.EHOSTUNREACH}
	case "silent":
		<-r.Context().Done()
		return nil, r.Context().Err()
	case "503", "500":
		return refusal(r, kind, http.Header{}), nil
	case "429":
		return refusal(r, kind, http.Header{"Retry-After": {fmt.Sprint(1 + span.Milliseconds()%3)}}), nil
	case "429 bare":
		return refusal(r, "429", http.Header{}), nil
	case "lost request":
		return nil, &net.OpError{Op: "write", Net: "tcp", Err: syscall.ECONNRESET}
	case "latency":
		pass(span)
		return t.next.RoundTrip(r)
	}
	res, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	if kind == "lost answer" {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), cut{}))
	return res, nil
}

// cut is the end of a body that is shorter than its length says.
type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// draw returns the fault of the next request.
func (t *trouble) draw() (kind string, span time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := clock()
	if now.After(t.until) {
		return "", 0
	}
	for _, o := range t.outages {
		if !now.Before(o.from) && now.Before(o.to) {
			t.struck["outage"]++
			return o.kind, 0
		}
	}
	at, span := t.rng.Float64(), between(t.rng, 300*time.Millisecond, 7*time.Second)
	for _, one := range []struct {
		kind  string
		share float64
	}{
		{"latency", 0.01},
		{"500", 0.01},
		{"lost request", 0.01},
		{"lost answer", 0.01},
		{"cut answer", 0.005},
		{"429", 0.002},
		{"429 bare", 0.001},
	} {
		if at -= one.share; at < 0 {
			t.struck[one.kind]++
			return one.kind, span
		}
	}
	return "", 0
}

// refusal returns the contract's error body with a status.
func refusal(r *http.Request, status string, header http.Header) *http.Response {
	pass(roundTrip)
	code := 0
	_, _ = fmt.Sscan(status, &code) // The statuses are ours.
	header.Set("Content-Type", "application/json")
	body := fmt.Sprintf(`{"error":"injected","message":"an injected fault","code":%d,"request_id":"req_fault"}`, code)
	return &http.Response{
		Status: status, StatusCode: code, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader([]byte(body))), ContentLength: int64(len(body)), Request: r,
	}
}
