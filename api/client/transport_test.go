package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
)

func TestDefaultTransport(t *testing.T) {
	tr := newTransport(nil, nil, nil)
	if tr.TLSClientConfig.InsecureSkipVerify || tr.TLSClientConfig.MinVersion != tls.VersionTLS12 {
		t.Error("tls is weakened")
	}
	if tr.Protocols.HTTP2() || !tr.Protocols.HTTP1() || tr.Protocols.UnencryptedHTTP2() {
		t.Errorf("protocols %v", tr.Protocols)
	}
	if tr.TLSHandshakeTimeout != 5*time.Second || tr.ResponseHeaderTimeout != 8*time.Second || tr.MaxResponseHeaderBytes > 1<<20 {
		t.Error("a limit is missing")
	}
}

func TestOldTLSIsRefused(t *testing.T) {
	srv := httptest.NewUnstartedServer(http.NotFoundHandler())
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	srv.StartTLS()
	defer srv.Close()
	roots := x509.NewCertPool()
	roots.AddCert(srv.Certificate())
	c, err := New(Config{BaseURL: srv.URL + "/v1", Key: api.NewAPIKey("sk_test_1"), RootCAs: roots})
	if err != nil {
		t.Fatal(err)
	}
	fund, err := api.FundWrite("card_1", api.Dollar)
	if err != nil {
		t.Fatal(err)
	}
	_, call := Send[api.FundResult](t.Context(), c, fund, "key")
	if err = call.Err; !errors.Is(err, api.ErrUnreachable) || api.Outcome(err) != api.Refused {
		t.Errorf("%s: %v", api.Outcome(err), err)
	}
}

func TestProxyIsNamedWithoutItsPassword(t *testing.T) {
	via := &url.URL{Scheme: "http", Host: "proxy.example.com:3128", User: url.UserPassword("user", "hunter2")}
	for want, tr := range map[string]http.RoundTripper{
		"proxy.example.com:3128": &http.Transport{Proxy: http.ProxyURL(via)},
		"":                       &http.Transport{},
	} {
		c, err := New(Config{BaseURL: "https://api.example.com/v1", Key: api.NewAPIKey("sk_test_1"), Transport: tr})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Proxy(); got != want {
			t.Errorf("got %q", got)
		}
	}
	if u, err := proxy(&http.Request{URL: &url.URL{Scheme: "http", Host: "127.0.0.1"}}); u != nil || err != nil {
		t.Errorf("loopback goes through %v, %v", u, err)
	}
}

func TestRetryAfterWithoutADate(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := &Client{now: func() time.Time { return now }}
	resp := &http.Response{StatusCode: 429, Header: http.Header{"Retry-After": {"Sun, 01 Mar 2026 12:00:30 GMT"}}}
	if a := c.readHeader(resp); a.retryAfter != 30*time.Second || !a.date.IsZero() {
		t.Errorf("got %+v", a)
	}
}

func TestConnectionsAreThoseThatTheCallerMakesOfThem(t *testing.T) {
	service := httptest.NewServer(http.NotFoundHandler())
	defer service.Close()
	var made int
	c, err := New(Config{BaseURL: service.URL + "/v1", Key: api.NewAPIKey("sk_test_1"), Conn: func(c net.Conn) net.Conn {
		made++
		return c
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.WalletBalance(t.Context()); err == nil || made != 1 {
		t.Errorf("%d connections, %v", made, err)
	}
}
