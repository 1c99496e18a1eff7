package apitest

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

// Wire is a network of one server in this process. Connections break after so
// many bytes of a write's exchange, its request and the answer together. It may be used
// from several goroutines.
type Wire struct {
	calls chan net.Conn

	mu    sync.Mutex
	cutAt int // bytes of an exchange that get through
	cuts  int // exchanges to come that are cut
	how   Breakage
	whole int // bytes of the last exchange that was not cut
	broke func()
	down  bool // nothing gets through
	conns map[*cuttable]bool
}

// Breakage is how a connection breaks.
type Breakage int

// The ways in which a connection breaks.
const (
	BreakEnd     Breakage = iota // it is closed
	BreakReset                   // it is reset
	BreakSilence                 // nothing comes any more
	Breakages
)

// NewWire serves HTTP on a wire until stop.
func NewWire(h http.Handler) (w *Wire, stop func() error) {
	w = &Wire{calls: make(chan net.Conn), broke: func() {}, conns: make(map[*cuttable]bool)}
	server := &http.Server{Handler: h} //nolint:gosec // a connection that is silent is what a test wants
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

var errDown = errors.New("nothing gets through")

// Dial connects to the server, whatever the address.
func (w *Wire) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if w.isDown() {
		return nil, errDown
	}
	near, far := net.Pipe()
	select {
	case w.calls <- far:
		c := &cuttable{Conn: near, wire: w, closed: make(chan struct{})}
		w.mu.Lock()
		w.conns[c] = true
		w.mu.Unlock()
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Cut breaks the next exchanges of writes after some bytes.
func (w *Wire) Cut(after, times int, how Breakage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cutAt, w.cuts, w.how = after, times, how
}

// OnBreak has a function called when an exchange is cut. It may be called from within
// a read or a write.
func (w *Wire) OnBreak(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.broke = f
}

// Down lets nothing through, as when the process at one of its ends is killed, or lets
// everything through again.
func (w *Wire) Down(down bool) {
	w.mu.Lock()
	w.down = down
	for c := range w.conns {
		if down {
			_ = c.Conn.Close() // A pipe's end has nothing to lose.
		}
	}
	w.mu.Unlock()
}

func (w *Wire) isDown() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.down
}

// Length is how many bytes the last whole exchange of a write had.
func (w *Wire) Length() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.whole
}

// tellBroken calls what OnBreak was given.
func (w *Wire) tellBroken() {
	w.mu.Lock()
	f := w.broke
	w.mu.Unlock()
	f()
}

// take tells how many bytes of the exchange that begins get through; -1 for
// all.
func (w *Wire) take() (limit int, how Breakage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cuts == 0 {
		w.whole = 0
		return -1, w.how
	}
	w.cuts--
	return w.cutAt, w.how
}

func (w *Wire) passed(n int) {
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
	wire   *Wire
	once   sync.Once
	closed chan struct{}

	mu      sync.Mutex
	writing bool // the exchange is that of a write
	left    int  // bytes of it that get through; -1 for all
	how     Breakage
	broken  bool
	cut     bool // it broke at a cut that was not told of
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
	down := c.wire.isDown()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.broken:
		return 0, true
	case down:
		c.broken, c.how = true, BreakEnd
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
	through, c.left, c.broken, c.cut = c.left, 0, true, true
	return through, true
}

func (c *cuttable) isBroken() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.broken
}

// told calls OnBreak's function once, when what got through is at the other end.
func (c *cuttable) told() {
	c.mu.Lock()
	cut := c.cut
	c.cut = false
	c.mu.Unlock()
	if cut {
		c.wire.tellBroken()
	}
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
	c.told()
	if c.how == BreakSilence {
		return len(p), nil
	}
	return n, c.end()
}

func (c *cuttable) Read(p []byte) (int, error) {
	if !c.isBroken() {
		n, err := c.Conn.Read(p)
		if n == 0 {
			return n, err
		}
		through, breaks := c.pass(n)
		if !breaks {
			return through, err
		}
		c.told()
		if through > 0 {
			return through, nil // The next read breaks.
		}
	}
	if c.how == BreakSilence {
		<-c.closed
		return 0, net.ErrClosed
	}
	return 0, c.end()
}

// end breaks the connection and gives the error of it.
func (c *cuttable) end() error {
	_ = c.Close() // A pipe's end has nothing to lose.
	if c.how == BreakReset {
		return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	return io.EOF
}

func (c *cuttable) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.wire.mu.Lock()
		delete(c.wire.conns, c)
		c.wire.mu.Unlock()
	})
	return c.Conn.Close()
}
