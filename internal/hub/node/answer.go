package node

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/cardtop/cardtop/internal/hub"
	"github.com/cardtop/cardtop/internal/hub/cluster/pass"
)

// buffer keeps an answer in memory. It may hold secrets: wipe overwrites them.
type buffer struct {
	status int
	header http.Header
	body   []byte
}

func newBuffer() *buffer { return &buffer{header: make(http.Header)} }

// Header returns the answer's.
func (b *buffer) Header() http.Header { return b.header }

// WriteHeader sets the status.
func (b *buffer) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
	}
}

// Write adds to the body. What it had is wiped where it moves.
func (b *buffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	if len(b.body)+len(p) > cap(b.body) {
		old := b.body
		b.body = append(make([]byte, 0, 2*len(old)+len(p)), old...)
		clear(old)
	}
	b.body = append(b.body, p...)
	return len(p), nil
}

// copyTo sends the answer on, and wipes it.
func (b *buffer) copyTo(w http.ResponseWriter) {
	defer clear(b.body)
	for name, values := range b.header {
		w.Header()[name] = values
	}
	w.WriteHeader(cmp.Or(b.status, http.StatusInternalServerError))
	_, _ = w.Write(b.body) // Who asked has gone.
}

// passed are the headers that matter to the leader.
func passed() []string {
	return []string{"Authorization", "Content-Type", "Accept", idempotencyKey}
}

const idempotencyKey = "X-Idempotency-Key"

// requestOf is a request on its way to the leader.
func requestOf(r *http.Request, body []byte) pass.Request {
	out := pass.Request{Method: r.Method, URI: r.URL.RequestURI(), Header: make(http.Header), From: r.RemoteAddr, Body: body}
	for _, name := range passed() {
		if v := r.Header.Values(name); len(v) > 0 {
			out.Header[name] = v
		}
	}
	return out
}

// serve answers a request of another hub. It runs in a goroutine of the connection to the
// others, which ends the program when it panics.
func serve(ctx context.Context, h http.Handler, in pass.Request) (out pass.Answer, err error) {
	defer func() {
		if recover() != nil {
			out, err = pass.Answer{Status: http.StatusInternalServerError, Header: make(http.Header)}, nil
		}
	}()
	r, err := http.NewRequestWithContext(ctx, in.Method, "http://hub"+in.URI, bytes.NewReader(in.Body))
	if err != nil {
		return pass.Answer{}, err
	}
	r.Header, r.RemoteAddr, r.RequestURI = in.Header, in.From, in.URI
	if len(in.Body) == 0 {
		r.Body = http.NoBody
	}
	b := newBuffer()
	h.ServeHTTP(b, r)
	return pass.Answer{Status: b.status, Header: b.header, Body: b.body}, nil
}

// handlerFor answers a person as the hub that asks has known them: by the token of their
// request, or by an SSH key.
func handlerFor(s *hub.Server, r pass.Request) http.Handler {
	if r.SSHKey == "" {
		return s
	}
	return s.As(hub.Visitor{Name: r.Name, Key: r.SSHKey})
}

// writes reports whether a request may change something.
func writes(r *http.Request) bool { return r.Method != http.MethodGet && r.Method != http.MethodHead }

// maxBody bounds the body of a request, in bytes. A longer one is passed so far, and
// refused there.
const maxBody = 64<<10 + 1

func readAll(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(r.Body, maxBody))
}

// inMemory reports whether a reader may have the answer to a request: it is asked first.
func inMemory(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	path := r.URL.EscapedPath()
	switch path {
	case "/v1/cards", "/v1/transactions", "/v1/wallet/balance", "/v1/wallet/deposits", "/hub/v1/about":
		return true
	case "/v1/3ds":
		return r.URL.Query().Get("status") == "pending"
	default:
		return strings.HasPrefix(path, "/v1/3ds/")
	}
}

// isStream reports whether a request is answered for as long as it is read.
func isStream(r *http.Request) bool { return r.URL.EscapedPath() == "/hub/v1/stream" }
