package hub

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"github.com/cardtop/cardtop/internal/hub/team"
)

// Visitor is somebody who is connected to this process by other means than HTTP.
type Visitor struct {
	// Name is that of a person of the team, Key the fingerprint of the SSH key that they
	// showed. Each request asks the team again whether it is theirs.
	Name, Key string
}

// Visit returns a transport that has a handler answer a visitor's requests in memory. The
// keys of clients that use it are not looked at.
func Visit(h http.Handler, address string) http.RoundTripper {
	return visit{handler: h, address: address}
}

type visit struct {
	handler http.Handler
	address string
}

// As returns a handler of a visitor's requests.
func (s *Server) As(v Visitor) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		person, known := v.Person(s.cfg.Team.Team())
		if !known {
			s.send(w, answer{err: refuse(http.StatusUnauthorized, "unauthorized", "the key is not in the team any more")})
			return
		}
		s.answer(w, &request{Request: r, person: person, token: team.HashOf([]byte("ssh " + v.Key)), via: "ssh "})
	})
}

// Person is who a visitor is, as the team is now.
func (v Visitor) Person(t *team.Team) (p *team.Person, known bool) {
	p, known = t.WithKey(v.Key)
	return p, known && p.Name == v.Name
}

// errHandler is that an answer panicked. Its value is not told: it may hold a secret.
var errHandler = errors.New("the hub failed to answer")

// RoundTrip implements [http.RoundTripper]. The body of the answer is handed over piece
// by piece, so that nothing holds a second copy of it.
func (v visit) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	own := r.Clone(ctx)
	own.RemoteAddr = v.address
	if own.Body == nil {
		own.Body = http.NoBody
	}
	from, to := io.Pipe()
	w := &pipeWriter{header: make(http.Header), body: to, begun: make(chan struct{})}
	go func() {
		defer func() { _ = own.Body.Close() }() // It was read or is not wanted.
		defer func() {
			err := context.Cause(ctx) // An answer that was cut off must not look whole.
			if recover() != nil {
				err = errHandler
			}
			w.WriteHeader(http.StatusInternalServerError) // Unless one was written.
			_ = to.CloseWithError(err)                    // It returns nil.
		}()
		v.handler.ServeHTTP(w, own)
	}()
	select {
	case <-w.begun:
	case <-ctx.Done():
		cancel()
		_ = from.CloseWithError(context.Cause(ctx)) // It returns nil.
		return nil, context.Cause(ctx)
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, ContentLength: -1, Request: r,
		// The end that is written, or the reader is told of a closed pipe and not why.
		Body: &pipeBody{PipeReader: from, cancel: cancel, stop: context.AfterFunc(ctx, func() {
			_ = to.CloseWithError(context.Cause(ctx)) // It returns nil.
		})},
	}, nil
}

// pipeBody is the body of an answer. Closing it ends the request.
type pipeBody struct {
	*io.PipeReader
	cancel context.CancelFunc
	stop   func() bool
}

// Close implements [io.Closer].
func (b *pipeBody) Close() error {
	b.stop()
	b.cancel()
	return b.PipeReader.Close()
}

// pipeWriter hands an answer over to a reader in this process.
type pipeWriter struct {
	header, sent http.Header
	status       int
	body         *io.PipeWriter
	once         sync.Once
	begun        chan struct{}
}

// Header implements [http.ResponseWriter].
func (w *pipeWriter) Header() http.Header { return w.header }

// WriteHeader implements [http.ResponseWriter].
func (w *pipeWriter) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.begun)
	})
}

// Write returns when the reader has taken all of it.
func (w *pipeWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// Flush implements [http.Flusher].
func (w *pipeWriter) Flush() { w.WriteHeader(http.StatusOK) }
