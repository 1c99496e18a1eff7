// Package endpoint is the address of this program that webhooks are delivered to: it
// listens there, sends itself heartbeats through the address from outside, and reports
// what came as events of the store.
package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/push"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/webhooks"
)

// connections bounds those at a time: the rest waits to be accepted.
const connections = 64

var errClosed = errors.New("the address is closed")

// Config is what an endpoint is made of.
type Config struct {
	// Listen is a host and a port; port 0 is any that is free.
	Listen string
	// URL is the address that leads there from outside. Empty stands for the one that is
	// listened at, on port 0.
	URL string
	// Header names the signature's header; empty for whichever has it.
	Header string
	// Secrets stores what deliveries are signed with; nil for this run only.
	Secrets Secrets
	// RootCAs are the authorities of URL; nil for the system's.
	RootCAs *x509.CertPool
	// Open listens at Listen, Transport sends to URL; nil is the network.
	Open      func(ctx context.Context, address string) (net.Listener, error)
	Transport http.RoundTripper
	// Now is this machine's clock.
	Now func() time.Time
}

// Endpoint is the address. It implements engine.Push.
type Endpoint struct {
	cfg    Config
	mail   mailbox
	sender *http.Client
	ctx    context.Context //nolint:containedctx // It ends with Close, whoever opened it.
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	url     string
	server  *http.Server
	webhook api.WebhookID
	secrets []api.SigningSecret // The present one is the first.
	sent    map[string]bool     // heartbeats that may still come
}

// New returns an endpoint that is not open. Close it.
func New(cfg Config) *Endpoint {
	e := &Endpoint{cfg: cfg, mail: newMailbox(), sent: make(map[string]bool), sender: newSender(cfg.RootCAs, cfg.Transport)}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// Events returns what came, as events of the store. What came meanwhile is in one.
func (e *Endpoint) Events() <-chan kernel.Event { return e.mail.events }

// Open listens, finds or makes the secret, and begins to send heartbeats.
func (e *Endpoint) Open(ctx context.Context) state.PushOpened {
	listener, err := e.listen(ctx)
	if err != nil {
		return state.PushOpened{Err: err}
	}
	kept, known, err := e.secret(ctx)
	if err != nil {
		return state.PushOpened{Err: errors.Join(err, listener.Close())}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ctx.Err() != nil || e.server != nil {
		return state.PushOpened{Err: errors.Join(errClosed, listener.Close())}
	}
	e.url = e.cfg.URL
	if e.url == "" {
		e.url = "http://" + listener.Addr().String() + "/"
	}
	e.webhook, e.secrets = kept.Webhook, []api.SigningSecret{kept.Secret}
	e.server = push.Server(&push.Receiver{Path: pathOf(e.url), Secret: e.signing, Header: e.cfg.Header, Deliver: e.deliver, Refuse: e.mail.refused, Now: e.cfg.Now})
	server := e.server
	e.wg.Go(func() { _ = server.Serve(limit(listener, connections)) }) // It ends when it is closed.
	e.wg.Go(func() { e.mail.run(e.ctx, e.cfg.Now) })
	e.wg.Go(e.beat)
	return state.PushOpened{URL: e.url, Webhook: kept.Webhook, Known: known, Secret: api.NewSigningSecret(kept.Secret.Bytes())}
}

// pathOf is the path that deliveries to an address come to.
func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "" // Nothing comes to it.
	}
	return cmp.Or(u.EscapedPath(), "/")
}

func (e *Endpoint) listen(ctx context.Context) (net.Listener, error) {
	switch {
	case e.cfg.Listen == "":
		return nil, errors.New("push_listen is not set")
	case e.cfg.URL == "" && !strings.HasSuffix(e.cfg.Listen, ":0"):
		return nil, errors.New("push_url is not set")
	}
	open := e.cfg.Open
	if open == nil {
		open = func(ctx context.Context, address string) (net.Listener, error) {
			return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
		}
	}
	listener, err := open(ctx, e.cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("cannot listen at %s: %w", e.cfg.Listen, cause(err))
	}
	return listener, nil
}

// secret finds what an earlier run registered with, or makes it. Keep stores it, just
// before it is sent: one that is stored and never sent would pass for that of a webhook
// which another machine registers.
func (e *Endpoint) secret(ctx context.Context) (kept Kept, known bool, err error) {
	if e.cfg.Secrets == nil {
		return Kept{Secret: newSecret()}, false, nil
	}
	kept, err = e.cfg.Secrets.Load(ctx)
	switch {
	case err == nil:
		return kept, true, nil
	case !errors.Is(err, ErrNone):
		return Kept{}, false, fmt.Errorf("read the signing secret: %w", err)
	}
	return Kept{Secret: newSecret()}, false, nil
}

func newSecret() api.SigningSecret { return api.NewSigningSecret("whsec_" + rand.Text() + rand.Text()) }

// Keep implements engine.Push. The webhook is empty before it is registered.
func (e *Endpoint) Keep(ctx context.Context, webhook api.WebhookID, secret api.SigningSecret) error {
	e.mu.Lock()
	if len(e.secrets) == 0 {
		e.mu.Unlock()
		return errClosed
	}
	e.webhook = webhook
	if !secret.IsZero() && !secret.Equal(e.secrets[0].Secret) {
		e.secrets = append([]api.SigningSecret{secret}, e.secrets[:1]...)
	}
	kept := Kept{Webhook: webhook, Secret: api.NewSigningSecret(e.secrets[0].Bytes())} // Close may wipe those meanwhile.
	e.mu.Unlock()
	defer kept.Secret.Wipe()
	if e.cfg.Secrets == nil {
		return nil
	}
	return e.cfg.Secrets.Save(ctx, kept)
}

// signing returns copies of the secrets in force: Close does not wait for the handlers
// that compare them.
func (e *Endpoint) signing() (all [][]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.secrets {
		all = append(all, bytes.Clone(s.Bytes()))
	}
	return all
}

// deliver passes on what came. A heartbeat counts when it is one of this run, once.
func (e *Endpoint) deliver(d push.Delivery) {
	if d.Type != push.Heartbeat {
		e.mail.event(d.Type)
		return
	}
	e.mu.Lock()
	own := e.sent[d.Object]
	delete(e.sent, d.Object)
	e.mu.Unlock()
	if own {
		e.mail.beat()
	}
}

// Close stops listening and waits for what is under way.
func (e *Endpoint) Close() {
	e.cancel()
	e.mu.Lock()
	server := e.server
	e.mu.Unlock()
	if server != nil {
		_ = server.Close() // Deliveries under way are sent again.
	}
	e.wg.Wait()
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.secrets {
		s.Wipe()
	}
	e.secrets = nil
}

// limited accepts so many connections at a time.
type limited struct {
	net.Listener
	free chan struct{}
	done chan struct{}
	once sync.Once
}

// limit bounds how many connections of a listener are open.
func limit(l net.Listener, n int) net.Listener {
	return &limited{Listener: l, free: make(chan struct{}, n), done: make(chan struct{})}
}

// Accept implements net.Listener.
func (l *limited) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.free
		return nil, err
	}
	return &counted{Conn: conn, gone: func() { <-l.free }}, nil
}

// Close implements net.Listener.
func (l *limited) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

type counted struct {
	net.Conn
	once sync.Once
	gone func()
}

// Close implements net.Conn.
func (c *counted) Close() error {
	err := c.Conn.Close()
	c.once.Do(c.gone)
	return err
}

// Check says how deliveries to an address would arrive, or why they would not: its
// webhook is in the list, its secret is stored, and a heartbeat through the address is
// answered, by the program that listens there or else by this one.
func Check(ctx context.Context, cfg Config, hooks []api.Webhook) (string, error) {
	kept, err := cfg.Secrets.Load(ctx)
	if errors.Is(err, ErrNone) {
		return "", errors.New("no webhook is registered yet: the dashboard does it at its start")
	}
	if err != nil {
		return "", fmt.Errorf("read the signing secret: %w", err)
	}
	defer kept.Secret.Wipe()
	hook := api.WebhookID("")
	for _, h := range hooks {
		if h.ID == kept.Webhook || string(h.URL) == cfg.URL {
			hook = h.ID
		}
	}
	if hook == "" {
		return "", errors.New("the webhook is not in the list: the dashboard registers it at its start")
	}
	e := New(cfg)
	defer e.Close()
	by := "this program"
	switch listener, err := e.listen(ctx); {
	case err != nil && cfg.Listen != "" && cfg.URL != "":
		by = "the program that listens at " + cfg.Listen
	case err != nil:
		return "", err
	default:
		server := push.Server(&push.Receiver{
			Path: pathOf(cfg.URL), Secret: func() [][]byte { return [][]byte{kept.Secret.Bytes()} }, Header: cfg.Header, Deliver: func(push.Delivery) {}, Now: cfg.Now,
		})
		served := make(chan struct{})
		go func() {
			defer close(served)
			_ = server.Serve(limit(listener, connections)) // It ends when it is closed.
		}()
		defer func() {
			_ = server.Close()
			<-served
		}()
	}
	from := cfg.Now()
	if err := send(ctx, e.sender, cfg.URL, cfg.Header, kept.Secret, rand.Text()); err != nil {
		return "", fmt.Errorf("a heartbeat to %s: %w", webhooks.Host(cfg.URL), err)
	}
	return fmt.Sprintf("a heartbeat to %s came to %s in %d ms; webhook %s", webhooks.Host(cfg.URL), by, cfg.Now().Sub(from).Milliseconds(), hook), nil
}
