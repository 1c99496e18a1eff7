//go:build linux

package prove

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// checkFiles looks for the files that wl-copy before 2.3.0 leaves behind, after
// the time the guard needs to sweep. Killed in owner mode, which is not chosen
// for such a wl-copy, it leaves them; the harness takes those away.
func (d *desk) checkFiles(t *testing.T) {
	t.Helper()
	<-time.After(300 * time.Millisecond)
	names, err := filepath.Glob("/tmp/wl-copy-buffer-*/*")
	must(t, err)
	n := 0
	for _, name := range names {
		if b, err := os.ReadFile(name); err != nil || !bytes.HasPrefix(b, []byte(prefix())) {
			continue
		}
		n++
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
	if d.name != "wl-copy-owner" && n > 0 {
		t.Errorf("%s: %d files left behind", d.name, n)
	}
}

// hits counts where a text shows in the command lines and environments of all
// processes, and in the files below the directories.
func hits(text string, dirs ...string) (procs, files int) {
	for _, pattern := range []string{"/proc/[0-9]*/cmdline", "/proc/[0-9]*/environ"} {
		names, _ := filepath.Glob(pattern)
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte(text)) {
				procs++
			}
		}
	}
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				if b, err := os.ReadFile(path); err == nil && bytes.Contains(b, []byte(text)) {
					files++
				}
			}
			return nil
		})
	}
	return procs, files
}

// TestScan looks for the secret where other programs could find it.
func TestScan(t *testing.T) {
	n := runs(t)
	for _, d := range desks(t) {
		t.Run(d.name, func(t *testing.T) {
			clean, files := 0, 0
			var speed tally
			for range n {
				s := secret()
				b := d.start(t, s, "-ttl=20s")
				took, err := time.ParseDuration(strings.TrimPrefix(b.wants(t, "took", 5*time.Second), "took "))
				speed.add(err == nil, took)
				b.wants(t, "copied", 5*time.Second)
				if d.text() != s {
					t.Fatal("it was not copied")
				}
				var dirs []string
				for _, kv := range d.env {
					name, dir, _ := strings.Cut(kv, "=")
					if name == "HOME" || name == "TMPDIR" || name == "XDG_RUNTIME_DIR" {
						dirs = append(dirs, dir)
					}
				}
				if p, _ := hits("-ttl=20s"); p == 0 {
					t.Fatal("the scan does not even find the dashboard")
				}
				p, f := hits(s, dirs...)
				if w, err := filepath.Glob("/tmp/wl-copy-buffer-*"); err == nil && len(w) > 0 {
					_, more := hits(s, w...)
					f += more
				}
				for _, pid := range children(b.cmd.Process.Pid) {
					env, err := os.ReadFile(filepath.Join("/proc", itoa(pid), "environ"))
					if err == nil && bytes.Contains(env, []byte("sk_test_canary")) {
						t.Error("the API key reached the guard")
					}
				}
				if p == 0 {
					clean++
				}
				if f > 0 {
					files++
				}
				b.kill()
				if _, ok := d.gone(s, time.Second); !ok {
					t.Error("it stayed")
				}
			}
			speed.print(t, d.name+": copied and read back")
			t.Logf("%-44s %d of %d", d.name+": not in arguments or environments", clean, n)
			t.Logf("%-44s %d of %d", d.name+": not in files while held", n-files, n)
			if clean != n {
				t.Errorf("found in arguments or environments")
			}
			if files != 0 && !strings.HasPrefix(d.name, "wl-copy") {
				t.Errorf("found in files")
			}
			d.checkFiles(t)
		})
	}
}
