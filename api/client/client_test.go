package client_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/api/client"
)

func TestNewChecksTheAddress(t *testing.T) {
	tests := []struct {
		url, key string
		origin   string // "": refused
	}{
		{"https://api.example.com/v1", "sk_live_1", "https://api.example.com:443"},
		{"https://API.example.com:8443/cards/v1/", "sk_test_1", "https://api.example.com:8443"},
		{"http://127.0.0.1:8787/v1", "sk_test_1", "http://127.0.0.1:8787"},
		{"http://localhost/v1", "sk_test_1", "http://localhost:80"},
		{"http://[::1]:1/v1", "other", "http://[::1]:1"},
		{"http://127.0.0.1:8787/v1", "sk_live_1", ""},
		{"https://127.0.0.1:8787/v1", "sk_live_1", ""},
		{"https://localhost/v1", "sk_live_1", ""},
		{"http://api.example.com/v1", "sk_test_1", ""},
		{"http://127.0.0.1.example.com/v1", "sk_test_1", ""},
		{"http://localhost.example.com/v1", "sk_test_1", ""},
		{"http://192.168.0.1/v1", "sk_test_1", ""},
		{"http://0.0.0.0/v1", "sk_test_1", ""},
		{"http://2130706433/v1", "sk_test_1", ""},
		{"https://user:hunter2@api.example.com/v1", "sk_test_1", ""},
		{"https://api.example.com@evil.com/v1", "sk_test_1", ""},
		{"https://api.example.com", "sk_test_1", ""},
		{"https://api.example.com/v2", "sk_test_1", ""},
		{"https://api.example.com/xv1", "sk_test_1", ""},
		{"https://api.example.com/v1//", "sk_test_1", ""},
		{"https://api.example.com/a/../v1", "sk_test_1", ""},
		{"https://api.example.com/%2e%2e/v1", "sk_test_1", ""},
		{"https://api.example.com/v1?x=hunter2", "sk_test_1", ""},
		{"https://api.example.com/v1#x", "sk_test_1", ""},
		{"https://api.example.com/v1#", "sk_test_1", ""},
		{"https:///v1", "sk_test_1", ""},
		{"https:api.example.com/v1", "sk_test_1", ""},
		{"ftp://api.example.com/v1", "sk_test_1", ""},
		{"file:///v1", "sk_test_1", ""},
		{"//api.example.com/v1", "sk_test_1", ""},
		{"https://api.example.com:hunter2/v1", "sk_test_1", ""},
		{"", "sk_test_1", ""},
		{"https://api.example.com/v1", "", ""},
		{"https://api.example.com/v1", "sk_test_hunter2\r\nX-Evil: 1", ""},
		{"https://api.example.com/v1", "sk_test_hunter2 ", ""},
	}
	for _, tt := range tests {
		c, err := client.New(client.Config{BaseURL: tt.url, Key: api.NewAPIKey(tt.key)})
		switch {
		case tt.origin == "" && err == nil:
			t.Errorf("%s was taken", tt.url)
		case tt.origin == "" && strings.Contains(err.Error(), "hunter2"):
			t.Errorf("%s: quoted: %v", tt.url, err)
		case tt.origin != "" && err != nil:
			t.Errorf("%s: %v", tt.url, err)
		case tt.origin != "" && c.Origin() != tt.origin:
			t.Errorf("%s: origin %s", tt.url, c.Origin())
		}
	}
}

func TestHeaders(t *testing.T) {
	var got http.Header
	c := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		answer(200, "application/json", cardBody)(w, r)
	}, func(cfg *client.Config) { cfg.UserAgent = "test/1" })
	if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
		t.Fatal(err)
	}
	if got.Get("Authorization") != "Bearer "+testKey || got.Get("Accept") != "application/json" || got.Get("User-Agent") != "test/1" {
		t.Errorf("got %v", got)
	}
	if got.Get("Content-Type") != "" || got.Get("X-Idempotency-Key") != "" {
		t.Errorf("a read has headers of a write: %v", got)
	}
	if _, err := sends[api.Card](t.Context(), c, "key-7")(api.UnfreezeWrite("card_1")); err != nil {
		t.Fatal(err)
	}
	if got.Get("X-Idempotency-Key") != "key-7" || got.Get("Content-Type") != "" {
		t.Errorf("a write without a body: %v", got)
	}
}

// flaky serves keep-alive connections and hangs up on the second request of
// each, after reading it, without an answer.
func flaky(t *testing.T) (url string, seen *atomic.Int32) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	seen = new(atomic.Int32)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close() //nolint:errcheck // the test's own connection
				in := bufio.NewReader(conn)
				for n := 0; ; n++ {
					req, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, req.Body)
					if req.Method != http.MethodGet {
						seen.Add(1)
					}
					if n == 1 {
						return
					}
					_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "+lenOf(cardBody)+"\r\n\r\n"+cardBody)
				}
			}()
		}
	}()
	return "http://" + l.Addr().String() + "/v1", seen
}

func lenOf(s string) string {
	return string([]byte{byte('0' + len(s)/100%10), byte('0' + len(s)/10%10), byte('0' + len(s)%10)})
}

// TestNoWriteIsSentTwice breaks a kept-alive connection under each write. The
// plain transport of net/http sends a bodiless one again; the client must not.
func TestNoWriteIsSentTwice(t *testing.T) {
	for name, transport := range map[string]http.RoundTripper{"default": nil, "given": &http.Transport{}} {
		for _, e := range endpoints() {
			if !e.write {
				continue
			}
			t.Run(name+"/"+e.name, func(t *testing.T) {
				url, seen := flaky(t)
				c, err := client.New(client.Config{BaseURL: url, Key: api.NewAPIKey(testKey), Transport: transport})
				must(t, err)
				defer c.ResetConnections()
				if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
					t.Fatal(err)
				}
				err = e.call(t.Context(), c)
				if n := seen.Load(); n != 1 {
					t.Errorf("the write was seen %d times", n)
				}
				if api.Outcome(err) != api.Unknown || !errors.Is(err, api.ErrUnreachable) {
					t.Errorf("%s: %v", api.Outcome(err), err)
				}
			})
		}
	}
}

func TestNothingSentIsRefused(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	closed := "http://" + l.Addr().String() + "/v1"
	must(t, l.Close())
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	for name, cfg := range map[string]client.Config{
		"closed port":           {BaseURL: closed},
		"no such host":          {BaseURL: "https://name.invalid/v1"},
		"http behind https":     {BaseURL: strings.Replace(plain.URL, "http:", "https:", 1) + "/v1"},
		"unknown authority":     {BaseURL: untrusted.URL + "/v1"},
		"dial error, no traces": {BaseURL: "https://api.example.com/v1", Transport: roundTrip(dialError)},
	} {
		cfg.Key = api.NewAPIKey(testKey)
		c, err := client.New(cfg)
		must(t, err)
		_, err = sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", api.Dollar))
		if !errors.Is(err, api.ErrUnreachable) || api.Outcome(err) != api.Refused {
			t.Errorf("%s: %s: %v", name, api.Outcome(err), err)
		}
		noLeak(t, err)
	}
}

func dialError(*http.Request) (*http.Response, error) {
	return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
}

func TestAnyOtherFailureIsUnknown(t *testing.T) {
	for name, failure := range map[string]error{
		"reset": &net.OpError{Op: "read", Net: "tcp", Err: errors.New("connection reset")},
		"eof":   io.ErrUnexpectedEOF,
		"odd":   errors.New("http: proxy https://user:canary@proxy failed"),
	} {
		c := fakeClient(t, func(*http.Request) (*http.Response, error) { return nil, failure })
		_, err := sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", api.Dollar))
		if !errors.Is(err, api.ErrUnknownOutcome) || api.Outcome(err) != api.Unknown {
			t.Errorf("%s: %v", name, err)
		}
		noLeak(t, err)
	}
	if api.Outcome(errors.New("foreign")) != api.Unknown || api.Outcome(nil) != api.Done {
		t.Error("wrong outcome of a foreign error or of none")
	}
}

// TestDeadConnection cuts the network without a word: connections that are
// kept alive stay open and never answer. One of them may cost a time-out, the
// others must not.
func TestDeadConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close() //nolint:errcheck // the test's own listener
	const kept = 4
	var served atomic.Int32
	together := make(chan struct{})
	good := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if served.Add(1) == kept {
			close(together)
		}
		<-together
		answer(200, "application/json", cardBody)(w, r)
	})}
	cut := &network{Listener: l}
	go func() { _ = good.Serve(cut) }()
	defer good.Close() //nolint:errcheck // the test's own server
	c, err := client.New(client.Config{BaseURL: "http://" + l.Addr().String() + "/v1", Key: api.NewAPIKey(testKey), ReadTimeout: 250 * time.Millisecond})
	must(t, err)
	defer c.ResetConnections()
	parallel(t, kept, func() { _, _ = c.GetCard(t.Context(), "card_1") })
	if cut.accepted.Load() != kept {
		t.Fatalf("%d connections", cut.accepted.Load())
	}
	cut.cuts.Add(1)
	if _, err := c.GetCard(t.Context(), "card_1"); !errors.Is(err, api.ErrUnreachable) {
		t.Fatalf("got %v", err)
	}
	if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
		t.Errorf("dead connections cost more than one time-out: %v", err)
	}
	cut.cuts.Add(1)
	c.ResetConnections()
	if _, err := c.GetCard(t.Context(), "card_1"); err != nil {
		t.Errorf("a connection survived the reset: %v", err)
	}
}

// network counts its cuts; what a connection of before the last cut writes
// goes nowhere.
type network struct {
	net.Listener
	cuts, accepted atomic.Int32
}

func (n *network) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	n.accepted.Add(1)
	return wire{conn, n, n.cuts.Load()}, err
}

type wire struct {
	net.Conn
	network *network
	cuts    int32
}

func (w wire) Write(p []byte) (int, error) {
	if w.network.cuts.Load() != w.cuts {
		return len(p), nil
	}
	return w.Conn.Write(p)
}

func parallel(t *testing.T, n int, f func()) {
	t.Helper()
	done := make(chan struct{})
	for range n {
		go func() { f(); done <- struct{}{} }()
	}
	for range n {
		<-done
	}
}

// TestProxyNeverSeesTheKey sends requests through a proxy that records what
// it is shown.
func TestProxyNeverSeesTheKey(t *testing.T) {
	if os.Getenv("CARDTOP_TEST_PROXY") != "" {
		c, err := client.New(client.Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey(testKey)})
		must(t, err)
		_, err = sends[api.FundResult](t.Context(), c, idemKey)(api.FundWrite("card_1", api.Dollar))
		if !errors.Is(err, api.ErrUnreachable) || api.Outcome(err) != api.Refused {
			t.Errorf("%s: %v", api.Outcome(err), err)
		}
		noLeak(t, err)
		return
	}
	var shown atomic.Value
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		_ = r.Write(&b)
		shown.Store(b.String())
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer proxy.Close()
	out := rerun(t, "TestProxyNeverSeesTheKey", "CARDTOP_TEST_PROXY=1", "HTTPS_PROXY="+strings.Replace(proxy.URL, "http://", "http://user:hunter2@", 1))
	got, _ := shown.Load().(string)
	if !strings.HasPrefix(got, "CONNECT") || strings.Contains(got, testKey) || strings.Contains(out, "hunter2") {
		t.Errorf("the proxy saw %q; output %s", got, out)
	}
}

func TestObserve(t *testing.T) {
	var calls []api.Call
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := fakeClient(t, func(*http.Request) (*http.Response, error) {
		now = now.Add(120 * time.Millisecond)
		resp := jsonResponse(404, errorBody("not_found"))
		resp.Header.Set("Date", "Sun, 01 Mar 2026 11:59:00 GMT")
		return resp, nil
	}, func(cfg *client.Config) {
		cfg.Observe = func(call api.Call) { calls = append(calls, call) }
		cfg.Now = func() time.Time { return now }
	})
	_, err := c.GetCard(context.Background(), "card_1")
	if len(calls) != 1 {
		t.Fatalf("%d calls", len(calls))
	}
	got := calls[0]
	if got.Method != "GET" || got.Route != "/cards/{card_id}" || got.Status != 404 || got.Took != 120*time.Millisecond ||
		got.RequestID != "req_1" || !got.Date.Equal(time.Date(2026, 3, 1, 11, 59, 0, 0, time.UTC)) || !errors.Is(got.Err, err) {
		t.Errorf("got %+v", got)
	}
}
