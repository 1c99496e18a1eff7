//go:build night && unix

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// ending is a way for the program to end while a number is shown.
type ending struct {
	name   string
	signal syscall.Signal
	crash  string // place of a panic with the number in its value
	says   string
}

func endings() []ending {
	const says = "crashed (string), which is a bug"
	all := []ending{
		{name: "SIGKILL", signal: syscall.SIGKILL},
		{name: "panic in View", crash: "View", says: says},
		// The one that nothing of ours can catch.
		{name: "panic in a library's goroutine", crash: "goroutine"},
	}
	if !thorough() {
		return all
	}
	return append(all,
		ending{name: "SIGQUIT", signal: syscall.SIGQUIT}, ending{name: "SIGABRT", signal: syscall.SIGABRT},
		ending{name: "panic in Update", crash: "Update", says: says}, ending{name: "panic in command", crash: "command", says: says},
		ending{name: "panic in poller", crash: "poller", says: says})
}

// TestKilledWhileRevealed ends the real program in tmux while it shows a
// number. The number must be nowhere on the screen or in its history, the shell
// must work, older lines must be there, and no core file.
func TestKilledWhileRevealed(t *testing.T) {
	t.Parallel()
	exe, breaking := buildBinary(t), buildBreaking(t)
	f := openFront(t, exe)
	w := openWindow(t, "/bin/sh")
	for row, e := range endings() {
		n, run := rounds(t, 1), exe
		if e.crash != "" {
			run = breaking
		}
		if e.signal != syscall.SIGKILL {
			n = max(1, n/10)
		}
		clean, usable, kept, said := 0, 0, 0, 0
		for i := range n {
			ok, all, home := w.end(f, e, run, fmt.Sprintf("%d-%d", row, i))
			if ok {
				usable++
			}
			hits := found([]byte(all), f.canaries())
			if cores, err := filepath.Glob(filepath.Join(home, "core*")); err != nil || len(cores) > 0 || strings.Contains(all, "core dumped") {
				hits = append(hits, "core file")
			}
			if len(hits) == 0 {
				clean++
			} else {
				t.Errorf("%s: left behind: %v", e.name, hits)
			}
			if strings.Contains(all, "older line 7\n") {
				kept++
			}
			if strings.Contains(all, e.says) {
				said++
			}
		}
		proved(t, e.name+" while revealed: number nowhere, no core file", clean, n)
		proved(t, e.name+" while revealed: terminal as it was", usable, n)
		proved(t, e.name+" while revealed: older lines kept", kept, n)
		if e.says != "" {
			proved(t, e.name+" while revealed: says where, not what", said, n)
		}
	}
}

// end starts the program, shows a number, ends it, and tells what is left.
func (w *window) end(f *front, e ending, exe, mark string) (usable bool, all, home string) {
	w.t.Helper()
	home = f.home(w.t)
	spring := filepath.Join(home, "spring")
	pid := w.start(exe, home, "GOTRACEBACK=crash", "CARDTOP_CRASHTEST="+e.crash, "CARDTOP_CRASHTEST_FILE="+spring)
	w.reveal(f.card)
	if e.crash != "" {
		must(w.t, os.WriteFile(spring, nil, 0o600))
	} else if err := syscall.Kill(pid, e.signal); err != nil {
		w.t.Fatal(err)
	}
	usable, all = w.left(mark)
	return usable, all, home
}

// TestSuspendedWhileRevealed gives the terminal to the shell in the middle of a
// reveal, brings the program back, and kills it while it is stopped: the shell's
// screen is then not the program's to erase.
func TestSuspendedWhileRevealed(t *testing.T) {
	t.Parallel()
	exe := buildBinary(t)
	f := openFront(t, exe)
	w := openWindow(t, "/bin/sh -i")
	n := max(1, rounds(t, 1)/10)
	clean, back, alone := 0, 0, 0
	for i := range n {
		pid := w.start(exe, f.home(t))
		w.reveal(f.card)
		w.keys("C-z")
		usable, all := w.left(fmt.Sprintf("stopped-%d", i))
		if hits := found([]byte(all), f.canaries()); usable && len(hits) == 0 {
			clean++
		} else {
			t.Errorf("stopped: usable %v, left behind %v", usable, hits)
		}
		w.enter("fg")
		w.await("the list again", func() bool { return strings.Contains(w.history(), "● live") })
		// Codes are there to be seen.
		hidden := slices.DeleteFunc(f.canaries(), func(c canary) bool { return c.name == "code" })
		if all := w.history(); len(found([]byte(all), hidden)) == 0 {
			back++
		}
		w.keys("C-z")
		w.await("the shell's screen", func() bool { return w.format("#{alternate_on}") == "0" })
		w.enter("echo not yours")
		w.await("its words", func() bool { return strings.Contains(w.history(), "not yours\n") })
		must(t, syscall.Kill(pid, syscall.SIGKILL))
		if usable, all := w.left(fmt.Sprintf("killed-%d", i)); usable && strings.Contains(all, "not yours\n") {
			alone++
		}
	}
	proved(t, "suspended while revealed: number nowhere, the shell works", clean, n)
	proved(t, "brought back: nothing is revealed", back, n)
	proved(t, "killed while stopped: the shell's screen is left alone", alone, n)
}
