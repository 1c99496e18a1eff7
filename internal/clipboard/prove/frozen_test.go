//go:build linux

package prove

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func itoa(n int) string { return strconv.Itoa(n) }

// TestFrozen stops the program that serves the clipboard, then the display:
// the dashboard has to learn of it in time, and the secret has to go once the
// frozen one moves again.
func TestFrozen(t *testing.T) {
	n := min(runs(t), 20) // each takes some seconds
	for _, d := range desks(t) {
		for _, what := range []string{"owner", "display"} {
			t.Run(d.name+"/"+what, func(t *testing.T) {
				var c tally
				for range n {
					ok, took := freeze(t, d, what)
					c.add(ok, took)
				}
				c.print(t, d.name+": told in time, "+what+" frozen")
			})
		}
		d.checkFiles(t)
	}
}

func freeze(t *testing.T, d *desk, what string) (bool, time.Duration) {
	t.Helper()
	s := secret()
	b := d.start(t, s, "-ttl=60s")
	b.wants(t, "copied", 5*time.Second)
	defer b.kill()
	pids := []int{d.server.Process.Pid}
	if what == "owner" {
		pids = serving(t, d, b)
	}
	for _, pid := range pids {
		must(t, syscall.Kill(pid, syscall.SIGSTOP))
	}
	start := time.Now() //nolint:forbidigo // measured
	if _, err := fmt.Fprintln(b.in, "clear"); err != nil {
		t.Fatal(err)
	}
	line, cleared := b.answer(t)
	took := time.Since(start) //nolint:forbidigo // measured
	for _, pid := range pids {
		// The one that served may have been ended meanwhile.
		_ = syscall.Kill(pid, syscall.SIGCONT)
	}
	told := strings.Contains(line, "nil") == (d.owner && what == "owner")
	if !cleared {
		b.wants(t, "report cleared", 10*time.Second)
	}
	_, ok := d.gone(s, 3*time.Second)
	if !told {
		t.Logf("%s frozen: the answer was %q", what, line)
	}
	return ok && told && took < 2500*time.Millisecond, took
}

// answer returns what became of the request to clear, and whether the report
// that the secret is cleared came before it.
func (b *board) answer(t *testing.T) (line string, cleared bool) {
	t.Helper()
	limit := time.After(5 * time.Second)
	for {
		select {
		case line := <-b.lines:
			cleared = cleared || strings.HasPrefix(line, "report cleared")
			if strings.HasPrefix(line, "clear ") {
				return line, cleared
			}
		case <-limit:
			t.Fatal("the dashboard did not answer")
		}
	}
}

// serving returns the tool that serves the clipboard: a child of the guard, or
// the process that the tool left behind.
func serving(t *testing.T, d *desk, b *board) []int {
	t.Helper()
	var out []int
	if d.owner {
		for _, guard := range children(b.cmd.Process.Pid) {
			out = append(out, children(guard)...)
		}
	} else {
		out = named("wl-copy", d.env)
	}
	if len(out) == 0 {
		t.Fatal("nobody serves the clipboard")
	}
	return out
}
