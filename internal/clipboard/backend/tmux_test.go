//go:build unix

package backend

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/internal/clipboard/mark"
	"github.com/cardtop/cardtop/internal/clipboard/wire"
)

// fakeTmux puts a program named tmux on the PATH that writes down what it is
// asked, and returns how to read that.
func fakeTmux(t *testing.T, setClipboard string, fails bool, info ...string) func() []string {
	t.Helper()
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	text := "#!/bin/sh\necho \"$@\" >>" + log + "\n"
	if fails {
		text += "echo 'no server running' >&2; exit 1\n"
	}
	about := filepath.Join(dir, "info")
	if err := os.WriteFile(about, []byte(strings.Join(append(info, ""), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	text += "case $1 in info) while read -r x; do printf '%s\\n' \"$x\"; done <" + about + ";; list-clients) echo 77;;\n"
	text += "show-options) echo " + setClipboard + ";; load-buffer) read -r x; echo \"in $x\" >>" + log + ";; esac\n"
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

// session is one in tmux, in a mosh of a version if there is any.
func session(mosh string) Session {
	return Session{
		Env:     func(name string) string { return map[string]string{"TMUX": "/tmp/s,123,3"}[name] },
		Version: func(string) string { return mosh },
		Above: func(pid int) []string {
			if mosh == "" || pid != 77 {
				return []string{"tmux", "sh"}
			}
			return []string{"tmux", "sh", moshServer}
		},
	}
}

// TestTmuxTellsWhatItWouldDrop: a copy that arrives nowhere is never one that was sent.
func TestTmuxTellsWhatItWouldDrop(t *testing.T) {
	const (
		plain   = ` 192: Ms: (string) \033]52;%p1%s;%p2%s\a`
		named   = ` 192: Ms: (string) \033]52;c;%p2%s\a`
		missing = " 192: Ms: [missing]"
	)
	for _, c := range []struct {
		name, mosh, want string
		info             []string
	}{
		{"a terminal that takes copies", "", "", []string{plain}},
		{"one of two terminals", "", "", []string{missing, plain}},
		{"no terminal that does", "", "terminal-features ',*:clipboard'", []string{missing, missing}},
		{"a tmux that tells nothing", "", "", nil},
		{"an old mosh", "1.3", "mosh drops copies; use ssh, or mosh 1.4", []string{named}},
		{"mosh", "1.4", "terminal-overrides", []string{plain}},
		{"mosh, as it demands", "1.4", "", []string{named}},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := fakeTmux(t, "external", false, c.info...)
			got, err := NewTmux(7, session(c.mosh)).Copy(t.Context(), 1, []byte("4242"), mark.Set{})
			if c.want == "" && (got != wire.Sent || err != nil) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%q, %v", got, err)
			}
			if sent := slices.Contains(log(), "in 4242"); sent != (c.want == "") {
				t.Errorf("given to tmux: %v", sent)
			}
		})
	}
}

func TestTmuxUsesItsOwnBuffer(t *testing.T) {
	log := fakeTmux(t, "external", false)
	m := NewTmux(7, session(""))
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
		"show-options -gsv set-clipboard", "info", "list-clients -t $3 -F #{client_pid}", "load-buffer -w -b cardtop-7 -", "in 4242",
		"set-buffer -w -b cardtop-7  ", "delete-buffer -b cardtop-7",
	}
	if got := log(); !slices.Equal(got, want) {
		t.Errorf("asked %q", got)
	}
}

func TestTmuxThatKeepsTheClipboardToItself(t *testing.T) {
	log := fakeTmux(t, "off", false)
	if _, err := NewTmux(7, session("")).Copy(t.Context(), 1, []byte("4242"), mark.Set{}); err == nil || !strings.Contains(err.Error(), "set-clipboard is off") {
		t.Errorf("error %v", err)
	}
	if got := log(); len(got) != 1 {
		t.Errorf("asked %q", got)
	}
}

func TestTmuxThatFails(t *testing.T) {
	fakeTmux(t, "on", true)
	if _, err := NewTmux(7, session("")).Clear(t.Context(), mark.Set{}); err == nil || !strings.Contains(err.Error(), "no server running") {
		t.Errorf("error %v", err)
	}
}
