package client

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of the default transport. Together with the time-out of a request
// they bound what a dead connection costs.
const (
	dialTimeout    = 5 * time.Second
	tlsTimeout     = 5 * time.Second
	headerTimeout  = 8 * time.Second
	maxHeaderBytes = 64 << 10
	maxIdle        = 4
	idleTimeout    = 60 * time.Second
	maxSilence     = 5 * time.Second
)

// newTransport returns the hardened default. It is HTTP/1.1 only: a time-out closes
// its connection, where HTTP/2 would go on using a dead one. Idle connections are
// probed, and one without confirmation of sent data is closed after maxSilence where
// the system can do that.
func newTransport(roots *x509.CertPool, pin []byte, conn func(net.Conn) net.Conn) *http.Transport {
	security := &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	if len(pin) > 0 {
		security.InsecureSkipVerify = true // The one certificate is compared instead.
		security.VerifyConnection = func(s tls.ConnectionState) error { return checkPin(s, pin) }
	}
	dialer := &net.Dialer{
		Timeout: dialTimeout,
		Control: limitSilence,
		KeepAliveConfig: net.KeepAliveConfig{
			Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 3,
		},
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            dial(dialer, conn),
		TLSClientConfig:        security,
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idleTimeout,
		Protocols:              protocols,
	}
}

// dial connects, and makes of each connection what conn does; nil leaves it as it is.
func dial(d *net.Dialer, conn func(net.Conn) net.Conn) func(ctx context.Context, network, addr string) (net.Conn, error) {
	if conn == nil {
		return d.DialContext
	}
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		c, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return conn(c), nil
	}
}

// pinPrefix begins a fingerprint.
const pinPrefix = "sha256:"

// parsePin parses a fingerprint; nil for none.
func parsePin(text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	digits, ok := strings.CutPrefix(text, pinPrefix)
	pin, err := hex.DecodeString(strings.ReplaceAll(digits, ":", ""))
	if !ok || err != nil || len(pin) != sha256.Size {
		return nil, errors.New("parse fingerprint: not sha256: and 64 hexadecimal digits")
	}
	return pin, nil
}

// checkPin accepts the one certificate of a fingerprint.
func checkPin(s tls.ConnectionState, pin []byte) error {
	if len(s.PeerCertificates) > 0 {
		sum := sha256.Sum256(s.PeerCertificates[0].Raw)
		if subtle.ConstantTimeCompare(sum[:], pin) == 1 {
			return nil
		}
	}
	return errors.New("the server's certificate is not the one of the fingerprint")
}

// proxy follows the environment for https, which tunnels by CONNECT, so that the proxy
// never sees the key. Plain http is loopback and needs none.
func proxy(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // net/http says so: no proxy, no error
	}
	return http.ProxyFromEnvironment(req)
}

// Headers of a write's idempotency key: the canonical one, and the same name
// in a spelling that net/http does not look for.
const (
	idempotencyHeader    = "X-Idempotency-Key"
	rawIdempotencyHeader = "x-idempotency-key"
)

// noRepeat prevents net/http from repeating a write. When a kept-alive connection
// breaks, net/http sends a request without a body again if it has a header of that
// name, as the key allows it. Header names are case-insensitive; only that look-up is
// not.
type noRepeat struct{ next *http.Transport }

func (o noRepeat) RoundTrip(req *http.Request) (*http.Response, error) {
	if key := req.Header.Get(idempotencyHeader); key != "" {
		req = req.Clone(req.Context())
		req.Header.Del(idempotencyHeader)
		req.Header[rawIdempotencyHeader] = []string{key}
	}
	return o.next.RoundTrip(req)
}

func (o noRepeat) CloseIdleConnections() { o.next.CloseIdleConnections() }

// sendTrace records whether a request can have left this machine.
type sendTrace struct{ traced, connected atomic.Bool }

func (s *sendTrace) clientTrace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { s.traced.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { s.connected.Store(true) },
	}
}

// maybeSent reports whether a byte may have been sent, given the error of the round
// trip. A transport that does not trace is believed when it reports a failed dial.
func (s *sendTrace) maybeSent(err error) bool {
	if s.traced.Load() {
		return s.connected.Load()
	}
	var op *net.OpError
	var dns *net.DNSError
	dialing := errors.As(err, &op) && op.Op == "dial"
	return !dialing && !errors.As(err, &dns)
}
