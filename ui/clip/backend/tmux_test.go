//go:build unix

package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/ui/clip/mark"
	"github.com/cardtop/cardtop/ui/clip/wire"
)

// fakeTmux puts a program named tmux on the PATH that writes down what it is
// asked, and returns how to read that.
func fakeTmux(t *testing.T, setClipboard string, fails bool) func() []string {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	text := "#!/bin/sh\necho \"$@\" >>" + log + "\n"
	if fails {
		text += "echo 'no server running' >&2; exit 1\n"
	}
	text += "case $1 in show-options) echo " + setClipboard + ";; load-buffer) read -r x; echo \"in $x\" >>" + log + ";; esac\n"
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	return func() []string {
		b, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
}

func TestTmuxUsesItsOwnBuffer(t *testing.T) {
	log := fakeTmux(t, "external", false)
	m := NewTmux(7)
	if got, err := m.Copy(t.Context(), 1, []byte("4242\n"), mark.Set{}); got != wire.Sent || err != nil {
		t.Errorf("copy: %q, %v", got, err)
	}
	if got, err := m.Clear(t.Context(), mark.Set{}); got != wire.Blanked || err != nil {
		t.Errorf("clear: %q, %v", got, err)
	}
	if got, err := m.Check(t.Context(), mark.Set{}); got != wire.Sent || err != nil || m.Lost() != nil {
		t.Errorf("check: %q, %v", got, err)
	}
	want := []string{
		"show-options -gsv set-clipboard", "load-buffer -w -b cardtop-7 -", "in 4242",
		"set-buffer -w -b cardtop-7  ", "delete-buffer -b cardtop-7",
	}
	if got := log(); !slices.Equal(got, want) {
		t.Errorf("asked %q", got)
	}
}

func TestTmuxThatKeepsTheClipboardToItself(t *testing.T) {
	log := fakeTmux(t, "off", false)
	if _, err := NewTmux(7).Copy(t.Context(), 1, []byte("4242"), mark.Set{}); err == nil || !strings.Contains(err.Error(), "set-clipboard is off") {
		t.Errorf("error %v", err)
	}
	if got := log(); len(got) != 1 {
		t.Errorf("asked %q", got)
	}
}

func TestTmuxThatFails(t *testing.T) {
	fakeTmux(t, "on", true)
	if _, err := NewTmux(7).Clear(t.Context(), mark.Set{}); err == nil || !strings.Contains(err.Error(), "no server running") {
		t.Errorf("error %v", err)
	}
}
