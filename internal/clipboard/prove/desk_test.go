//go:build linux

package prove

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// desk is a display with a clipboard.
type desk struct {
	name   string
	owner  bool // clearing survives the guard
	env    []string
	server *exec.Cmd
	silent int // readers without answer
	paste  []string
	copy   []string
}

// desks starts every kind of display, or the one that run.sh asks for: none
// when that is the terminal.
func desks(t *testing.T) []*desk {
	t.Helper()
	want := os.Getenv("CARDTOP_PROVE_DESK")
	if want == "terminal" {
		return nil
	}
	var out []*desk
	for _, d := range []struct {
		name string
		make func(*testing.T) *desk
	}{
		{"xclip", func(t *testing.T) *desk { t.Helper(); return x11(t, "xclip") }},
		{"xsel", func(t *testing.T) *desk { t.Helper(); return x11(t, "xsel") }},
		{"wl-copy", func(t *testing.T) *desk { t.Helper(); return wayland(t, false) }},
		{"wl-copy-owner", func(t *testing.T) *desk { t.Helper(); return wayland(t, true) }},
	} {
		if want == "" || want == d.name {
			out = append(out, d.make(t))
		}
	}
	if len(out) == 0 {
		t.Fatalf("no display is called %q", want)
	}
	// Guards look for tools that are late; they need the display for that.
	t.Cleanup(func() { <-time.After(3500 * time.Millisecond) })
	return out
}

// tools makes a PATH with only the tools named.
func tools(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatalf("%v: run internal/clipboard/prove/run.sh, which installs it", err)
		}
		must(t, os.Symlink(path, filepath.Join(dir, name)))
	}
	return dir
}

func x11(t *testing.T, tool string) *desk {
	t.Helper()
	r, w, err := os.Pipe()
	must(t, err)
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "320x200x24", "-nolisten", "tcp", "-noreset")
	cmd.ExtraFiles = []*os.File{w}
	must(t, cmd.Start())
	stopAtEnd(t, cmd)
	must(t, w.Close())
	n, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("start Xvfb: %v", err)
	}
	return &desk{
		name: tool, owner: true, server: cmd,
		env:   []string{"DISPLAY=:" + strings.TrimSpace(n), "PATH=" + tools(t, tool), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()},
		paste: []string{"/usr/bin/xclip", "-out", "-selection", "clipboard"},
		copy:  []string{"/usr/bin/xclip", "-in", "-selection", "clipboard"},
	}
}

// wayland starts a compositor without a screen. The owner variant has a wl-copy
// that says it is 2.3.0, because the mode is only chosen from there on; the
// hint that the older one does not know is taken out.
func wayland(t *testing.T, owner bool) *desk {
	t.Helper()
	run, err := os.MkdirTemp("/tmp", "cardtop-sway-") //nolint:usetesting // the parent of TempDir is closed to the compositor's user
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(run) })
	cmd := exec.Command("sway", "-c", "/dev/null")
	cmd.Env = []string{
		"PATH=/usr/bin:/bin", "HOME=" + run, "XDG_RUNTIME_DIR=" + run,
		"WLR_BACKENDS=headless", "WLR_LIBINPUT_NO_DEVICES=1", "WLR_RENDERER=pixman",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 {
		// sway refuses to run as root.
		const nobody = 65534
		must(t, os.Chown(run, nobody, nobody))
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	must(t, cmd.Start())
	stopAtEnd(t, cmd)
	display := ""
	within(t, 5*time.Second, func() bool {
		names, err := filepath.Glob(filepath.Join(run, "wayland-[0-9]"))
		if err != nil || len(names) == 0 {
			return false
		}
		display = filepath.Base(names[0])
		return true
	})
	// wl-copy takes its file away with rm.
	path, name := tools(t, "wl-copy", "wl-paste", "cat", "sh", "rm"), "wl-copy"
	if owner {
		name = "wl-copy-owner"
		shim := "#!/bin/sh\ncase \"$*\" in *--version*) echo wl-clipboard 2.3.0; exit;; esac\n" +
			"exec /usr/bin/wl-copy --foreground --type text/plain\n"
		must(t, os.Remove(filepath.Join(path, "wl-copy")))
		must(t, os.WriteFile(filepath.Join(path, "wl-copy"), []byte(shim), 0o700))
	}
	return &desk{
		name: name, owner: owner, server: cmd,
		env: []string{
			"WAYLAND_DISPLAY=" + display, "XDG_RUNTIME_DIR=" + run, "PATH=" + path,
			"HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir(),
		},
		paste: []string{"/usr/bin/wl-paste", "--no-newline"},
		copy:  []string{"/usr/bin/wl-copy"},
	}
}

// stopAtEnd ends a server with the test, frozen or not.
func stopAtEnd(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGCONT)
		_ = cmd.Process.Signal(syscall.SIGTERM)
		done := make(chan struct{})
		go func() { _ = cmd.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(3 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
	})
}

func within(t *testing.T, d time.Duration, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(d); !ok(); <-time.After(10 * time.Millisecond) { //nolint:forbidigo // real programs take real time
		if time.Now().After(end) { //nolint:forbidigo // real programs take real time
			t.Fatal("it does not happen")
		}
	}
}

// text returns what the user would paste. X11 leaves a reader without answer
// when the owner dies after it was asked; such a reader asks again.
func (d *desk) text() string {
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
		cmd := exec.CommandContext(ctx, d.paste[0], d.paste[1:]...)
		cmd.Env = d.env
		out, err := cmd.Output()
		silent := ctx.Err() != nil
		cancel()
		if err == nil {
			return string(out)
		}
		if !silent {
			return ""
		}
		d.silent++
	}
	return "the clipboard does not answer"
}

// put copies as the user would.
func (d *desk) put(text string) error {
	cmd := exec.Command(d.copy[0], d.copy[1:]...)
	cmd.Env = append(d.env, "PATH=/usr/bin:/bin")
	cmd.Stdin = strings.NewReader(text)
	return cmd.Run()
}

// board is a running dashboard.
type board struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string
	done  chan struct{}
}

// start runs a dashboard in a process group of its own and gives it the secret.
func (d *desk) start(t *testing.T, secret string, args ...string) *board {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"dashboard"}, args...)...)
	cmd.Env = append(append([]string{}, d.env...), "CARDTOP_API_KEY=sk_test_canary")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stderr = new(bytes.Buffer)
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	b := &board{cmd: cmd, in: in, lines: make(chan string, 64), done: make(chan struct{})}
	go func() {
		for s := bufio.NewScanner(out); s.Scan(); {
			b.lines <- s.Text()
		}
		close(b.lines)
		// How it ended is what the test is about to look at.
		_ = cmd.Wait()
		close(b.done)
	}()
	t.Cleanup(b.kill)
	if _, err := fmt.Fprintln(in, secret); err != nil && !errors.Is(err, syscall.EPIPE) {
		t.Fatal(err)
	}
	return b
}

// wants returns the next line that begins so.
func (b *board) wants(t *testing.T, prefix string, d time.Duration) string {
	t.Helper()
	limit := time.After(d)
	var said []string
	for {
		select {
		case line, ok := <-b.lines:
			if !ok {
				t.Fatalf("the dashboard ended before it said %q, but said %q", prefix, said)
			}
			said = append(said, line)
			if strings.HasPrefix(line, prefix) {
				return line
			}
		case <-limit:
			t.Fatalf("the dashboard did not say %q", prefix)
		}
	}
}

// kill ends a dashboard that may be frozen.
func (b *board) kill() {
	_ = b.cmd.Process.Kill()
	<-b.done
}

// children returns the processes whose parent is pid.
func children(pid int) []int {
	var out []int
	names, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		rest := string(b[bytes.LastIndexByte(b, ')')+1:])
		var state string
		var ppid, self int
		if _, err := fmt.Sscan(rest, &state, &ppid); err != nil || ppid != pid {
			continue
		}
		if _, err := fmt.Sscan(string(b), &self); err == nil {
			out = append(out, self)
		}
	}
	return out
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
