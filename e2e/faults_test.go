package e2e

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// way answers a request of the program, by the server or without it.
type way func(r *http.Request, server http.RoundTripper) (*http.Response, error)

// gate stands between the program and its server and notes what passes.
type gate struct {
	server http.RoundTripper
	mu     sync.Mutex
	way    way // nil: straight on
	sent   []sent
}

type sent struct {
	path string
	at   time.Time
}

func isCodes(s sent) bool { return s.path == "/v1/3ds" }

func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	g.sent = append(g.sent, sent{r.URL.Path, clock()})
	by := g.way
	g.mu.Unlock()
	if by == nil {
		return g.server.RoundTrip(r)
	}
	return by(r, g.server)
}

// set sends requests another way from now on; nil is straight on.
func (g *gate) set(w way) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.way = w
}

// since lists what was sent from a moment on.
func (g *gate) since(at time.Time) []sent {
	g.mu.Lock()
	defer g.mu.Unlock()
	i, _ := slices.BinarySearchFunc(g.sent, at, func(s sent, at time.Time) int { return s.at.Compare(at) })
	return slices.Clone(g.sent[i:])
}

// troubled is a story whose way to the server can be spoiled. Pauses are as
// long as chance can make them.
func troubled(t *testing.T, o options, tell func(d *driver, g *gate)) {
	t.Helper()
	g := &gate{}
	o.through = func(rt http.RoundTripper) http.RoundTripper { g.server = rt; return g }
	o.jitter = 0.999
	story(t, o, func(d *driver) { tell(d, g) })
}

// fails is a network that carries nothing.
func fails(err error) way {
	return func(*http.Request, http.RoundTripper) (*http.Response, error) { return nil, err }
}

func dialing(err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 443}, Err: err}
}

var (
	errRefused = dialing(os.NewSyscallError("connect", syscall.ECONNREFUSED))
	errNoHost  = dialing(&net.DNSError{Err: "no such host", Name: "api.example.com", Server: "192.0.2.53:53", IsNotFound: true})
	errNoTrust = &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
)

// answers is somebody else's answer to everything.
func answers(status int, media, body string, more ...string) way {
	return func(r *http.Request, _ http.RoundTripper) (*http.Response, error) {
		h := http.Header{"Content-Type": {media}, "Date": {clock().UTC().Format(http.TimeFormat)}}
		for i := 0; i+1 < len(more); i += 2 {
			h.Set(more[i], more[i+1])
		}
		return response(r, status, h, io.NopCloser(strings.NewReader(body)), int64(len(body))), nil
	}
}

func response(r *http.Request, status int, h http.Header, body io.ReadCloser, length int64) *http.Response {
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: body, ContentLength: length, Request: r,
	}
}

// late hands answers over some time after the server gave them.
func late(by time.Duration) way {
	return func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		res, err := server.RoundTrip(r)
		if err := rest(r.Context(), by); err != nil {
			return nil, err
		}
		return res, err
	}
}

// rest waits, or until ctx is done.
func rest(ctx context.Context, span time.Duration) error {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// halved is the server's answer as if its second half were no part of it.
func halved(r *http.Request, server http.RoundTripper) (*http.Response, error) {
	res, err := server.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	data = data[:len(data)/2]
	return response(r, res.StatusCode, res.Header, io.NopCloser(bytes.NewReader(data)), int64(len(data))), nil
}

// dripping begins an answer and never ends it: a byte every pause, or as many as
// are read.
func dripping(pause time.Duration) way {
	return func(r *http.Request, _ http.RoundTripper) (*http.Response, error) {
		h := http.Header{"Content-Type": {"application/json"}}
		return response(r, http.StatusOK, h, &drip{r.Context(), pause}, -1), nil
	}
}

type drip struct {
	ctx   context.Context //nolint:containedctx // a body ends with its request
	pause time.Duration
}

func (b *drip) Read(p []byte) (int, error) {
	if b.pause == 0 {
		return len(p), nil
	}
	if err := rest(b.ctx, b.pause); err != nil {
		return 0, err
	}
	p[0] = ' '
	return 1, nil
}

func (b *drip) Close() error { return nil }

// reaches waits until the screen is as asked for, and tells how long that took.
func (d *driver) reaches(what string, limit time.Duration, ok func(screen string) bool) time.Duration {
	d.t.Helper()
	const step = 50 * time.Millisecond
	began := clock()
	for !ok(d.screen()) {
		if clock().Sub(began) > limit {
			d.t.Fatalf("after %v there is no %s:\n%s", limit, what, d.screen())
		}
		d.wait(step)
	}
	return clock().Sub(began)
}

func shows(text string) func(string) bool {
	return func(screen string) bool { return strings.Contains(screen, text) }
}

// panesOf are the titles of the four panes.
func panesOf() []string { return []string{"1 Cards", "2 Codes", "3 Transactions", "4 Wallet"} }

// feet tells of each pane how old it says to be.
func (d *driver) feet(want string) {
	d.t.Helper()
	for _, title := range panesOf() {
		if foot := d.foot(title); !strings.Contains(foot, want) {
			d.t.Errorf("%s ends in %s, not in %s", title, foot, want)
		}
	}
}

func fresh(screen string) bool {
	return strings.Contains(screen, "● live") && !strings.Contains(screen, "STALE") && !strings.Contains(screen, "cached")
}

// refusal is a documented error of the service.
func refusal(status int, id, message string, more ...string) way {
	body := fmt.Sprintf(`{"error":%q,"message":%q,"code":%d,"request_id":"req_00000000"}`, id, message, status)
	return answers(status, "application/json", body, more...)
}

// only spoils the way of some requests.
func only(path func(string) bool, w way) way {
	return func(r *http.Request, server http.RoundTripper) (*http.Response, error) {
		if path(r.URL.Path) {
			return w(r, server)
		}
		return server.RoundTrip(r)
	}
}
