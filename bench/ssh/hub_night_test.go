//go:build night

package ssh

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// viewers are open at once, of so many people; cards are in the account.
const (
	viewers = 50
	people  = 10
	cards   = 800
)

// key is that of the account.
const key = "sk_test_viewers"

// site is the built program: a sandbox, and a hub on it.
type site struct {
	t    *testing.T
	bin  string
	env  []string
	addr string
	host string
	hub  *exec.Cmd
	// base is the hub's address over HTTP, service that of the sandbox.
	base, service string
	tokens        []string
}

func (s *site) run(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.bin, args...)
	cmd.Env = s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// start runs a command until the test ends, and returns once it has printed all of these.
func (s *site) start(until []string, args ...string) (*exec.Cmd, []string) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	cmd := exec.CommandContext(ctx, s.bin, args...)
	cmd.Env = s.env
	out, err := cmd.StdoutPipe()
	if err == nil {
		cmd.Stderr = os.Stderr
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // It was killed.
	})
	var found []string
	lines := bufio.NewScanner(out)
	for len(found) < len(until) && lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), until[len(found)]); ok {
			found = append(found, rest)
		}
	}
	if len(found) < len(until) {
		s.t.Fatalf("%v printed only %v", args, found)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }() // Until it ends.
	return cmd, found
}

// memory is what the hub has of a kind in /proc/PID/status, in bytes.
func (s *site) memory(kind string) int {
	s.t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.hub.Process.Pid))
	if err != nil {
		s.t.Skip("there is no /proc here")
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, kind+":"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			must(s.t, err)
			return n << 10
		}
	}
	s.t.Fatalf("no %s", kind)
	return 0
}

func wait(span time.Duration) { <-time.After(span) }

// until waits for something, for a minute at most.
func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for range 600 {
		if so() {
			return
		}
		wait(100 * time.Millisecond)
	}
	t.Fatalf("not within a minute: %s", what)
}

func open(t *testing.T) (s *site, keys []gossh.Signer) {
	t.Helper()
	dir := t.TempDir()
	s = &site{t: t, bin: filepath.Join(dir, "cardtop"), env: []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", s.bin, ".")
	build.Dir = filepath.Join("..", "..")
	build.Env = os.Environ()
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	_, found := s.start([]string{"sandbox on "}, "sandbox", "--addr", "127.0.0.1:0", "--api-key", key, "--cards", strconv.Itoa(cards), "--no-limits")
	base := strings.Fields(found[0])[0]
	s.env = append(s.env, "CARDTOP_BASE_URL="+base, "CARDTOP_API_KEY="+key)
	for i := range people {
		_, private, err := ed25519.GenerateKey(rand.Reader)
		must(t, err)
		signer, err := gossh.NewSignerFromKey(private)
		must(t, err)
		keys = append(keys, signer)
		line := strings.TrimSpace(string(gossh.MarshalAuthorizedKey(signer.PublicKey())))
		token := s.run("hub", "add", fmt.Sprintf("p%d", i), "--role", "buyer", "--labels", "*", "--ssh-key", line)
		s.tokens = append(s.tokens, strings.Fields(token)[0])
	}
	s.service = strings.TrimSuffix(base, "/v1")
	s.hub, found = s.start([]string{"ssh on ", "host key ", "hub on "}, "hub", "--listen", "127.0.0.1:0", "--ssh", "127.0.0.1:0")
	s.addr, s.host, s.base = found[0], found[1], found[2]
	return s, keys
}

// dial opens the dashboard of a person on a terminal.
func (s *site) dial(key gossh.Signer, terminal io.Writer) *gossh.Client {
	s.t.Helper()
	c, err := gossh.Dial("tcp", s.addr, &gossh.ClientConfig{
		User: "x", Auth: []gossh.AuthMethod{gossh.PublicKeys(key)}, Timeout: 30 * time.Second,
		HostKeyCallback: func(_ string, _ net.Addr, k gossh.PublicKey) error {
			if gossh.FingerprintSHA256(k) != s.host {
				return fmt.Errorf("another host key")
			}
			return nil
		},
	})
	must(s.t, err)
	x, err := c.NewSession()
	must(s.t, err)
	x.Stdout = terminal
	must(s.t, x.RequestPty("xterm-256color", 50, 160, nil))
	must(s.t, x.Shell())
	return c
}

func mib(n int) float64 { return float64(n) / (1 << 20) }

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
