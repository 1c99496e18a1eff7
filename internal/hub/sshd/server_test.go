package sshd_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/hub/sshd"
	"github.com/cardtop/cardtop/internal/hub/team"
)

func TestTheHostKeyIsMadeOnceAndIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "hub")
	first, err := sshd.HostKey(dir)
	must(t, err)
	again, err := sshd.HostKey(dir)
	if err != nil || sshd.Fingerprint(first.PublicKey()) != sshd.Fingerprint(again.PublicKey()) {
		t.Errorf("another key: %v", err)
	}
	path := filepath.Join(dir, sshd.KeyFile)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	must(t, os.WriteFile(path, []byte("rubbish"), 0o600))
	if _, err := sshd.HostKey(dir); err == nil {
		t.Error("rubbish is a key")
	}
}

func TestOnlyKeysOfTheTeamAreLetIn(t *testing.T) {
	t.Parallel()
	shown := make(chan sshd.Session, 4)
	s := open(t, func(c *sshd.Config) {
		c.Show = func(_ context.Context, v sshd.Session) int { shown <- v; return 0 }
	})
	if _, err := s.dial(s.keys["eve"]); err == nil {
		t.Error("a stranger is let in")
	}
	password := []gossh.AuthMethod{gossh.Password("x"), gossh.KeyboardInteractive(func(string, string, []string, []bool) ([]string, error) { return nil, nil })}
	if _, err := gossh.Dial("tcp", s.addr, &gossh.ClientConfig{User: "ann", Auth: password, HostKeyCallback: gossh.FixedHostKey(s.host)}); err == nil {
		t.Error("a password lets in")
	}
	if _, err := gossh.Dial("tcp", s.addr, &gossh.ClientConfig{User: "ann", HostKeyCallback: gossh.FixedHostKey(s.host)}); err == nil {
		t.Error("nothing lets in")
	}
	if _, err := s.dial(forged{s.keys["ann"]}); err == nil {
		t.Error("a public key without its private one lets in")
	}
	c, err := s.dial(s.keys["eve"], s.keys["bob"])
	must(t, err)
	x := shell(t, c)
	if got := <-shown; got.Person.Name != "bob" || got.Key != sshd.Fingerprint(s.keys["bob"].PublicKey()) {
		t.Errorf("they are %s", got.Person.Name)
	}
	if err := x.Wait(); err != nil {
		t.Error(err)
	}
}

// forged has a public key and not its private one.
type forged struct{ gossh.Signer }

func (forged) Sign(io.Reader, []byte) (*gossh.Signature, error) {
	return &gossh.Signature{Format: gossh.KeyAlgoED25519, Blob: make([]byte, 64)}, nil
}

func TestATerminalIsAsTheClientSaysAndNothingElse(t *testing.T) {
	t.Parallel()
	shown, sizes := make(chan sshd.Session, 1), make(chan sshd.Size, 1)
	s := open(t, func(c *sshd.Config) {
		c.Show = func(ctx context.Context, v sshd.Session) int {
			shown <- v
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			if err := v.Sizes(ctx, func(w, h int) { sizes <- sshd.Size{Width: w, Height: h}; cancel() }); err != nil {
				return 1
			}
			line := make([]byte, 3)
			if _, err := io.ReadFull(v.In, line); err != nil {
				return 1
			}
			_, _ = v.Out.Write(bytes.ToUpper(line)) // The test looks.
			return 7
		}
	})
	x, err := s.client("ann").NewSession()
	must(t, err)
	for name, value := range map[string]string{"COLORTERM": "truecolor", "LANG": "de_DE.UTF-8", "NO_COLOR": "1\x1b[2J", "LD_PRELOAD": "/x", "TMUX": "/tmp/x", "TERMINFO": "/tmp"} {
		_ = x.Setenv(name, value) // Most are refused.
	}
	in, err := x.StdinPipe()
	must(t, err)
	var out bytes.Buffer
	x.Stdout = &out
	must(t, errors.Join(x.RequestPty("xterm-256color", 30, 100, nil), x.Shell()))
	got := <-shown
	slices.Sort(got.Env)
	if want := []string{"COLORTERM=truecolor", "LANG=de_DE.UTF-8", "SSH_TTY=remote", "TERM=xterm-256color", "TTY_FORCE=1"}; !slices.Equal(got.Env, want) || got.Size != (sshd.Size{Width: 100, Height: 30}) {
		t.Errorf("%q, %v", got.Env, got.Size)
	}
	must(t, x.WindowChange(50, 4_000_000))
	if size := <-sizes; size != (sshd.Size{Width: 500, Height: 50}) {
		t.Errorf("resized to %v", size)
	}
	if _, err := in.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if err := x.Wait(); code(err) != 7 || out.String() != "ABC" {
		t.Errorf("%v, %q", err, out.String())
	}
}

func TestNothingElseIsServed(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	c := s.client("ann")
	for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "x11", "auth-agent@openssh.com", "tun@openssh.com", "forwarded-tcpip"} {
		if ch, _, err := c.OpenChannel(kind, make([]byte, 64)); err == nil {
			t.Errorf("a channel of %s", kind)
			_ = ch.Close()
		}
	}
	for _, kind := range []string{"tcpip-forward", "streamlocal-forward@openssh.com", "hostkeys-prove-00@openssh.com"} {
		if ok, _, err := c.SendRequest(kind, true, make([]byte, 64)); ok || err != nil {
			t.Errorf("a request for %s: %v, %v", kind, ok, err)
		}
	}
	ch, requests, err := c.OpenChannel("session", nil)
	must(t, err)
	go gossh.DiscardRequests(requests)
	for _, kind := range []string{"subsystem", "auth-agent-req@openssh.com", "x11-req", "env", "signal", "break", "xon-xoff", "window-change", "pty-req"} {
		// The payload is a text of 4 GB, which is not there.
		if ok, err := ch.SendRequest(kind, true, []byte{0xff, 0xff, 0xff, 0xff, 'x'}); ok || err != nil {
			t.Errorf("a request for %s: %v, %v", kind, ok, err)
		}
	}
	for line, want := range map[string]int{"otp": 0, "sh -c id": 2, "": 2, "otp '": 2, "OTP": 2, "scp -t /": 2} {
		x, err := c.NewSession()
		must(t, err)
		if got := code(x.Run(line)); got != want {
			t.Errorf("%q exits with %d", line, got)
		}
	}
	x, err := c.NewSession()
	must(t, err)
	if err := x.Shell(); err != nil || code(x.Wait()) != 2 {
		t.Errorf("a shell without a terminal: %v", err)
	}
}

func TestOnePersonHasSomeSessionsAndAllHaveMore(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *sshd.Config) { c.Limits.Person, c.Limits.Sessions = 2, 3 })
	ann := s.client("ann")
	shell(t, ann)
	shell(t, s.client("ann"))
	refused := func(c *gossh.Client) bool {
		_, err := c.NewSession()
		var failed *gossh.OpenChannelError
		return errors.As(err, &failed) && failed.Reason == gossh.ResourceShortage
	}
	if !refused(ann) {
		t.Error("a third session of one person")
	}
	bob := s.client("bob")
	x := shell(t, bob)
	if !refused(bob) {
		t.Error("a fourth session of all")
	}
	must(t, x.Close())
	for refused(bob) { // Until the server knows that it is closed.
		continue
	}
}

func TestWhoIsRemovedIsCutOffAndOthersStay(t *testing.T) {
	t.Parallel()
	began := make(chan string, 2)
	s := open(t, func(c *sshd.Config) {
		c.Show = func(ctx context.Context, v sshd.Session) int {
			began <- v.Person.Name
			if v.Person.Name == "ann" { // Her terminal takes nothing, and her session does not end.
				for {
					if _, err := v.Out.Write(make([]byte, 1<<20)); err != nil {
						return 1
					}
				}
			}
			<-ctx.Done()
			return 130
		}
	})
	annClient := s.client("ann")
	stuck, requests, err := annClient.OpenChannel("session", nil)
	must(t, err)
	go gossh.DiscardRequests(requests)
	pty := gossh.Marshal(struct {
		Term       string
		W, H, X, Y uint32
		Modes      string
	}{Term: "xterm", W: 80, H: 24})
	for kind, payload := range map[string][]byte{"pty-req": pty} {
		if ok, err := stuck.SendRequest(kind, true, payload); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if ok, err := stuck.SendRequest("shell", true, nil); !ok || err != nil {
		t.Fatal(ok, err)
	}
	bob := s.client("bob")
	x := shell(t, bob)
	<-began
	<-began
	now := s.people.Team()
	without := &team.Team{People: []team.Person{now.People[1]}}
	s.people.Set(without)
	s.server.People()
	if err := annClient.Wait(); err == nil {
		t.Error("who was removed stays connected")
	}
	if _, err := s.dial(s.keys["ann"]); err == nil {
		t.Error("who was removed is let in")
	}
	s.people.Set(&team.Team{})
	s.server.People()
	if got := code(x.Wait()); got != 4 {
		t.Errorf("their exit code is %d", got)
	}
}

func TestTheEndOfTheHubEndsItsSessions(t *testing.T) {
	t.Parallel()
	s := open(t, nil)
	x := shell(t, s.client("ann"))
	s.stop()
	if got := code(x.Wait()); got != 130 {
		t.Errorf("exit code %d", got)
	}
	s.over <- <-s.over
}

func TestASessionThatCrashesIsOne(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *sshd.Config) {
		c.Show = func(context.Context, sshd.Session) int { panic("4111111111111111") }
	})
	c := s.client("ann")
	if got := code(shell(t, c).Wait()); got != 1 {
		t.Errorf("exit code %d", got)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !has(s.said, "crashed") || has(s.said, "4111") {
		t.Errorf("said %q", s.said)
	}
}

// TestOneAddressKeepsNobodyOut opens connections from one address that say nothing.
func TestOneAddressKeepsNobodyOut(t *testing.T) {
	t.Parallel()
	s := open(t, func(c *sshd.Config) { c.Limits.Greeting, c.Limits.Strangers, c.Limits.Address = time.Minute, 8, 3 })
	var d net.Dialer
	greeted := func(from string) bool {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
		c, err := d.DialContext(t.Context(), "tcp", s.addr)
		must(t, err)
		t.Cleanup(func() { _ = c.Close() }) // It may be closed.
		n, err := c.Read(make([]byte, 4))
		return n > 0 && err == nil
	}
	for i, want := range []bool{true, true, true, false, false} {
		if got := greeted("127.0.0.1"); got != want {
			t.Errorf("connection %d is greeted: %v", i+1, got)
		}
	}
	if runtime.GOOS == "linux" && !greeted("127.0.0.2") { // Other systems have one address here.
		t.Error("another address is kept out")
	}
}
