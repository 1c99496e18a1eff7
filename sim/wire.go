package sim

import (
	"context"
	"net"
	"sync"
	"syscall"
)

// wire is a network between programs of a world: connections are pipes, which take virtual time alone.
type wire struct {
	mu    sync.Mutex
	calls map[string]chan net.Conn // Of those who listen, by their addresses.
	open  []net.Conn
}

// listen opens a listener; there is one at an address at a time.
func (w *wire) listen(_ context.Context, at string) (net.Listener, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.calls[at] != nil {
		return nil, &net.OpError{Op: "listen", Net: "tcp", Err: syscall.EADDRINUSE}
	}
	if w.calls == nil {
		w.calls = make(map[string]chan net.Conn)
	}
	w.calls[at] = make(chan net.Conn, 100)
	return &listener{w, at, w.calls[at]}, nil
}

// listens reports whether somebody listens at an address.
func (w *wire) listens(at string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[at] != nil
}

// dial connects to who listens.
func (w *wire) dial(_ context.Context, _, at string) (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	here, there := net.Pipe()
	select {
	case w.calls[at] <- there: // To nobody it is never sent.
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
	w.open = nil
	for at, calls := range w.calls {
		close(calls)
		delete(w.calls, at)
	}
}

// listener is one end of a wire.
type listener struct {
	w     *wire
	at    string
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
	if l.w.calls[l.at] == l.calls {
		close(l.calls)
		delete(l.w.calls, l.at)
	}
	return nil
}

func (l *listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8790} }
