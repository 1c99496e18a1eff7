//go:build night && linux

package terminals

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// memory returns what a process has in memory, in MiB.
func memory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	must(t, err)
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			must(t, err)
			return n >> 10
		}
	}
	t.Fatalf("process %d has no memory", pid)
	return 0
}

// pid returns the process of the dashboard that runs in this world.
func (w *world) pid() int {
	w.t.Helper()
	pid, running := w.dashboard()
	if !running {
		w.t.Fatal("the program does not run")
	}
	return pid
}

func (w *world) dashboard() (pid int, running bool) {
	w.t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	must(w.t, err)
	for _, file := range all {
		args, err := os.ReadFile(file)
		if err != nil || string(args) != w.exe+"\x00" {
			continue
		}
		env, err := os.ReadFile(filepath.Join(filepath.Dir(file), "environ"))
		if err != nil || !strings.Contains(string(env), "HOME="+w.home+"\x00") {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		must(w.t, err)
		return pid, true
	}
	return 0, false
}

// ended waits until no dashboard runs in this world: one whose terminal is gone still
// writes what it keeps, into a home that is about to be removed.
func (w *world) ended() {
	w.t.Helper()
	for end := now().Add(patience); ; <-time.After(20 * time.Millisecond) {
		pid, running := w.dashboard()
		if !running {
			return
		}
		if now().After(end) {
			w.t.Errorf("process %d outlives its terminal", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		}
	}
}
