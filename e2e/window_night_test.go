//go:build night

package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// window is a shell in tmux, where a person starts the program and to which it
// gives the terminal back.
type window struct {
	t      *testing.T
	socket string
}

func openWindow(t *testing.T, shell string) *window {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("needs tmux: install it, or run bench/secrets.sh")
	}
	w := &window{t, filepath.Join(t.TempDir(), "s")}
	conf := filepath.Join(t.TempDir(), "conf")
	must(t, os.WriteFile(conf, []byte("set -g history-limit 5000\nset -g default-shell /bin/sh\n"), 0o600))
	cmd := exec.CommandContext(t.Context(), "tmux", "-S", w.socket, "-f", conf, "new-session", "-d", "-x", "160", "-y", "45", shell)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "HOME=" + t.TempDir(), "PS1=$ "}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", w.socket, "kill-server").Run() })
	w.await("a prompt", func() bool { return strings.Contains(w.history(), "$") })
	w.enter("i=0; while [ $i -lt 60 ]; do echo older line $i; i=$((i+1)); done")
	w.await("the older lines", func() bool { return strings.Contains(w.history(), "older line 59") })
	return w
}

func (w *window) tmux(args ...string) string {
	w.t.Helper()
	out, err := exec.CommandContext(w.t.Context(), "tmux", append([]string{"-S", w.socket}, args...)...).CombinedOutput()
	if err != nil {
		w.t.Fatalf("tmux %v: %v %s", args, err, out)
	}
	return string(out)
}

func (w *window) keys(keys ...string) {
	w.t.Helper()
	w.tmux(append([]string{"send-keys"}, keys...)...)
}

func (w *window) enter(line string) { w.t.Helper(); w.keys(line, "Enter") }

// history is all that can be seen, what was scrolled away included.
func (w *window) history() string {
	w.t.Helper()
	return w.tmux("capture-pane", "-p", "-J", "-S", "-")
}

func (w *window) format(f string) string {
	w.t.Helper()
	return strings.TrimSpace(w.tmux("display-message", "-p", f))
}

// await waits for something of a real program, which takes real time.
func (w *window) await(what string, ok func() bool) {
	w.t.Helper()
	for end := time.Now().Add(patience); !ok(); <-time.After(10 * time.Millisecond) { //nolint:forbidigo // a real program
		if time.Now().After(end) { //nolint:forbidigo // a real program
			w.t.Fatalf("there is not %s:\n%s", what, w.history())
		}
	}
}

// start runs the program and gives its process.
func (w *window) start(exe, home string, env ...string) int {
	w.t.Helper()
	pid := filepath.Join(home, "pid")
	script := "cd " + home + "\nulimit -c unlimited\n"
	for _, kv := range append(environment(home), env...) {
		if name, value, _ := strings.Cut(kv, "="); name != "TERM" {
			script += fmt.Sprintf("export %s='%s'\n", name, value)
		}
	}
	script += fmt.Sprintf("echo $$ > %s\nexec %s\n", pid, exe)
	file := filepath.Join(home, "start")
	must(w.t, os.WriteFile(file, []byte(script), 0o600))
	w.enter("sh " + file)
	w.await("a list", func() bool { return strings.Contains(w.history(), "● live") })
	id := 0
	b, err := os.ReadFile(pid)
	if err == nil {
		_, err = fmt.Sscan(string(b), &id)
	}
	must(w.t, err)
	return id
}

// reveal shows the number of a card.
func (w *window) reveal(card codeAndDetails) {
	w.t.Helper()
	// Keys that reach the program in one read are taken for a paste, and a busy
	// machine makes one read of many: each step waits for the one before.
	w.keys("/")
	w.await("the filter", func() bool { return strings.Contains(w.history(), "enter done  esc clear") })
	w.keys("-l", card.label)
	w.await("its text", func() bool { return strings.Contains(w.history(), "/ "+card.label+"▏") })
	w.keys("Enter")
	w.await("one card", func() bool { return strings.Contains(w.history(), "/ "+card.label+"  ") })
	<-time.After(time.Second) // No key acts on the first row before a person could see it.
	w.keys("r")
	w.await("the number", func() bool { return strings.Contains(w.history(), grouped(card.pan)) })
}

// left tells what a program that ended left behind: whether the shell works in
// a terminal as it was, and what can be seen.
func (w *window) left(mark string) (usable bool, all string) {
	w.t.Helper()
	w.await("the shell's screen", func() bool { return w.format("#{alternate_on}") == "0" })
	// The words are not on the screen before the shell has said them.
	w.enter(fmt.Sprintf("echo al''ive-%s; stty -a | tr ' ;' '\\n' | grep -c -x -e icanon -e echo -e isig -e opost", mark))
	for range 300 {
		if all = w.history(); strings.Contains(all, "alive-"+mark+"\n4") {
			return w.format("#{mouse_any_flag}#{cursor_flag}") == "01", all
		}
		<-time.After(10 * time.Millisecond)
	}
	return false, all
}
