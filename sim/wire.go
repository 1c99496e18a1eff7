package sim

import (
	"context"
	"net"
	"net/http"
	"sync"
	"syscall"
)

// wire is a network between programs of a world: connections are pipes, which take virtual time alone.
type wire struct {
	mu    sync.Mutex
	calls chan net.Conn // nil while nobody listens
	open  []net.Conn
}

// listen opens a listener; there is one at a time.
func (w *wire) listen(context.Context, string) (net.Listener, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE}
	}
	w.calls = make(chan net.Conn, 100)
	return &listener{w, w.calls}, nil
}

// dial connects to who listens.
func (w *wire) dial(context.Context, string, string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	here, there := net.Pipe()
	select {
	case w.calls <- there: // To nobody it is never sent.
		w.open = append(w.open, here, there)
		return here, nil
	default:
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
}

// cut ends the listener and all connections.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.open {
		_ = c.Close() // It is a pipe.
	}
	if w.open = nil; w.calls != nil {
		close(w.calls)
		w.calls = nil
	}
}

// client is the way of a client over the wire.
func (w *wire) client() *http.Transport { return &http.Transport{DialContext: w.dial} }

// listener is one end of a wire.
type listener struct {
	w     *wire
	calls chan net.Conn
}

func (l *listener) Accept() (net.Conn, error) {
	c, ok := <-l.calls
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (l *listener) Close() error {
	l.w.mu.Lock()
	defer l.w.mu.Unlock()
	if l.w.calls == l.calls {
		close(l.calls)
		l.w.calls = nil
	}
	return nil
}

func (l *listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8790} }
