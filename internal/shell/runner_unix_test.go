//go:build unix

package shell

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestACommandGetsItsFieldsAndInputAndNothingElse(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "out")
	r := NewRunner([]string{"PATH=" + os.Getenv("PATH"), "CARDTOP_API_KEY=sk_live_secret", "VAULT_TOKEN=x"})
	said, err := r.Run(t.Context(), "{ cat; env; echo {label}; } > '"+out+"'; echo; echo ' first '; echo second", map[string]string{"label": "fb; rm", "last4": "2039"}, []byte("{}\n"))
	if err != nil || said != "first" {
		t.Errorf("%q, %v", said, err)
	}
	got := read(t, out)
	if !strings.HasPrefix(got, "{}\n") || !strings.HasSuffix(got, "\nfb; rm\n") || strings.Contains(got, "secret") || strings.Contains(got, "VAULT") || strings.Contains(got, "2039") {
		t.Errorf("it saw %q", got)
	}
}

func TestAFailedCommandSaysWhy(t *testing.T) {
	t.Parallel()
	r := NewRunner([]string{"PATH=" + os.Getenv("PATH")})
	for run, want := range map[string]string{
		"echo out; echo why >&2; echo more >&2; exit 3": "exit status 3: why", "exit 4": "exit status 4", "kill -9 $$": "signal: killed",
		"head -c 100000 /dev/zero | tr '\\0' x >&2; false": "exit status 1: " + strings.Repeat("x", maxOutput),
	} {
		if said, err := r.Run(t.Context(), run, nil, nil); err == nil || err.Error() != want || said != "" {
			t.Errorf("%s: %q, %.60q", run, said, err)
		}
	}
	if said, err := r.Run(t.Context(), "head -c 100000 /dev/zero; true", nil, make([]byte, 1<<20)); err != nil || len(said) != maxOutput {
		t.Errorf("%d bytes, %v", len(said), err)
	}
}

// TestACommandIsKilledWithItsChildren when the program ends.
func TestACommandIsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	killed(t, "end")
}

// killed ends a command by its time, or with the program.
func killed(t *testing.T, how string) {
	t.Helper()
	pid := filepath.Join(t.TempDir(), "pid")
	r := NewRunner([]string{"PATH=" + os.Getenv("PATH")})
	r.timeout = 30 * time.Second
	if how == "time" {
		r.timeout = 3 * time.Second
	}
	ctx, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := r.Run(ctx, "sleep 300 & echo $! > '"+pid+"'; wait", nil, nil)
		done <- err
	}()
	until(t, "it runs", func() bool { return strings.HasSuffix(read(t, pid), "\n") })
	if how == "end" {
		end()
		r.Wait()
		if _, err := r.Run(t.Context(), "true", nil, nil); err == nil {
			t.Error("one runs after the end")
		}
	}
	if err := <-done; err == nil || how == "time" && err.Error() != "not over in 3s, killed" {
		t.Errorf("%s: %v", how, err)
	}
	end()
	child, err := strconv.Atoi(strings.TrimSpace(read(t, pid)))
	if err != nil {
		t.Fatal(err)
	}
	until(t, "its child is gone", func() bool { return syscall.Kill(child, 0) != nil || dead(child) })
}

// dead reports whether a process has ended and was not asked for how, where the system
// tells.
func dead(pid int) bool {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestWhatACommandLeavesRunningGoesOn(t *testing.T) {
	t.Parallel()
	r := NewRunner([]string{"PATH=" + os.Getenv("PATH")})
	said, err := r.Run(t.Context(), "sleep 300 & echo $!", nil, nil)
	child, wrong := strconv.Atoi(said)
	if err != nil || wrong != nil || syscall.Kill(child, syscall.SIGKILL) != nil {
		t.Errorf("%q, %v", said, err)
	}
}
