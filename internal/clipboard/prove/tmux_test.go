//go:build linux

package prove

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// mux is a tmux server with one window, and the terminal it is shown on.
type mux struct {
	t      *testing.T
	socket string
	mu     sync.Mutex
	seen   bytes.Buffer // what reached the terminal
}

// newMux starts tmux. Attached, it is shown on a terminal whose input is kept.
func newMux(t *testing.T, option, shell string, env ...string) *mux {
	t.Helper()
	m := &mux{t: t, socket: filepath.Join(t.TempDir(), "s")}
	conf := filepath.Join(t.TempDir(), "conf")
	text := "set -g history-limit 5000\nset -s set-clipboard " + option + "\nset -g default-shell /bin/sh\n" +
		"set -as terminal-features ',*:clipboard'\n"
	must(t, os.WriteFile(conf, []byte(text), 0o600))
	cmd := exec.Command("tmux", "-S", m.socket, "-f", conf, "new-session", "-x", "80", "-y", "24", shell)
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME=" + t.TempDir(), "PS1=$ "}, env...)
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 80})
	must(t, err)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := tty.Read(buf)
			m.mu.Lock()
			m.seen.Write(buf[:n])
			m.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_, _ = m.try("kill-server")
		_ = cmd.Wait()
		_ = tty.Close()
	})
	within(t, 5*time.Second, func() bool { s, _ := m.try("capture-pane", "-p"); return strings.Contains(s, "$") })
	return m
}

func (m *mux) try(args ...string) (string, error) {
	out, err := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...).CombinedOutput()
	return string(out), err
}

func (m *mux) do(args ...string) string {
	m.t.Helper()
	out, err := m.try(args...)
	if err != nil {
		m.t.Fatalf("tmux %v: %v %s", args, err, out)
	}
	return out
}

func (m *mux) typed(line string) { m.t.Helper(); m.do("send-keys", line, "Enter") }

// screen is all that can be seen, the history included.
func (m *mux) screen() string { m.t.Helper(); return m.do("capture-pane", "-p", "-J", "-S", "-") }

func (m *mux) received() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen.String()
}

// run starts a dashboard in the window and returns its process.
func (m *mux) run(s string, args ...string) int {
	m.t.Helper()
	dir := m.t.TempDir()
	file, pid := filepath.Join(dir, "secret"), filepath.Join(dir, "pid")
	must(m.t, os.WriteFile(file, []byte(s+"\n"), 0o600))
	m.typed(fmt.Sprintf("clear; sh -c 'echo $$ > %s; exec %s dashboard -tty=/dev/tty -secret=%s %s'", pid, os.Args[0], file, strings.Join(args, " ")))
	id := 0
	within(m.t, 5*time.Second, func() bool {
		b, err := os.ReadFile(pid)
		if err != nil {
			return false
		}
		_, err = fmt.Sscan(string(b), &id)
		return err == nil
	})
	return id
}

func kill9(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	must(t, err)
	must(t, p.Kill())
}

// TestTerminalAfterTheGuard kills the guard first: another one has the screen.
func TestTerminalAfterTheGuard(t *testing.T) {
	n := runs(t)
	m := newMux(t, "external", "/bin/sh")
	erased := 0
	for range n {
		s := secret()
		pid := m.run(s, "-end=reveal")
		within(t, 5*time.Second, func() bool { return strings.Contains(m.screen(), s) })
		first := children(pid)
		for _, guard := range first {
			kill9(t, guard)
		}
		within(t, 5*time.Second, func() bool {
			next := children(pid)
			return len(next) == 1 && !slices.Contains(first, next[0])
		})
		<-time.After(50 * time.Millisecond) // it is given the screen at its start
		kill9(t, pid)
		for range 100 {
			if !strings.Contains(m.screen(), s) {
				erased++
				break
			}
			<-time.After(10 * time.Millisecond)
		}
	}
	t.Logf("%-44s %d of %d", "guard killed, then the dashboard: erased", erased, n)
	if erased != n {
		t.Errorf("%d of %d", erased, n)
	}
}

// TestTerminalClipboard copies over SSH inside tmux and kills the dashboard:
// the terminal has to be sent a blank and tmux has to keep nothing.
func TestTerminalClipboard(t *testing.T) {
	n := runs(t)
	for _, option := range []string{"external", "on"} {
		t.Run("tmux set-clipboard "+option, func(t *testing.T) {
			m := newMux(t, option, "/bin/sh", "SSH_TTY=/dev/pts/9")
			sent, blanked, empty := 0, 0, 0
			for range n {
				s := secret()
				pid := m.run(s, "-osc52", "-ttl=20s")
				within(t, 5*time.Second, func() bool { return strings.Contains(m.screen(), "sent to terminal") })
				secret64, blank64 := osc(s), osc(" ")
				if waitFor(m, secret64) {
					sent++
				}
				kill9(t, pid)
				if waitFor(m, secret64, blank64) {
					blanked++
				}
				for range 100 {
					if m.do("list-buffers") == "" {
						empty++
						break
					}
					<-time.After(10 * time.Millisecond)
				}
				m.mu.Lock()
				m.seen.Reset()
				m.mu.Unlock()
			}
			name := "tmux set-clipboard " + option
			t.Logf("%-44s %d of %d", name+": sent to the terminal", sent, n)
			t.Logf("%-44s %d of %d", name+": blanked after SIGKILL", blanked, n)
			t.Logf("%-44s %d of %d", name+": no buffer left", empty, n)
			if sent != n || blanked != n || empty != n {
				t.Errorf("sent %d, blanked %d, empty %d of %d", sent, blanked, empty, n)
			}
		})
	}
	t.Run("tmux set-clipboard off", func(t *testing.T) {
		m := newMux(t, "off", "/bin/sh", "SSH_TTY=/dev/pts/9")
		refused := 0
		for range n {
			s := secret()
			m.run(s, "-osc52", "-ttl=20s")
			within(t, 5*time.Second, func() bool { return strings.Contains(m.screen(), "set-clipboard is off") })
			// The guard makes sure with a blank of its own, for a moment.
			within(t, time.Second, func() bool { return m.do("list-buffers") == "" })
			if !strings.Contains(m.received(), osc(s)) {
				refused++
			}
			m.typed("clear")
			within(t, 5*time.Second, func() bool { return !strings.Contains(m.screen(), "set-clipboard is off") })
		}
		t.Logf("%-44s %d of %d", "tmux set-clipboard off: refused aloud", refused, n)
		if refused != n {
			t.Errorf("%d of %d", refused, n)
		}
	})
}

// TestBareTerminal does the same on a terminal without tmux.
func TestBareTerminal(t *testing.T) {
	n := runs(t)
	blanked := 0
	for range n {
		s := secret()
		out := new(syncBuffer)
		cmd := exec.Command(os.Args[0], "dashboard", "-tty=/dev/tty", "-osc52", "-ttl=20s")
		cmd.Env = []string{"PATH=/usr/bin:/bin", "SSH_TTY=/dev/pts/9", "TERM=xterm"}
		tty, err := pty.Start(cmd)
		must(t, err)
		go func() { _, _ = io.Copy(out, tty) }()
		if _, err := fmt.Fprintln(tty, s); err != nil {
			t.Fatal(err)
		}
		within(t, 5*time.Second, func() bool { return strings.Contains(out.String(), osc(s)) })
		kill9(t, cmd.Process.Pid)
		_ = cmd.Wait()
		for range 100 {
			text := out.String()
			if strings.Index(text, osc(" ")) > strings.Index(text, osc(s)) {
				blanked++
				break
			}
			<-time.After(10 * time.Millisecond)
		}
		_ = tty.Close()
	}
	t.Logf("%-44s %d of %d", "bare terminal: blanked after SIGKILL", blanked, n)
	if blanked != n {
		t.Errorf("%d of %d", blanked, n)
	}
}

// osc is the part of the sequence that carries a text.
func osc(text string) string { return ";" + base64.StdEncoding.EncodeToString([]byte(text)) }

// waitFor waits until the terminal has received the parts in order.
func waitFor(m *mux, parts ...string) bool {
	for range 100 {
		rest, ok := m.received(), true
		for _, p := range parts {
			_, after, found := strings.Cut(rest, p)
			rest, ok = after, ok && found
		}
		if ok {
			return true
		}
		<-time.After(10 * time.Millisecond)
	}
	return false
}

// syncBuffer is a buffer for a reader and a writer.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}
