// Package natstest runs a cluster of nats-server processes on loopback for tests, with
// links between them and to them that can be cut, stopped and slowed.
package natstest

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Link forwards TCP connections from a port of its own. It may be used from several
// goroutines.
type Link struct {
	listener net.Listener
	target   string
	delay    atomic.Int64
	holed    atomic.Bool

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]bool
}

// NewLink forwards to a host and port until the test ends.
func NewLink(tb testing.TB, target string) *Link {
	tb.Helper()
	var lc net.ListenConfig
	l, err := lc.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	link := &Link{listener: l, target: target, conns: make(map[net.Conn]bool)}
	tb.Cleanup(func() {
		link.Cut()
		if err := l.Close(); err != nil {
			tb.Error(err)
		}
	})
	go link.accept()
	return link
}

// Addr returns the host and port where it listens.
func (l *Link) Addr() string { return l.listener.Addr().String() }

// Cut closes all connections, and those that come.
func (l *Link) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for c := range l.conns {
		_ = c.Close() // It may be closed already.
	}
	clear(l.conns)
}

// Hole keeps connections open and forwards nothing.
func (l *Link) Hole() { l.holed.Store(true) }

// Slow delays what is forwarded in each direction.
func (l *Link) Slow(d time.Duration) { l.delay.Store(int64(d)) }

// Heal lets everything pass again. What was lost in a hole is lost: its connections are
// closed.
func (l *Link) Heal() {
	if l.holed.Load() {
		l.Cut()
	}
	l.holed.Store(false)
	l.delay.Store(0)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = false
}

func (l *Link) accept() {
	for {
		c, err := l.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		go l.forward(c)
	}
}

// keep stores a connection to be cut; false when the link is cut.
func (l *Link) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut {
		_ = c.Close() // Nobody uses it.
		return false
	}
	l.conns[c] = true
	return true
}

func (l *Link) forward(from net.Conn) {
	if !l.keep(from) {
		return
	}
	var d net.Dialer
	to, err := d.DialContext(context.Background(), "tcp", l.target)
	if err != nil || !l.keep(to) {
		_ = from.Close() // The target refuses.
		return
	}
	go l.copy(to, from)
	l.copy(from, to)
}

// chunk is what was read, and when it may be forwarded.
type chunk struct {
	data []byte
	wait <-chan time.Time
}

// copy forwards one direction. A delay does not hold back what is read meanwhile.
func (l *Link) copy(to, from net.Conn) {
	chunks := make(chan chunk, 1024)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, 32<<10)
			n, err := from.Read(buf)
			if n > 0 && !l.holed.Load() {
				chunks <- chunk{buf[:n], time.After(time.Duration(l.delay.Load()))}
			}
			if err != nil {
				return
			}
		}
	}()
	failed := false
	for c := range chunks {
		<-c.wait
		if failed || l.holed.Load() {
			continue
		}
		if _, err := to.Write(c.data); err != nil {
			failed = true
			_ = from.Close() // The reader above ends.
		}
	}
	_ = to.Close() // It ends with the other side.
	l.mu.Lock()
	delete(l.conns, to)
	l.mu.Unlock()
}
