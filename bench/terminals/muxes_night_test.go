//go:build night && linux

package terminals

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// openXterm runs the program in xterm.
func openXterm(t *testing.T, w *world) *window {
	t.Helper()
	return openWindow(t, w.env(), w.exe)
}

// openTmux runs it in tmux in xterm.
func openTmux(t *testing.T, w *world) *window {
	t.Helper()
	dir := t.TempDir()
	socket, conf := filepath.Join(dir, "s"), filepath.Join(dir, "conf")
	write(t, conf, "set -g status off\nset -s escape-time 0\nset -g default-terminal tmux-256color\nset -g focus-events on\n")
	tmux := func(args ...string) (string, error) {
		out, err := exec.CommandContext(context.Background(), "tmux", append([]string{"-S", socket}, args...)...).CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() { _, _ = tmux("kill-server") })
	x := openWindow(t, w.env(), "tmux", "-S", socket, "-f", conf, "new-session", w.exe)
	x.inner = func() string {
		out, err := tmux("capture-pane", "-p")
		if err != nil {
			return "" // It has not started.
		}
		return out
	}
	return x
}

// openScreen runs it in GNU screen in xterm. What it copies has the lowest byte of
// each character.
func openScreen(t *testing.T, w *world) *window {
	t.Helper()
	dir, err := os.MkdirTemp("", "scr") //nolint:usetesting // The path of its socket has to be short.
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	conf, copied := filepath.Join(dir, "conf"), filepath.Join(dir, "copy")
	write(t, conf, "startup_message off\ndefutf8 on\nterm screen-256color\n")
	screen := func(args ...string) error {
		cmd := exec.CommandContext(context.Background(), "screen", append([]string{"-S", "cardtop", "-X"}, args...)...)
		cmd.Env = []string{"SCREENDIR=" + dir, "HOME=" + dir, "LANG=C.UTF-8"}
		return cmd.Run()
	}
	t.Cleanup(func() { _ = screen("quit") })
	x := openWindow(t, w.env("SCREENDIR="+dir), "screen", "-c", conf, "-U", "-S", "cardtop", w.exe)
	// Screen keeps an escape back until the next key when it was resized in between.
	x.escape = func() {
		must(t, screen("stuff", "\x1b"))
	}
	x.inner = func() string {
		if err := os.Remove(copied); err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if screen("hardcopy", copied) != nil {
			return "" // It has not started.
		}
		for size := int64(-1); ; <-time.After(10 * time.Millisecond) {
			info, err := os.Stat(copied)
			if err == nil && info.Size() > 0 && info.Size() == size {
				break
			}
			if err == nil {
				size = info.Size()
			}
		}
		text, err := os.ReadFile(copied)
		must(t, err)
		return string(text)
	}
	return x
}

// openMosh runs it behind mosh, over the loopback, in xterm.
func openMosh(t *testing.T, w *world) *window {
	t.Helper()
	server := exec.CommandContext(context.Background(), "mosh-server", "new", "-i", "127.0.0.1", "-c", "256", "--", w.exe)
	server.Env = w.env()
	out, err := server.CombinedOutput()
	found := regexp.MustCompile(`MOSH CONNECT (\d+) (\S+)`).FindStringSubmatch(string(out))
	if err != nil || found == nil {
		t.Fatalf("mosh-server: %v %s", err, out)
	}
	return openWindow(t, w.env("MOSH_KEY="+found[2], "MOSH_PREDICTION_DISPLAY=never"), "mosh-client", "127.0.0.1", found[1])
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.WriteFile(path, []byte(text), 0o600))
}
