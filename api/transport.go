package api

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
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

// newTransport gives the hardened default. HTTP/1.1 only: a time-out closes
// the connection it happened on, where HTTP/2 would go on using a dead one.
// An idle connection is probed, one that does not confirm what was sent is
// given up after maxSilence where the system can do that.
func newTransport(roots *x509.CertPool) *http.Transport {
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
		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots},
		TLSHandshakeTimeout:    tlsTimeout,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConnsPerHost:    maxIdle,
		IdleConnTimeout:        idleTimeout,
		Protocols:              protocols,
	}
}

// proxy follows the environment for https, which tunnels by CONNECT, so that
// the key is never shown to the proxy. Plain http is loopback and needs none.
func proxy(req *http.Request) (*url.URL, error) {
	if req.URL.Scheme != "https" {
		return nil, nil //nolint:nilnil // net/http says so: no proxy, no error
	}
	return http.ProxyFromEnvironment(req)
}

// Headers of a write's idempotency key: the canonical one, and the same name
// in a spelling that net/http does not look for.
const (
	idempotencyHeader = "X-Idempotency-Key"
	quietHeader       = "x-idempotency-key"
)

// once keeps net/http from repeating a write. When a kept-alive connection
// breaks, it sends a request without a body again if a header of that name is
// there, taking the key for a licence to do so. Header names do not depend on
// case, only its look-up does.
type once struct{ next *http.Transport }

func (o once) RoundTrip(req *http.Request) (*http.Response, error) {
	if key := req.Header.Get(idempotencyHeader); key != "" {
		req = req.Clone(req.Context())
		req.Header.Del(idempotencyHeader)
		req.Header[quietHeader] = []string{key}
	}
	return o.next.RoundTrip(req)
}

func (o once) CloseIdleConnections() { o.next.CloseIdleConnections() }

// sending notices whether a request can have left this machine.
type sending struct{ asked, connected atomic.Bool }

func (s *sending) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GetConn: func(string) { s.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { s.connected.Store(true) },
	}
}

// possible tells whether a byte may have been sent, given the error of the
// round trip. A transport that traces nothing is believed when it names a
// failed dial.
func (s *sending) possible(err error) bool {
	if s.asked.Load() {
		return s.connected.Load()
	}
	var op *net.OpError
	var dns *net.DNSError
	dialing := errors.As(err, &op) && op.Op == "dial"
	return !dialing && !errors.As(err, &dns)
}
