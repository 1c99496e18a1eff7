package endpoint

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/push"
	table "github.com/cardtop/cardtop/state/push"
)

const (
	// beatWithin bounds how long a heartbeat may take.
	beatWithin = 10 * time.Second
	// answerMost bounds what is read of the answer to one, bytes.
	answerMost = 4 << 10
	// sentMost bounds the heartbeats that may still come.
	sentMost = 8
)

// newSender returns a client that shows what the service meets: a connection of its own
// for each heartbeat, and no redirect. by is used instead of the network unless it is nil.
func newSender(roots *x509.CertPool, by http.RoundTripper) *http.Client {
	if by == nil {
		by = &http.Transport{
			Proxy: http.ProxyFromEnvironment, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		}
	}
	return &http.Client{
		Timeout:       beatWithin,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     by,
	}
}

// beat sends heartbeats through the address from outside until the endpoint is closed.
func (e *Endpoint) beat() {
	tick := time.NewTicker(table.BeatEvery)
	defer tick.Stop()
	for {
		if err := e.sendBeat(); err != nil && e.ctx.Err() == nil {
			e.mail.unreached(string(api.Clean(err.Error())))
		}
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// sendBeat sends a heartbeat; its error says in a few words why it did not come.
func (e *Endpoint) sendBeat() error {
	id := rand.Text()
	e.mu.Lock()
	if len(e.sent) >= sentMost {
		clear(e.sent)
	}
	e.sent[id] = true
	address, secret := e.url, e.secrets[0]
	e.mu.Unlock()
	if err := send(e.ctx, e.sender, address, e.cfg.Header, secret, id); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.sent[id] {
		return errors.New("the address leads elsewhere")
	}
	return nil
}

// send posts a signed heartbeat.
func send(ctx context.Context, client *http.Client, address, header string, secret api.SigningSecret, id string) error {
	body, err := json.Marshal(map[string]any{"type": push.Heartbeat, "data": map[string]string{"id": id}})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the address is not valid")
	}
	if header == "" {
		header = push.DefaultHeader
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set(header, push.Sign(secret.Bytes(), body))
	resp, err := client.Do(req)
	if err != nil {
		return cause(err)
	}
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, answerMost))
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return cause(err)
	}
	switch {
	case resp.StatusCode == http.StatusUnauthorized:
		return errors.New("answered 401: the signature is of another secret, or its header was removed")
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return fmt.Errorf("answered %d", resp.StatusCode)
	}
	return nil
}

// cause is an error without what repeats the address, which may hold a token.
func cause(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		if u.Timeout() {
			return errors.New("no answer in time")
		}
		err = u.Err
	}
	var call *os.SyscallError
	var name *net.DNSError
	switch {
	case errors.As(err, &call):
		return call.Err
	case errors.As(err, &name):
		return errors.New("the host is not found")
	}
	return err
}
