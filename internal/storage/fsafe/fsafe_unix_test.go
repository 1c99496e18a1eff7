//go:build unix

package fsafe_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cardtop/cardtop/internal/storage/fsafe"
)

// nobody is a user that the tests do not run as.
const nobody = 65534

func TestReadTrust(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		make   func(place) string
		reason string // Empty: read.
		mend   string
	}{
		{"own file", func(p place) string { return p.file("f", 0o600) }, "", ""},
		{"readable by others", func(p place) string { return p.file("f", 0o644) }, "", ""},
		{"group-writable", func(p place) string {
			return p.file("f", 0o660)
		}, "others may write to it (mode 0660)", "chmod 600 "},
		{"world-writable", func(p place) string { return p.file("f", 0o602) }, "others may write to it", "chmod 600 "},
		{"name with a blank", func(p place) string {
			return p.file("a b'c", 0o666)
		}, "others may write to it", `/a b'\''c'`},
		{"symbolic link", func(p place) string { return p.link("link", p.file("f", 0o600)) }, "it is a symbolic link", "cp -RHp -- "},
		{"linked directory", func(p place) string {
			p.dirs("real")
			p.file("real/f", 0o600)
			return filepath.Join(p.link("linked", "real"), "f")
		}, "it is a symbolic link", "cp -RHp -- "},
		{"open directory", func(p place) string {
			return p.open(p.file("f", 0o600), 0o777)
		}, "others may write to the directory (mode 0777)", "chmod 700 "},
		{"sticky directory", func(p place) string {
			return p.open(p.file("f", 0o600), 0o777|fs.ModeSticky)
		}, "", ""},
		{"named pipe", func(p place) string { return p.pipe("f") }, "it is not a regular file", ""},
		{"directory", func(p place) string { return p.dirs("f") }, "it is not a regular file", ""},
		{"foreign file", func(p place) string {
			return p.give(p.file("f", 0o600), "f")
		}, "it belongs to another user", "sudo chown "},
		{"foreign directory", func(p place) string {
			return p.give(p.file("f", 0o600), ".")
		}, "the directory belongs to another user", ""},
		{"way through an own link", func(p place) string {
			p.deep("real")
			return filepath.Join(p.link("linked", "real"), "dir", "f")
		}, "", ""},
		{"way through a foreign directory", func(p place) string {
			return p.give(p.deep("foreign"), "foreign")
		}, "belongs to another user, who could exchange what is in it", "sudo chown -h "},
		{"way through a link into a foreign directory", func(p place) string {
			p.give(p.deep("foreign"), "foreign")
			p.link("linked", "foreign/dir")
			p.dirs("foreign/dir/dir")
			p.file("foreign/dir/dir/f", 0o600)
			return filepath.Join(p.dir, "linked", "dir", "f")
		}, "belongs to another user, who could exchange what is in it", "sudo chown -h "},
		{"way through a link in a directory of everybody's", func(p place) string {
			p.deep("real")
			p.dirs("shared")
			p.link("shared/hop", "../real")
			must(p.t, os.Chmod(filepath.Join(p.dir, "shared"), 0o777))
			return filepath.Join(p.link("linked", "shared/hop"), "dir", "f")
		}, "everybody may write to the directory (mode 0777)", "chmod o-w "},
		{"way through a directory of everybody's", func(p place) string {
			path := p.deep("shared")
			must(p.t, os.Chmod(filepath.Join(p.dir, "shared"), 0o777))
			return path
		}, "everybody may write to the directory (mode 0777)", "chmod o-w "},
		{"way through a sticky directory", func(p place) string {
			path := p.deep("shared")
			must(p.t, os.Chmod(filepath.Join(p.dir, "shared"), 0o777|fs.ModeSticky))
			return path
		}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := tt.make(place{t, t.TempDir()})
			file, err := fsafe.Read(path)
			if tt.reason == "" {
				if err != nil || string(file.Data) != "content" {
					t.Fatalf("Read = %q, %v", file.Data, err)
				}
				return
			}
			var trust *fsafe.TrustError
			if !errors.As(err, &trust) {
				t.Fatalf("Read = %v, want a TrustError", err)
			}
			if !strings.Contains(trust.Reason, tt.reason) || !strings.Contains(trust.Mend, tt.mend) {
				t.Errorf("Read = %v, want %q, %q", err, tt.reason, tt.mend)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("Error has more than one line: %q", err)
			}
		})
	}
}

// TestReadSharedTakesTheSystemsFiles needs a file of the system, which every
// Unix has.
func TestReadSharedTakesTheSystemsFiles(t *testing.T) {
	t.Parallel()
	p := place{t, t.TempDir()}
	if file, err := fsafe.ReadShared(p.file("f", 0o644)); err != nil || string(file.Data) != "content" {
		t.Errorf("ReadShared of an own file = %q, %v", file.Data, err)
	}
	if file, err := fsafe.ReadShared("/etc/passwd"); err != nil || len(file.Data) == 0 {
		t.Errorf("ReadShared of the system's file = %d bytes, %v", len(file.Data), err)
	}
	var trust *fsafe.TrustError
	for name, path := range map[string]string{
		"world-writable": p.file("open", 0o602), "symbolic link": p.link("link", p.file("g", 0o600)), "foreign file": p.give(p.file("h", 0o644), "h"),
	} {
		if _, err := fsafe.ReadShared(path); !errors.As(err, &trust) {
			t.Errorf("ReadShared of a %s = %v, want a TrustError", name, err)
		}
	}
}

func TestReadMissing(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"f", "no/f"} {
		if _, err := fsafe.Read(filepath.Join(t.TempDir(), path)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Read(%s) = %v, want fs.ErrNotExist", path, err)
		}
	}
}

func TestCheckSecret(t *testing.T) {
	t.Parallel()
	for mode, refused := range map[fs.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o601: true} {
		path := write(t, filepath.Join(t.TempDir(), "f"), mode)
		file, err := fsafe.Read(path)
		must(t, err)
		err = file.CheckSecret()
		if refused != (err != nil) {
			t.Errorf("CheckSecret of mode %#o = %v", mode, err)
		}
		if refused && !strings.HasSuffix(err.Error(), "run: chmod 600 "+path) {
			t.Errorf("CheckSecret = %v, want the command that mends it", err)
		}
	}
	if err := (fsafe.File{}).CheckSecret(); err == nil {
		t.Error("CheckSecret trusts a file that was never read")
	}
}

func TestOpenAppend(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "f"), 0o644)
	f, err := fsafe.OpenAppend(path)
	must(t, err)
	_, err = f.WriteString(" more")
	must(t, errors.Join(err, f.Close()))
	wantFile(t, path, "content more")

	link := filepath.Join(dir, "link")
	must(t, os.Symlink(path, link))
	var trust *fsafe.TrustError
	if _, err := fsafe.OpenAppend(link); !errors.As(err, &trust) {
		t.Errorf("OpenAppend of a link = %v, want a TrustError", err)
	}
	chown(t, path)
	if _, err := fsafe.OpenAppend(path); !errors.As(err, &trust) {
		t.Errorf("OpenAppend of a foreign file = %v, want a TrustError", err)
	}
}

func TestMkdirAll(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b")
	must(t, fsafe.MkdirAll(dir))
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if info, err := os.Stat(d); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: mode %v, %v, want 0700", d, info.Mode(), err)
		}
	}
	must(t, os.Chmod(dir, 0o755))
	must(t, fsafe.MkdirAll(dir))
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("existing directory stays open: %v, %v", info.Mode(), err)
	}
	must(t, os.Symlink(dir, filepath.Join(base, "link")))
	if err := fsafe.MkdirAll(filepath.Join(base, "link")); err == nil {
		t.Error("MkdirAll accepts a link")
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "f"), 0o644)
	stale := write(t, filepath.Join(dir, ".f.tmp-1"), 0o600)
	info, err := os.Stat(stale)
	must(t, err)
	old := info.ModTime().Add(-2 * 60 * 1e9)
	must(t, os.Chtimes(stale, old, old))
	busy := write(t, filepath.Join(dir, ".f.tmp-2"), 0o600)

	must(t, fsafe.WriteFile(path, []byte("new")))
	wantFile(t, path, "new")
	if _, err := os.Stat(stale); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stale file is left: %v", err)
	}
	if _, err := os.Stat(busy); err != nil {
		t.Errorf("the file of a writer at work is gone: %v", err)
	}
	if err := fsafe.WriteFile(filepath.Join(dir, "no", "f"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("WriteFile without a directory = %v", err)
	}
}

// TestWriteFileKilled writes in a child that is killed at a random point; the
// file must always be whole. The child is this test binary.
func TestWriteFileKilled(t *testing.T) {
	t.Parallel()
	const size = 1 << 16
	if path := os.Getenv("PRIVATE_WRITE_FOREVER"); path != "" {
		for i := byte(0); ; i++ {
			must(t, fsafe.WriteFile(path, bytes.Repeat([]byte{i}, size)))
			if i == 0 {
				_, err := os.Stdout.WriteString("x")
				must(t, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "f")
	for range 10 {
		child := exec.Command(os.Args[0], "-test.run=^TestWriteFileKilled$")
		child.Env = append(os.Environ(), "PRIVATE_WRITE_FOREVER="+path)
		out, err := child.StdoutPipe()
		must(t, err)
		must(t, child.Start())
		_, err = out.Read(make([]byte, 1))
		must(t, err)
		must(t, child.Process.Kill())
		if err := child.Wait(); err == nil {
			t.Fatal("child ended by itself")
		}
		data, err := os.ReadFile(path)
		must(t, err)
		if len(data) != size || bytes.Count(data, data[:1]) != size {
			t.Fatalf("torn file of %d bytes", len(data))
		}
	}
}

// place is a directory that a test fills; its methods answer a path in it.
type place struct {
	t   *testing.T
	dir string
}

func (p place) file(name string, mode fs.FileMode) string {
	p.t.Helper()
	return write(p.t, filepath.Join(p.dir, name), mode)
}

func (p place) dirs(name string) string {
	p.t.Helper()
	must(p.t, os.Mkdir(filepath.Join(p.dir, name), 0o700))
	return filepath.Join(p.dir, name)
}

// deep makes a file two directories down.
func (p place) deep(name string) string {
	p.t.Helper()
	p.dirs(name)
	p.dirs(filepath.Join(name, "dir"))
	return p.file(filepath.Join(name, "dir", "f"), 0o600)
}

func (p place) link(name, target string) string {
	p.t.Helper()
	must(p.t, os.Symlink(target, filepath.Join(p.dir, name)))
	return filepath.Join(p.dir, name)
}

func (p place) pipe(name string) string {
	p.t.Helper()
	must(p.t, syscall.Mkfifo(filepath.Join(p.dir, name), 0o600))
	return filepath.Join(p.dir, name)
}

// open gives the directory another mode.
func (p place) open(path string, mode fs.FileMode) string {
	p.t.Helper()
	must(p.t, os.Chmod(p.dir, mode))
	return path
}

// give hands what is called name to another user.
func (p place) give(path, name string) string {
	p.t.Helper()
	chown(p.t, filepath.Join(p.dir, name))
	return path
}

func write(t *testing.T, path string, mode fs.FileMode) string {
	t.Helper()
	must(t, os.WriteFile(path, []byte("content"), mode))
	must(t, os.Chmod(path, mode))
	return path
}

func chown(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	must(t, os.Chown(path, nobody, nobody))
}

func wantFile(t *testing.T, path, content string) {
	t.Helper()
	data, err := os.ReadFile(path)
	must(t, err)
	if string(data) != content {
		t.Errorf("%s holds %q, want %q", path, data, content)
	}
	info, err := os.Stat(path)
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("%s has mode %#o, want 0600", path, info.Mode().Perm())
	}
}

// TestWhatHoldsTheHomeIsTheSystems is for systems where the directories above
// a home belong to a user of their own.
func TestWhatHoldsTheHomeIsTheSystems(t *testing.T) {
	p := place{t, t.TempDir()}
	path := p.give(p.deep("system"), "system")
	if _, err := fsafe.Read(path); err == nil {
		t.Error("read through a directory of another user's")
	}
	t.Setenv("HOME", filepath.Join(p.dir, "system", "dir"))
	if file, err := fsafe.Read(path); err != nil || string(file.Data) != "content" {
		t.Errorf("Read = %q, %v", file.Data, err)
	}
}

// TestTheCommandForALinkMendsIt runs what a person is told to run, on names
// that a shell reads otherwise than they stand: the real one is there then, and
// what the link led to as it was.
func TestTheCommandForALinkMendsIt(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(p place) (path, target string){
		"file": func(p place) (string, string) {
			own := p.file("real", 0o600)
			return p.link("a b'c $(touch pwned) -", own), own
		},
		"directory": func(p place) (string, string) {
			p.dirs("real dir")
			own := p.file("real dir/f", 0o600)
			return filepath.Join(p.link("it's linked", "real dir"), "f"), own
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, target := link(place{t, dir})
			_, err := fsafe.Read(path)
			var trust *fsafe.TrustError
			if !errors.As(err, &trust) {
				t.Fatalf("Read = %v, want a TrustError", err)
			}
			run := func(command string) ([]byte, error) {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
				cmd.Dir = dir
				return cmd.CombinedOutput()
			}
			for end := range len(trust.Mend) / 8 {
				if _, err := run(trust.Mend[:len(trust.Mend)-1-8*end]); err == nil && end < len(trust.Mend)/8-1 {
					t.Errorf("a part runs: %s", trust.Mend[:len(trust.Mend)-1-8*end])
				}
			}
			if _, err := fsafe.Read(path); !errors.As(err, &trust) {
				t.Errorf("a part of the command did something: %v", err)
			}
			if out, err := run(trust.Mend); err != nil {
				t.Fatalf("%s: %v %s", trust.Mend, err, out)
			}
			for _, path := range []string{path, target} {
				if file, err := fsafe.Read(path); err != nil || string(file.Data) != "content" {
					t.Errorf("after %s: Read %s = %q, %v", trust.Mend, path, file.Data, err)
				}
			}
			if _, err := os.Lstat(filepath.Join(dir, "pwned")); err == nil {
				t.Error("the name was run")
			}
		})
	}
}
