package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// envPrism names the prism command of @stoplight/prism-cli.
const envPrism = "CARDTOP_PRISM"

// PlayProxy plays every vector through a third party's proxy, which holds each answer to
// the OpenAPI document. newServer returns a new server and a key that it accepts. Without
// the proxy the test is skipped.
func PlayProxy(t *testing.T, document string, newServer func(t *testing.T) (http.Handler, string)) {
	t.Helper()
	prism := os.Getenv(envPrism)
	if prism == "" {
		t.Skip("needs prism: run make proof-contract")
	}
	var served atomic.Pointer[http.Handler]
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Via")
		(*served.Load()).ServeHTTP(w, r)
	}))
	defer upstream.Close()
	proxy := startPrism(t, prism, document, upstream.URL+"/v1")
	direct, err := url.Parse(upstream.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := &inspector{t: t, proxy: proxy, direct: direct}
	PlayServer(t, func(t *testing.T) (string, http.RoundTripper, string) {
		t.Helper()
		handler, key := newServer(t)
		served.Store(&handler)
		through.t = t
		return "http://localhost/v1", through, key
	})
	t.Logf("%d answers went through the proxy", through.answers)
	if through.answers < 100 {
		t.Error("too few answers for the proof to mean anything")
	}
}

func startPrism(t *testing.T, prism, document, upstream string) *url.URL {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), prism, "proxy", "--host", "127.0.0.1", "--port", port, document, upstream) //nolint:gosec // the tester names the command
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // It is killed with the context.
	ready := make(chan struct{})
	go func() {
		buf := make([]byte, 4096)
		for said := ""; ; {
			n, err := out.Read(buf)
			if said += string(buf[:n]); strings.Contains(said, "listening") && ready != nil {
				close(ready)
				ready = nil
			}
			if err != nil {
				return
			}
		}
	}()
	select {
	case <-ready:
	case <-time.After(time.Minute):
		t.Fatal("prism does not start")
	}
	return &url.URL{Scheme: "http", Host: address}
}

// maxProxied is the largest body the proxy accepts, in bytes.
const maxProxied = 100 << 10

// inspector sends requests to the proxy and reads what it found.
type inspector struct {
	t             *testing.T
	proxy, direct *url.URL
	answers       int
}

func (i *inspector) RoundTrip(r *http.Request) (*http.Response, error) {
	out := r.Clone(r.Context())
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		out.Body = io.NopCloser(bytes.NewReader(body))
		if !json.Valid(body) || len(body) > maxProxied {
			// The proxy never answers what it cannot parse.
			out.URL.Host, out.Host = i.direct.Host, ""
			return http.DefaultTransport.RoundTrip(out)
		}
	}
	out.URL.Scheme, out.URL.Host, out.Host = i.proxy.Scheme, i.proxy.Host, ""
	// The proxy knows the paths below the version.
	out.URL.Path = strings.TrimPrefix(r.URL.Path, "/v1")
	out.URL.RawPath = strings.TrimPrefix(r.URL.RawPath, "/v1")
	res, err := http.DefaultTransport.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	i.answers++
	var violations []struct {
		Location []string
		Message  string
	}
	if h := res.Header.Get("Sl-Violations"); h != "" {
		if err := json.Unmarshal([]byte(h), &violations); err != nil {
			i.t.Errorf("violations %q: %v", h, err)
		}
	}
	for _, v := range violations {
		// A bad request is what many vectors are about; a bad answer is a fault.
		if len(v.Location) > 0 && v.Location[0] == "response" {
			i.t.Errorf("%s %s: %d: %s: %s", r.Method, r.URL.Path, res.StatusCode, strings.Join(v.Location, "."), v.Message)
		}
	}
	return res, nil
}
