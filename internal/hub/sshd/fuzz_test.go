package sshd_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/hub/sshd"
)

// many lets more strangers in than a fuzzer makes.
func many(c *sshd.Config) {
	c.Limits.Strangers, c.Limits.Person, c.Limits.Sessions = 1e6, 1e6, 1e6
}

// FuzzHandshake sends whatever bytes before anybody is known. The server closes the
// connection, or waits for more; people are let in after it as before.
func FuzzHandshake(f *testing.F) {
	f.Add([]byte("SSH-2.0-x\r\n"))
	f.Add([]byte("SSH-2.0-x\r\n\x00\x00\x00\x0c\x0a\x14\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte("GET / HTTP/1.1\r\nHost: hub\r\n\r\n"))
	f.Add(bytes.Repeat([]byte{0xff}, 300))
	s := open(f, many)
	n := 0
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.addr)
		must(t, err)
		_, _ = c.Write(data) // The server may have hung up.
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.CloseWrite() // Nothing more comes.
		}
		_ = c.SetReadDeadline(time.Now().Add(10 * time.Second)) //nolint:forbidigo // a real connection
		if _, err := io.Copy(io.Discard, c); err != nil && isTimeout(err) {
			t.Errorf("%q holds a connection whose other end has gone", data)
		}
		_ = c.Close() // It may be closed.
		if n++; n%64 == 1 {
			known, err := s.connect(s.keys["ann"])
			if err != nil {
				t.Fatalf("after %q nobody is let in: %v", data, err)
			}
			_ = known.Close() // It was let in.
		}
	})
}

func isTimeout(err error) bool {
	e, ok := err.(net.Error) //nolint:errorlint // a deadline is not wrapped
	return ok && e.Timeout()
}

// FuzzChannel opens channels of any kind and sends requests of any kind over them, as a
// person whose key is known: only sessions are opened, what runs has a size that can be
// drawn, and the server goes on.
func FuzzChannel(f *testing.F) {
	f.Add("session", []byte{}, "pty-req", gossh.Marshal(struct {
		Term         string
		W, H, PW, PH uint32
		Modes        string
	}{"xterm", 80, 24, 0, 0, ""}), "shell", []byte{})
	f.Add("session", []byte{}, "env", gossh.Marshal(struct{ Name, Value string }{"LANG", "C"}), "exec", gossh.Marshal(struct{ Line string }{"otp --wait"}))
	f.Add("direct-tcpip", gossh.Marshal(struct {
		To     string
		Port   uint32
		From   string
		Source uint32
	}{"127.0.0.1", 22, "127.0.0.1", 1}), "x", []byte{}, "y", []byte{})
	f.Add("auth-agent@openssh.com", []byte{}, "subsystem", gossh.Marshal(struct{ Name string }{"sftp"}), "signal", []byte{0xff})
	odd := make(chan sshd.Session, 1)
	run := func(_ context.Context, v sshd.Session) int {
		if v.Size.Width < 0 || v.Size.Width > 500 || v.Size.Height > 200 || v.Person == nil {
			select {
			case odd <- v:
			default:
			}
		}
		return 0
	}
	s := open(f, func(c *sshd.Config) {
		many(c)
		c.Show = run
		c.OTP = func(ctx context.Context, v sshd.Session, _ []string) int { return run(ctx, v) }
	})
	var conn *gossh.Client
	f.Fuzz(func(t *testing.T, kind string, extra []byte, first string, payload []byte, second string, more []byte) {
		if len(kind)+len(extra)+len(first)+len(payload)+len(second)+len(more) > 1<<14 {
			return // A packet has 32 KiB.
		}
		if conn == nil {
			var err error
			if conn, err = s.connect(s.keys["ann"]); err != nil {
				t.Fatal(err)
			}
		}
		_, _, _ = conn.SendRequest(first, true, payload) // Of the whole connection; it may break.
		ch, requests, err := conn.OpenChannel(kind, extra)
		if err != nil {
			if _, refused := err.(*gossh.OpenChannelError); !refused { //nolint:errorlint // the library returns it itself
				_ = conn.Close() // It is broken.
				conn = nil
			}
			return
		}
		go gossh.DiscardRequests(requests)
		if kind != "session" {
			t.Errorf("a channel %q is opened", kind)
		}
		_, _ = ch.SendRequest(first, true, payload) // It may be closed.
		_, _ = ch.SendRequest(second, true, more)   // Likewise.
		_ = ch.Close()                              // Likewise.
		select {
		case v := <-odd:
			t.Errorf("a session has the size %v", v.Size)
		default:
		}
	})
}
