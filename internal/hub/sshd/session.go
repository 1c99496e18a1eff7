package sshd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/hub/team"
)

// session is one that is open.
type session struct {
	link   *link
	person *team.Person
	key    string
	end    context.CancelCauseFunc
}

// Exit codes that this package gives, as those of the commands.
const (
	exitFailed = 1
	exitUsage  = 2
	exitAuth   = 4
)

// session serves one channel: what the client asks for first, then that alone.
func (s *Server) session(ctx context.Context, conn *gossh.ServerConn, asked gossh.NewChannel) {
	person, key, ok := s.who(conn)
	if !ok {
		_ = asked.Reject(gossh.Prohibited, "the key is not in the team any more") // The connection may be gone.
		_ = conn.Close()                                                          // Likewise.
		return
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	o := &session{person: person, key: key, end: end}
	if why := s.take(o, conn); why != "" {
		_ = asked.Reject(gossh.ResourceShortage, why) // The connection may be gone.
		return
	}
	defer s.leave(o)
	if !s.cfg.Team().HoldsKey(person, key) {
		end(errRemoved) // People may have been called before the session was counted.
	}
	ch, requests, err := asked.Accept()
	if err != nil {
		return
	}
	w := &wish{sizes: make(chan Size, 1), vars: make(map[string]string)}
	gone := make(chan struct{})
	if !w.hear(ctx, requests, s.cfg.Limits.Greeting) {
		late := time.AfterFunc(lastWords, o.link.hangUp)
		defer late.Stop()
		_ = ch.Close() // It may be closed.
		go drain(requests, gone)
	} else {
		go func() {
			defer end(errGone)
			w.follow(requests, gone)
		}()
		go keepAlive(ctx, conn, o.link)
		code := s.run(ctx, o, w, ch, conn)
		// A client that takes nothing, or does not close its end, loses its connection.
		late := time.AfterFunc(lastWords, o.link.hangUp)
		defer late.Stop()
		finish(ch, code)
	}
	<-gone
}

// finish tells the exit code and closes the channel.
func finish(ch gossh.Channel, code int) {
	status := gossh.Marshal(struct{ Status uint32 }{uint32(max(0, code))})
	_, _ = ch.SendRequest("exit-status", false, status) // The connection may be gone.
	_ = ch.Close()                                      // Likewise.
}

// run does what was wished for and returns its exit code.
func (s *Server) run(ctx context.Context, o *session, w *wish, ch gossh.Channel, conn *gossh.ServerConn) (code int) {
	v := Session{
		Person: o.person, Key: o.key, Address: conn.RemoteAddr().String(), In: ch, Out: ch, Errs: ch.Stderr(),
		Env: environment(w.term, w.vars), Size: w.size, Sizes: w.watch,
	}
	if w.pty {
		v.Errs = crlf{ch.Stderr()}
	}
	say := func(line string) { _, _ = fmt.Fprintln(v.Errs, "cardtop: "+line) } // The connection may be gone.
	defer func() {
		if recover() != nil {
			s.cfg.Tell("a session over SSH crashed, which is a bug")
			code = exitFailed
		}
		if context.Cause(ctx) == errRemoved { //nolint:errorlint // it is that very one
			say(errRemoved.Error())
			code = exitAuth
		}
	}()
	switch {
	case w.shell && !w.pty:
		say("the dashboard needs a terminal: ssh -t")
		return exitUsage
	case w.shell && w.term == "dumb":
		say("the dashboard cannot draw on a terminal that TERM calls dumb")
		return exitUsage
	case w.shell:
		s.cfg.Tell(o.person.Name + " opened the dashboard over SSH from " + v.Address)
		return s.cfg.Show(ctx, v)
	case w.err != nil:
		say(w.err.Error())
		return exitUsage
	case len(w.words) == 0 || w.words[0] != "otp":
		say("otp is the only command here: ssh HOST otp --wait --card CARD")
		return exitUsage
	default:
		return s.cfg.OTP(ctx, v, w.words[1:])
	}
}

// How often a connection is asked whether it is there, and how long it may take to answer.
const (
	aliveEvery  = 20 * time.Second
	aliveWithin = 40 * time.Second
)

// keepAlive closes a connection whose other end does not answer any more.
func keepAlive(ctx context.Context, conn *gossh.ServerConn, l *link) {
	ticker := time.NewTicker(aliveEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		late := time.AfterFunc(aliveWithin, l.hangUp)
		_, _, err := conn.SendRequest("keepalive@openssh.com", true, nil)
		late.Stop()
		if err != nil {
			return
		}
	}
}

// drain refuses what is still asked for, until the client has closed its end.
func drain(requests <-chan *gossh.Request, gone chan<- struct{}) {
	defer close(gone)
	for r := range requests {
		reply(r, false)
	}
}

// crlf writes lines to a terminal that a program has set to raw.
type crlf struct{ io.Writer }

func (w crlf) Write(b []byte) (int, error) {
	if _, err := w.Writer.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}

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
