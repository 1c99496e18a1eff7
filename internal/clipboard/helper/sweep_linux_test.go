package helper

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
)

func TestSweepTakesOnlyOurFiles(t *testing.T) {
	tmp := t.TempDir()
	key := mark.Key("key")
	set := mark.Set{Key: key, Sums: [][]byte{key.Sum([]byte("123"))}}
	write := func(dir, name, text string) string {
		t.Helper()
		dir = filepath.Join(tmp, dir)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ours := write("buf-a", "stdin", "123")
	other := write("buf-b", "stdin", "mine")
	big := write("buf-c", "stdin", "123"+string(make([]byte, maxLeftover)))
	elsewhere := write("else", "stdin", "123")
	link := filepath.Join(tmp, "buf-b", "link")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	// Reading a pipe would never end.
	if err := unix.Mkfifo(filepath.Join(tmp, "buf-b", "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := sweepIn(filepath.Join(tmp, "buf-*"), set); err != nil {
		t.Fatal(err)
	}
	for path, stays := range map[string]bool{
		ours: false, filepath.Dir(ours): false, other: true, big: true, elsewhere: true, link: true,
	} {
		if _, err := os.Lstat(path); (err == nil) != stays {
			t.Errorf("%s: stays %v, want %v", path, err == nil, stays)
		}
	}
}
