package hub

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestASocketReplacesNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := removeStale(t.Context(), file); err == nil {
		t.Error("a file is replaced")
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "mine" {
		t.Errorf("the file is %q, %v", data, err)
	}
	path := filepath.Join(dir, "s")
	var c net.ListenConfig
	l, err := c.Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if err := removeStale(t.Context(), path); err == nil {
		t.Error("a socket in use is replaced")
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false) //nolint:forcetypeassert // a test that breaks is one that fails
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := removeStale(t.Context(), path); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a socket that was left stays")
	}
}
