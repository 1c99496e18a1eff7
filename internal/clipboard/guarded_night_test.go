//go:build linux && night

package clipboard_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"github.com/cardtop/cardtop/internal/clipboard"
)

const pan = "4242424242424242"

// desk is a session with the tool that TestMain stands in for.
type desk struct {
	*clipboard.Guarded
	env  map[string]string
	file string
}

func open(t *testing.T, change func(*clipboard.Config, map[string]string)) *desk {
	t.Helper()
	bin := t.TempDir()
	exe, err := os.Executable()
	must(t, err)
	must(t, os.Symlink(exe, filepath.Join(bin, "xclip")))
	d := &desk{env: map[string]string{
		"PATH": bin, "DISPLAY": ":0", "TMPDIR": t.TempDir(), "CARDTOP_API_KEY": "sk_test_canary",
	}}
	d.file = filepath.Join(d.env["TMPDIR"], "clipboard")
	cfg := clipboard.Config{Args: []string{"guard"}, Env: func(n string) string { return d.env[n] }, Now: time.Now} //nolint:forbidigo // real processes take real time
	if change != nil {
		change(&cfg, d.env)
	}
	d.Guarded, err = clipboard.Open(t.Context(), cfg)
	must(t, err)
	t.Cleanup(func() {
		if err := d.Close(true); err != nil {
			t.Error(err)
		}
	})
	return d
}

// text is what a paste would give.
func (d *desk) text() string {
	owner, text := selection(d.file)
	if owner != 0 && !alive(owner) {
		return ""
	}
	return text
}

func (d *desk) next(t *testing.T) clipboard.Report {
	t.Helper()
	select {
	case r := <-d.Reports():
		return r
	case <-time.After(10 * time.Second):
		t.Fatal("no report")
		return clipboard.Report{}
	}
}

// put copies for a time that is long enough to look at the copy.
func (d *desk) put(t *testing.T, ttl time.Duration) clipboard.Report {
	t.Helper()
	r := d.putBriefly(t, ttl)
	if d.text() != pan {
		t.Fatalf("the clipboard holds %q", d.text())
	}
	return r
}

// putBriefly copies for a time that may be over before the test goes on, so
// that only the report is judged.
func (d *desk) putBriefly(t *testing.T, ttl time.Duration) clipboard.Report {
	t.Helper()
	r, err := d.Copy(t.Context(), clipboard.Item{Secret: []byte(pan), TTL: ttl})
	if err != nil || r.State != clipboard.Copied || r.Until.IsZero() {
		t.Fatalf("copy: %+v, %v", r, err)
	}
	return r
}

// TestGuardThatIsStoppedIsReplaced has a guard that is there and does nothing when the time
// of a copy is over.
func TestGuardThatIsStoppedIsReplaced(t *testing.T) {
	d := open(t, nil)
	r := d.put(t, 500*time.Millisecond)
	for _, pid := range guards(t, d) {
		must(t, syscall.Kill(pid, syscall.SIGSTOP))
	}
	if got := d.next(t); got.ID != r.ID || got.State != clipboard.Cleared {
		t.Errorf("report %+v", got)
	}
	if d.text() != "" {
		t.Errorf("the clipboard holds %q", d.text())
	}
}

// TestAGuardThatIsStoppedWhenTheSessionEndsIsReplaced: what it would have cleared is cleared.
func TestAGuardThatIsStoppedWhenTheSessionEndsIsReplaced(t *testing.T) {
	for _, now := range []bool{true, false} {
		d := open(t, nil)
		ttl := time.Minute
		if !now {
			ttl = 2 * time.Second
		}
		d.put(t, ttl)
		for _, pid := range guards(t, d) {
			must(t, syscall.Kill(pid, syscall.SIGSTOP))
		}
		began := time.Now() //nolint:forbidigo // real processes take real time
		if err := d.Close(now); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took > 3*time.Second { //nolint:forbidigo // real processes take real time
			t.Errorf("it takes %v to end", took)
		}
		for range 50 {
			if d.text() == "" {
				break
			}
			<-time.After(100 * time.Millisecond)
		}
		if d.text() != "" {
			t.Errorf("clear at once %v: the clipboard holds %q", now, d.text())
		}
	}
}

func TestGuardThatCannotBeReplaced(t *testing.T) {
	d := open(t, nil)
	r := d.put(t, time.Minute)
	for try := 0; ; try++ {
		kill(t, guards(t, d))
		got := d.next(t)
		if got.ID != r.ID {
			t.Fatalf("report %+v", got)
		}
		if got.State == clipboard.CannotClear {
			if got.Err == nil || try < 2 {
				t.Errorf("report %+v after %d", got, try)
			}
			return
		}
		r = d.put(t, time.Minute)
	}
}

func TestGuardKnowsNoKeyAndTellsNobody(t *testing.T) {
	d := open(t, nil)
	d.put(t, time.Minute)
	for _, pid := range guards(t, d) {
		for _, name := range []string{"environ", "cmdline"} {
			b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), name))
			if closed := name == "environ" && os.Getuid() != 0; closed != (err != nil) {
				t.Errorf("%s can be read: %v", name, err == nil)
			}
			if bytes.Contains(b, []byte("sk_test")) || bytes.Contains(b, []byte(pan)) {
				t.Errorf("%s holds a secret", name)
			}
		}
		if st, err := os.Stat(filepath.Join("/proc", strconv.Itoa(pid), "mem")); err == nil && os.Getuid() != 0 {
			if uid := st.Sys().(*syscall.Stat_t).Uid; uid != 0 { //nolint:forcetypeassert // Linux
				t.Errorf("the guard's memory belongs to user %d", uid)
			}
		}
	}
}

func TestNoTool(t *testing.T) {
	d := open(t, func(_ *clipboard.Config, env map[string]string) { env["PATH"] = t.TempDir() })
	r, err := d.Copy(t.Context(), clipboard.Item{Secret: []byte(pan), TTL: time.Minute})
	if r.State != clipboard.NoTool || !errors.Is(err, clipboard.ErrNoTool) || !strings.Contains(err.Error(), "install xclip") {
		t.Errorf("report %+v, %v", r, err)
	}
}

// TestTheTerminalIsAllowedAndForbiddenAtOnce: a copy that is on the terminal when it is
// forbidden is cleared before another takes another way.
func TestTheTerminalIsAllowedAndForbiddenAtOnce(t *testing.T) {
	master, tty, err := pty.Open()
	must(t, err)
	defer func() { _, _ = master.Close(), tty.Close() }()
	var shown safeBuffer
	go func() { _, _ = io.Copy(&shown, master) }()
	d := open(t, func(c *clipboard.Config, env map[string]string) {
		env["PATH"], env["TERM"] = t.TempDir(), "xterm-256color"
		c.TTY = tty
	})
	copied := func() (clipboard.Report, error) {
		return d.Copy(t.Context(), clipboard.Item{Secret: []byte(pan), TTL: time.Minute})
	}
	if r, err := copied(); r.State != clipboard.NoTool {
		t.Fatalf("report %+v, %v", r, err)
	}
	d.AllowOSC52(true)
	r, err := copied()
	if err != nil || r.State != clipboard.Sent {
		t.Fatalf("allowed: %+v, %v", r, err)
	}
	d.AllowOSC52(false)
	if r, err := copied(); r.State != clipboard.NoTool {
		t.Errorf("forbidden: %+v, %v", r, err)
	}
	if got := d.next(t); got.ID != r.ID || got.State != clipboard.Blanked {
		t.Errorf("report %+v", got)
	}
	text, blank := ansi.SetSystemClipboard(pan), ansi.SetSystemClipboard(" ")
	for range 100 {
		if strings.Contains(shown.String(), text+blank) {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	if got := shown.String(); strings.Count(got, text) != 1 || !strings.Contains(got, text+blank) {
		t.Errorf("the terminal got %q", got)
	}
	for try := 0; len(guards(t, d)) != 1; try++ { // The one before is about to end.
		if try == 100 {
			t.Fatal("two guards stay")
		}
		<-time.After(50 * time.Millisecond)
	}
}

// safeBuffer is what a terminal was sent.
type safeBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}
func (b *safeBuffer) String() string { b.mu.Lock(); defer b.mu.Unlock(); return b.Buffer.String() }

func TestToolThatFails(t *testing.T) {
	d := open(t, func(_ *clipboard.Config, env map[string]string) {
		text := "#!/bin/sh\necho \"Error: Can't open display: :0\" >&2\nexit 1\n"
		bin := t.TempDir()
		must(t, os.WriteFile(filepath.Join(bin, "xclip"), []byte(text), 0o700))
		env["PATH"] = bin
	})
	r, err := d.Copy(t.Context(), clipboard.Item{Secret: []byte(pan), TTL: time.Minute})
	if err == nil || r.State != clipboard.Idle || strings.Contains(err.Error(), pan) {
		t.Errorf("report %+v, %v", r, err)
	}
}

func TestCopyThatIsCancelled(t *testing.T) {
	d := open(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Copy(ctx, clipboard.Item{Secret: []byte(pan), TTL: time.Minute}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestClose(t *testing.T) {
	d := open(t, nil)
	d.put(t, 10*time.Second)
	must(t, d.Close(false))
	if d.text() != pan {
		t.Error("the copy does not stay")
	}
	if _, err := d.Copy(t.Context(), clipboard.Item{Secret: []byte(pan), TTL: time.Minute}); !errors.Is(err, clipboard.ErrClosed) {
		t.Errorf("copy after close: %v", err)
	}
	brief := open(t, nil)
	brief.putBriefly(t, 300*time.Millisecond)
	must(t, brief.Close(false))
	if got := brief.next(t); got.State != clipboard.Cleared || brief.text() != "" {
		t.Errorf("report %+v, clipboard %q", got, brief.text())
	}
}

func TestGuardThatDoesNotStart(t *testing.T) {
	env := func(string) string { return "" }
	for name, cfg := range map[string]clipboard.Config{
		"no such program": {Executable: "/nonexistent", Env: env, Now: time.Now}, //nolint:forbidigo // not called
		"it ends at once": {Args: []string{"broken"}, Env: env, Now: time.Now},   //nolint:forbidigo // not called
		"no clock":        {Env: env},
	} {
		if _, err := clipboard.Open(t.Context(), cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// guards returns the guard of a desk, known by its environment.
func guards(t *testing.T, d *desk) []int {
	t.Helper()
	var out []int
	dirs, err := filepath.Glob("/proc/[0-9]*")
	must(t, err)
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
		if len(fields) > 1 && fields[0] != "Z" && fields[1] == strconv.Itoa(os.Getpid()) {
			out = append(out, pid)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no guard for %s", d.file)
	}
	return out
}

// kill ends processes and waits until they are gone.
func kill(t *testing.T, pids []int) {
	t.Helper()
	for _, pid := range pids {
		must(t, syscall.Kill(pid, syscall.SIGKILL))
		for alive(pid) {
			<-time.After(5 * time.Millisecond)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
