package loop_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"syscall"
)

// wire is a network of one server in this process. Connections break after so
// many bytes of a write's exchange, its request and the answer together.
type wire struct {
	calls chan net.Conn

	mu    sync.Mutex
	cutAt int // bytes of an exchange that get through
	cuts  int // exchanges to come that are cut
	how   breakage
	whole int // bytes of the last exchange that was not cut
}

// breakage is how a connection breaks.
type breakage int

const (
	breakEnd breakage = iota // it is closed
	breakReset
	breakSilence // nothing comes any more
	breakages
)

// pipes serves HTTP on a wire until stop.
func pipes(h http.Handler) (w *wire, stop func() error) {
	w = &wire{calls: make(chan net.Conn)}
	server := &http.Server{Handler: h}
	over := make(chan error, 1)
	l := &pipeListener{calls: w.calls, closed: make(chan struct{})}
	go func() { over <- server.Serve(l) }()
	return w, func() error {
		err := server.Close()
		if end := <-over; !errors.Is(end, http.ErrServerClosed) {
			return errors.Join(err, end)
		}
		return err
	}
}

func (w *wire) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case w.calls <- far:
		return &cuttable{Conn: near, wire: w, closed: make(chan struct{})}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// cut breaks the next exchanges after some bytes.
func (w *wire) cut(after, times int, how breakage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cutAt, w.cuts, w.how = after, times, how
}

// length is how many bytes the last whole exchange had.
func (w *wire) length() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.whole
}

// take tells how many bytes of the exchange that begins get through; -1 for
// all.
func (w *wire) take() (limit int, how breakage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cuts == 0 {
		w.whole = 0
		return -1, w.how
	}
	w.cuts--
	return w.cutAt, w.how
}

func (w *wire) passed(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.whole += n
}

type pipeListener struct {
	calls  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// cuttable is the client's end of a connection.
type cuttable struct {
	net.Conn
	wire   *wire
	once   sync.Once
	closed chan struct{}

	mu      sync.Mutex
	writing bool // the exchange is that of a write
	left    int  // bytes of it that get through; -1 for all
	how     breakage
	broken  bool
}

func isWrite(head []byte) bool {
	for _, method := range []string{"POST ", "PATCH ", "DELETE "} {
		if bytes.HasPrefix(head, []byte(method)) {
			return true
		}
	}
	return false
}

// pass tells how many of n bytes get through, and whether the rest breaks the
// connection.
func (c *cuttable) pass(n int) (through int, breaks bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.broken:
		return 0, true
	case !c.writing:
		return n, false
	case c.left < 0:
		c.wire.passed(n)
		return n, false
	case n <= c.left:
		c.left -= n
		return n, false
	}
	through, c.left, c.broken = c.left, 0, true
	return through, true
}

func (c *cuttable) Write(p []byte) (int, error) {
	c.mu.Lock()
	if bytes.HasPrefix(p, []byte("GET ")) {
		c.writing = false
	} else if isWrite(p) {
		c.writing = true
		c.left, c.how = c.wire.take()
	}
	c.mu.Unlock()
	through, breaks := c.pass(len(p))
	n, err := c.Conn.Write(p[:through])
	if !breaks || err != nil {
		return n, err
	}
	if c.how == breakSilence {
		return len(p), nil
	}
	return n, c.end()
}

func (c *cuttable) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n == 0 {
		return n, err
	}
	through, breaks := c.pass(n)
	switch {
	case !breaks:
		return through, err
	case through > 0:
		return through, nil // The next read breaks.
	case c.how == breakSilence:
		<-c.closed
		return 0, net.ErrClosed
	}
	return 0, c.end()
}

// end breaks the connection and gives the error of it.
func (c *cuttable) end() error {
	_ = c.Close() // A pipe's end has nothing to lose.
	if c.how == breakReset {
		return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return io.EOF
}

func (c *cuttable) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}
