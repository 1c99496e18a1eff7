//go:build night && linux

package terminals

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// window is a program in an xterm on a display of its own.
type window struct {
	t       *testing.T
	display string
	id      string // of the window
	pid     int    // of xterm
	printed string // file that xterm prints its screen to
	// inner returns the screen as what runs in the xterm tells it; nil for the
	// xterm's own.
	inner func() string
	// escape presses the key of that name; nil where xterm does.
	escape func()
}

// openWindow opens a display and an xterm of 160x45 that runs a command.
func openWindow(t *testing.T, env []string, args ...string) *window {
	t.Helper()
	w := &window{t: t, display: openDisplay(t), printed: filepath.Join(t.TempDir(), "screen")}
	all := append([]string{
		"-fa", "DejaVu Sans Mono", "-fs", "7", "-geometry", "160x45+0+0", "-bg", "black", "-fg", "white",
		"-xrm", "*printerCommand: cat > " + w.printed + ".part && mv " + w.printed + ".part " + w.printed,
		"-xrm", "*printAttributes: 0", "-xrm", "*VT100.translations: #override <Key>F12: print()", "-e",
	}, args...)
	cmd := exec.CommandContext(context.Background(), "xterm", all...)
	cmd.Env = append(env, "DISPLAY="+w.display)
	said := &strings.Builder{}
	cmd.Stderr = said
	must(t, cmd.Start())
	w.pid = cmd.Process.Pid
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() && said.Len() > 0 {
			t.Logf("xterm says: %s", said)
		}
	})
	for end := now().Add(patience); w.id == ""; <-time.After(50 * time.Millisecond) {
		if now().After(end) {
			t.Fatal("there is no xterm")
		}
		out, err := w.run("xdotool", "search", "--onlyvisible", "--class", "xterm")
		if err == nil {
			w.id = strings.Fields(out)[0]
		}
	}
	w.do("xdotool", "windowfocus", w.id)
	return w
}

// openDisplay starts an X server and returns its name.
func openDisplay(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	must(t, err)
	cmd := exec.CommandContext(context.Background(), "Xvfb", "-displayfd", "3", "-screen", "0", "1280x960x24", "-nolisten", "tcp", "-noreset")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.ExtraFiles = []*os.File{write}
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(read).ReadString('\n')
	must(t, errors.Join(err, read.Close(), write.Close()))
	return ":" + strings.TrimSpace(line)
}

func (w *window) run(args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), args[0], args[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "DISPLAY=" + w.display, "HOME=" + os.TempDir(), "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *window) do(args ...string) {
	w.t.Helper()
	if out, err := w.run(args...); err != nil {
		w.t.Fatalf("%v: %v %s", args, err, out)
	}
}

func (w *window) keys(names ...string) {
	w.t.Helper()
	if i := slices.Index(names, "Escape"); i >= 0 && w.escape != nil {
		w.keys(names[:i]...)
		w.escape()
		w.keys(names[i+1:]...)
		return
	}
	if len(names) > 0 {
		w.do(append([]string{"xdotool", "key", "--delay", "4"}, names...)...)
	}
}

// text lets xterm print its screen.
func (w *window) text() string {
	w.t.Helper()
	if w.inner != nil {
		return w.inner()
	}
	if err := os.Remove(w.printed); err != nil && !errors.Is(err, os.ErrNotExist) {
		w.t.Fatal(err)
	}
	w.keys("F12")
	for end := now().Add(patience); ; <-time.After(10 * time.Millisecond) {
		text, err := os.ReadFile(w.printed)
		if err == nil {
			return string(text)
		}
		if now().After(end) {
			w.t.Fatal("xterm prints nothing")
		}
	}
}

func (w *window) resize(width, height int) {
	w.t.Helper()
	w.do("xdotool", "windowsize", "--usehints", w.id, fmt.Sprint(width), fmt.Sprint(height))
}

// picture saves what is on the display.
func (w *window) picture(name string) {
	w.t.Helper()
	if dir := os.Getenv("CARDTOP_PICTURES"); dir != "" {
		w.do("import", "-window", w.id, filepath.Join(dir, name+".png"))
	}
}
