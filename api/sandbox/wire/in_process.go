package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
)

// InProcess is a transport that calls a handler in this process, without a
// socket. A request ends when its context does.
type InProcess struct{ Handler http.Handler }

// InProcessAddr is the remote address of requests by [InProcess].
const InProcessAddr = "in-process"

// RoundTrip calls the handler with a copy of the request.
func (t InProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }() // Nothing was written that a failure could lose.
	}
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	served := r.Clone(ctx)
	served.RequestURI, served.RemoteAddr = r.URL.RequestURI(), InProcessAddr
	served.Proto, served.ProtoMajor, served.ProtoMinor = "HTTP/1.1", 1, 1
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	w := &recorder{header: http.Header{}}
	t.Handler.ServeHTTP(w, served)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if w.broken {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return w.response(r)
}

// recorder is the response writer of one request.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
	broken bool
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	n, err := w.body.Write(b)
	if err != nil {
		return n, fmt.Errorf("record response: %w", err)
	}
	return n, nil
}

// breakOff makes the round trip fail like a reset connection.
func (w *recorder) breakOff() { w.broken = true }

func (w *recorder) response(r *http.Request) (*http.Response, error) {
	length, err := strconv.ParseInt(w.header.Get("Content-Length"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("read response length: %w", err)
	}
	var body io.Reader = bytes.NewReader(w.body.Bytes())
	if r.Method == http.MethodHead {
		body = http.NoBody
	} else if int64(w.body.Len()) < length {
		body = io.MultiReader(body, cut{})
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(body), ContentLength: length, Request: r,
	}, nil
}

// cut is the end of a body that is shorter than its length says.
type cut struct{}

func (cut) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// BreakOff closes the connection without an answer.
func BreakOff(w http.ResponseWriter) error {
	if r, ok := w.(*recorder); ok {
		r.breakOff()
		return nil
	}
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return fmt.Errorf("take over connection: %w", err)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		// So the other side sees a reset, not an end.
		err = tcp.SetLinger(0)
	}
	return errors.Join(err, conn.Close())
}
