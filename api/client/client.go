// Package client sends the requests of package api over HTTP: one method for every read, and
// [Send] for every write. It never repeats a write, follows no redirect, and wipes the body of
// each answer once it is decoded.
package client

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
)

// Config says which service a client talks to, and how.
type Config struct {
	// BaseURL is the https address of the service; its path ends in /v1. Plain
	// http is allowed for loopback only.
	BaseURL string
	// Key is the bearer key. A production key is refused for loopback.
	Key api.APIKey
	// Transport sends the requests; nil is the hardened default. It must neither
	// follow redirects nor repeat a request. An *http.Transport is prevented here
	// from repeating writes.
	Transport http.RoundTripper
	// Wrap is called with the transport, and returns the one to use, which must not repeat
	// a request either; nil leaves it as it is.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Conn is called with each connection that the default transport makes, and returns the
	// one to use; nil leaves it as it is.
	Conn func(net.Conn) net.Conn
	// RootCAs replaces the system's certificate authorities in the default
	// transport.
	RootCAs *x509.CertPool
	// Fingerprint is sha256: and the SHA-256 of the one certificate that is accepted,
	// hex, whoever signed it; empty accepts what the authorities signed.
	Fingerprint string
	// ReadTimeout and WriteTimeout bound one request, from the dial to the end
	// of the answer; 0 is 5 s and 10 s.
	ReadTimeout, WriteTimeout time.Duration
	// ReadOnly refuses every write before it is sent.
	ReadOnly bool
	// NoDetails refuses every request for a card's details before it is sent.
	NoDetails bool
	// UserAgent is sent with every request; "" is "cardtop".
	UserAgent string
	// Observe is called after every request that was tried, on the goroutine of the
	// request.
	Observe func(api.Call)
	// Now is the clock that Call.Took is measured with; nil is the system's.
	Now func() time.Time
}

// Default time-outs of a request.
const (
	defaultReadTimeout  = 5 * time.Second
	defaultWriteTimeout = 10 * time.Second
)

// Client talks to the service. It may be used from several goroutines.
type Client struct {
	base      *url.URL
	key       api.APIKey
	transport http.RoundTripper
	read      time.Duration
	write     time.Duration
	userAgent string
	readOnly  bool
	noDetails bool
	observe   func(api.Call)
	now       func() time.Time

	bodies       sync.Pool // *[]byte, wiped
	cards        repeats[api.CardItem]
	transactions repeats[api.Transaction]
}

// New checks the configuration and returns a client; it sends nothing. Its errors
// quote neither the key nor the address.
func New(cfg Config) (*Client, error) {
	base, err := parseBase(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := cfg.Key.Check(); err != nil {
		return nil, err
	}
	if cfg.Key.Mode() == api.ModeLive && !cfg.Key.OfHub() && api.IsLoopback(base) {
		return nil, errors.New("a production key is not sent to a loopback address")
	}
	c := &Client{
		base:      base,
		key:       cfg.Key,
		transport: cfg.Transport,
		read:      cfg.ReadTimeout,
		write:     cfg.WriteTimeout,
		userAgent: cfg.UserAgent,
		readOnly:  cfg.ReadOnly,
		noDetails: cfg.NoDetails,
		observe:   cfg.Observe,
		now:       cfg.Now,
	}
	pin, err := parsePin(cfg.Fingerprint)
	if err != nil {
		return nil, err
	}
	if c.transport == nil {
		c.transport = newTransport(cfg.RootCAs, pin, cfg.Conn)
	}
	c.setDefaults()
	if cfg.Wrap != nil {
		c.transport = cfg.Wrap(c.transport)
	}
	return c, nil
}

func (c *Client) setDefaults() {
	if t, ok := c.transport.(*http.Transport); ok {
		c.transport = noRepeat{t}
	}
	if c.read <= 0 {
		c.read = defaultReadTimeout
	}
	if c.write <= 0 {
		c.write = defaultWriteTimeout
	}
	if c.userAgent == "" {
		c.userAgent = "cardtop"
	}
	if c.observe == nil {
		c.observe = func(api.Call) {}
	}
	if c.now == nil {
		c.now = time.Now //nolint:forbidigo // the default of the injected clock
	}
}

// Origin returns the scheme, host and port that the key is sent to.
func (c *Client) Origin() string {
	port := c.base.Port()
	if port == "" {
		port = "443"
		if c.base.Scheme == "http" {
			port = "80"
		}
	}
	return c.base.Scheme + "://" + net.JoinHostPort(strings.ToLower(c.base.Hostname()), port)
}

// Proxy returns the host and port of the proxy that the default transport uses, or
// "". It has no user and no password.
func (c *Client) Proxy() string {
	t, ok := c.transport.(noRepeat)
	if !ok || t.next.Proxy == nil {
		return ""
	}
	u, err := t.next.Proxy(&http.Request{URL: c.base})
	if err != nil || u == nil {
		return ""
	}
	return u.Host
}

// ResetConnections closes idle connections: after a jump of the clock (suspend,
// another network) they are most likely dead.
func (c *Client) ResetConnections() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// parseBase parses and checks the address that the key will be sent to.
func parseBase(s string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(s, "/"))
	if err != nil {
		return nil, errors.New("parse base url: not a url")
	}
	var problem string
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		problem = "the scheme is not https"
	case u.User != nil:
		problem = "it holds a user or a password"
	case u.Opaque != "" || u.Hostname() == "":
		problem = "the host is missing"
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.Contains(s, "#"):
		problem = "it holds a query or a fragment"
	case u.RawPath != "" || path.Clean(u.Path) != u.Path || path.Base(u.Path) != "v1":
		problem = "the path does not end in /v1"
	case u.Scheme == "http" && !api.IsLoopback(u):
		problem = "http is for loopback only, use https"
	}
	if problem != "" {
		return nil, errors.New("parse base url: " + problem)
	}
	return u, nil
}

// ParseRetryAfter parses the header of that name (ASSUMED 23): seconds, or a date,
// which is measured from now (best the service's own Date). It reports whether there
// was one. The pause is at most RetryAfterCap.
func ParseRetryAfter(value string, now time.Time) (time.Duration, bool) {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0, false
	}
	rest := strings.TrimLeft(value, "0123456789")
	digits := strings.TrimSuffix(value, rest)
	if rest == "" {
		seconds, err := strconv.ParseInt(digits, 10, 32)
		if err != nil {
			return api.RetryAfterCap, true // More seconds than a number holds.
		}
		return min(time.Duration(seconds)*time.Second, api.RetryAfterCap), true
	}
	if digits != "" && strings.HasPrefix(rest, ".") && strings.Trim(rest[1:], "0123456789") == "" {
		whole, _ := ParseRetryAfter(digits, now)
		return min(whole+time.Second, api.RetryAfterCap), true // Parts of a second are rounded up.
	}
	at, err := http.ParseTime(value)
	if err != nil || now.IsZero() {
		return 0, false
	}
	return min(max(at.Sub(now), 0), api.RetryAfterCap), true
}

// Send sends a write under a key and decodes the answer into T, the result type of the
// builder that the write is of. It tries once, and returns the call with its error, the
// request id and how long it took: [api.Outcome] of the error says whether the write may
// be sent again, under the same key.
func Send[T any](ctx context.Context, c *Client, w api.Write, key api.IdempotencyKey) (T, api.Call) {
	var zero, out T
	if err := w.Check(); err != nil {
		return zero, api.Call{Err: err}
	}
	if !key.Valid() {
		return zero, api.Call{Err: api.Invalid("the idempotency key is missing or not printable")}
	}
	call := c.call(ctx, request{
		method: w.Method, route: w.Route, path: w.Path, body: w.Body,
		key: key, sensitive: w.Sensitive, empty: api.MayBeEmpty(&out),
	}, func(b []byte) error { return json.Unmarshal(b, &out) })
	if call.Err != nil {
		return zero, call
	}
	return out, call
}
