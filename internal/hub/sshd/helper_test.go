package sshd_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"github.com/cardtop/cardtop/internal/hub/sshd"
	"github.com/cardtop/cardtop/internal/hub/team"
)

// site is a server and a team.
type site struct {
	t      testing.TB
	server *sshd.Server
	people *team.Live
	keys   map[string]gossh.Signer
	addr   string
	host   gossh.PublicKey
	stop   context.CancelFunc
	over   chan error

	mu   sync.Mutex
	said []string
}

func signer(tb testing.TB) gossh.Signer {
	tb.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(tb, err)
	s, err := gossh.NewSignerFromKey(private)
	must(tb, err)
	return s
}

// open serves two people, whose sessions a test runs itself.
func open(tb testing.TB, change func(*sshd.Config)) *site {
	tb.Helper()
	tb.Helper()
	s := &site{t: tb, keys: make(map[string]gossh.Signer), over: make(chan error, 1)}
	crew := &team.Team{}
	for i, name := range []string{"ann", "bob"} {
		s.keys[name] = signer(tb)
		crew.People = append(crew.People, team.Person{
			Name: name, Role: team.Buyer, Labels: []string{"*"}, Token: team.Hash{byte(i + 1)}, Keys: []string{sshd.Fingerprint(s.keys[name].PublicKey())},
		})
	}
	s.keys["eve"] = signer(tb)
	s.people = team.Fixed(crew)
	key, err := sshd.HostKey(tb.TempDir())
	must(tb, err)
	s.host = key.PublicKey()
	cfg := sshd.Config{
		HostKey: key, Team: s.people.Team, Limits: sshd.Defaults(),
		Tell: func(line string) { s.mu.Lock(); s.said = append(s.said, line); s.mu.Unlock() },
		Show: func(ctx context.Context, _ sshd.Session) int { <-ctx.Done(); return 130 },
		OTP:  func(context.Context, sshd.Session, []string) int { return 0 },
	}
	if change != nil {
		change(&cfg)
	}
	s.server = sshd.New(cfg)
	var listen net.ListenConfig
	l, err := listen.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	must(tb, err)
	s.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.WithoutCancel(tb.Context()))
	s.stop = cancel
	go func() { s.over <- s.server.Serve(ctx, l) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-s.over; err != nil {
			tb.Error(err)
		}
	})
	return s
}

// dial connects with keys, in their order, until the test ends.
func (s *site) dial(keys ...gossh.Signer) (*gossh.Client, error) {
	c, err := s.connect(keys...)
	if err == nil {
		s.t.Cleanup(func() { _ = c.Close() }) // It may be closed.
	}
	return c, err
}

func (s *site) connect(keys ...gossh.Signer) (*gossh.Client, error) {
	return gossh.Dial("tcp", s.addr, &gossh.ClientConfig{
		User: "anybody", Auth: []gossh.AuthMethod{gossh.PublicKeys(keys...)}, HostKeyCallback: gossh.FixedHostKey(s.host), Timeout: 10 * time.Second,
	})
}

func (s *site) client(name string) *gossh.Client {
	s.t.Helper()
	c, err := s.dial(s.keys[name])
	must(s.t, err)
	return c
}

// shell opens a dashboard of 100x30.
func shell(t *testing.T, c *gossh.Client) *gossh.Session {
	t.Helper()
	x, err := c.NewSession()
	must(t, err)
	must(t, x.RequestPty("xterm-256color", 30, 100, nil))
	must(t, x.Shell())
	return x
}

// code is the exit code that an error of a session has; -1 for none.
func code(err error) int {
	var e *gossh.ExitError
	switch {
	case err == nil:
		return 0
	case asExit(err, &e):
		return e.ExitStatus()
	default:
		return -1
	}
}

func asExit(err error, to **gossh.ExitError) bool {
	e, ok := err.(*gossh.ExitError) //nolint:errorlint // the library returns it itself
	*to = e
	return ok
}

func has(list []string, part string) bool {
	return strings.Contains(strings.Join(list, "\n"), part)
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
