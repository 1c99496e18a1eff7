package sshd

import (
	"net"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// link is a connection. While it has no session it is closed when its time is over. Its
// fields are the server's, under its lock.
type link struct {
	net.Conn
	server   *Server
	timer    *time.Timer
	sessions int
	closed   bool
}

// admit takes a connection in; nil when too many have no session, of all or of its
// address.
func (s *Server) admit(c net.Conn) net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping || s.waiting >= s.cfg.Limits.Strangers || s.silentOf(c) >= s.cfg.Limits.Address {
		return nil
	}
	l := &link{Conn: c, server: s}
	l.timer = time.AfterFunc(s.cfg.Limits.Greeting, l.hangUp)
	s.waiting++
	s.links[c.RemoteAddr().String()] = l
	return l
}

// silentOf counts the connections without a session from where a connection comes.
func (s *Server) silentOf(c net.Conn) (n int) {
	from := hostOf(c)
	for _, l := range s.links {
		if l.sessions == 0 && hostOf(l.Conn) == from {
			n++
		}
	}
	return n
}

// hostOf is the address of the other end without its port.
func hostOf(c net.Conn) string {
	addr := c.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(addr); err == nil {
		return host
	}
	return addr
}

// hangUp closes the connection; its sessions end by that.
func (l *link) hangUp() { _ = l.Conn.Close() } // It may be closed.

// Close implements net.Conn.
func (l *link) Close() error {
	s := l.server
	s.mu.Lock()
	if !l.closed {
		l.closed = true
		l.timer.Stop()
		if l.sessions == 0 {
			s.waiting--
		}
		if addr := l.RemoteAddr().String(); s.links[addr] == l {
			delete(s.links, addr)
		}
	}
	s.mu.Unlock()
	return l.Conn.Close()
}

// take counts a session; why says what stands against it, empty for nothing.
func (s *Server) take(o *session, conn *gossh.ServerConn) (why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.link = s.links[conn.RemoteAddr().String()]
	theirs := 0
	for other := range s.open {
		if other.person.Name == o.person.Name {
			theirs++
		}
	}
	switch {
	case s.stopping || o.link == nil || o.link.closed:
		return "the hub is stopping"
	case theirs >= s.cfg.Limits.Person:
		return "you have too many sessions open: close one"
	case len(s.open) >= s.cfg.Limits.Sessions:
		return "too many sessions are open: try again later"
	}
	if o.link.sessions++; o.link.sessions == 1 {
		o.link.timer.Stop()
		s.waiting--
	}
	s.open[o] = true
	s.over.Add(1)
	return ""
}

// leave ends the counting of a session.
func (s *Server) leave(o *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, o)
	if o.link.sessions--; o.link.sessions == 0 && !o.link.closed {
		s.waiting++
		o.link.timer.Reset(s.cfg.Limits.Greeting)
	}
	s.over.Done()
}
