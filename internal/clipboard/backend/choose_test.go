package backend

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestChoose(t *testing.T) {
	for _, tc := range []struct {
		name    string
		os      string
		env     string
		tools   string
		version string
		osc52   bool
		tty     bool
		mode    string
		count   int
		says    string // in the hint or the warnings
	}{
		{"X11", "linux", "DISPLAY", "xclip xsel", "", false, true, "owner", 1, warnHistory},
		{"X11 with xsel only", "linux", "DISPLAY", "xsel", "", false, false, "owner", 1, warnHistory},
		{"X11 without tools", "linux", "DISPLAY", "", "", false, true, "none", 0, "install xclip"},
		{"new Wayland", "linux", "WAYLAND_DISPLAY DISPLAY", "wl-copy wl-paste xclip", "2.3", false, true, "owner", 1, ""},
		{"newer Wayland", "linux", "WAYLAND_DISPLAY", "wl-copy wl-paste", "10.0", false, true, "owner", 1, ""},
		{"old Wayland", "linux", "WAYLAND_DISPLAY", "wl-copy wl-paste", "2.2", false, true, "compare", 1, warnFile},
		{"unknown Wayland", "linux", "WAYLAND_DISPLAY", "wl-copy wl-paste", "unknown", false, true, "compare", 1, warnFile},
		{"Wayland through X11 tools", "linux", "WAYLAND_DISPLAY DISPLAY", "wl-copy xclip", "2.3", false, true, "owner", 1, warnHistory},
		{"Wayland without tools", "linux", "WAYLAND_DISPLAY", "", "", false, true, "none", 0, "install wl-clipboard"},
		{"console", "linux", "", "", "", false, true, "none", 0, "no display: DISPLAY and WAYLAND_DISPLAY are not set: set clipboard.osc52 = true and start again, or install xclip"},
		{"console with wl-clipboard", "linux", "", "wl-copy wl-paste", "", false, true, "none", 0, "wl-copy has no display"},
		{"console with xclip", "linux", "", "xclip termux-clipboard-set termux-clipboard-get", "", false, true, "none", 0, "xclip has no display: DISPLAY and WAYLAND_DISPLAY are not set: start in the graphical session, or with clipboard.osc52 = true"},
		{"console, terminal allowed", "linux", "", "", "", true, true, "terminal", 1, warnRemote},
		{"no terminal, terminal allowed", "linux", "", "", "", true, false, "none", 0, "there is no terminal that clipboard.osc52 could copy over"},
		{"X11, terminal allowed", "linux", "DISPLAY", "xclip", "", true, true, "owner", 2, warnHistory},
		{"SSH", "linux", "SSH_TTY DISPLAY", "xclip", "", false, true, "none", 0, "set clipboard.osc52 = true and start again"},
		{"SSH, terminal allowed", "linux", "SSH_CONNECTION DISPLAY", "xclip", "", true, true, "terminal", 1, warnRemote},
		{"SSH in tmux, terminal allowed", "linux", "SSH_TTY TMUX", "tmux", "", true, true, "tmux", 1, warnRemote},
		{"tmux on a display", "linux", "DISPLAY TMUX", "xclip tmux", "", true, true, "owner", 2, warnHistory},
		{"mosh", "linux", "SSH_TTY mosh", "", "1.4", true, true, "terminal", 1, warnMosh},
		{"mosh whose shell forgot about SSH", "linux", "DISPLAY mosh", "xclip", "1.4", true, true, "terminal", 1, warnMosh},
		{"mosh of no known version", "linux", "mosh", "", "unknown", true, true, "terminal", 1, warnMosh},
		{"old mosh", "linux", "SSH_TTY mosh", "", "1.3", true, true, "none", 0, "mosh drops copies; use ssh, or mosh 1.4"},
		{"old mosh, terminal not allowed", "linux", "SSH_TTY mosh", "", "1.3", false, true, "none", 0, "set clipboard.osc52 = true and start again"},
		{"tmux in an old mosh", "linux", "SSH_TTY TMUX mosh", "tmux", "1.3", true, true, "tmux", 1, warnRemote},
		{"Termux", "linux", "", "termux-clipboard-set termux-clipboard-get", "", false, true, "compare", 1, warnHistory},
		{"WSL", "linux", "", "clip.exe powershell.exe", "", false, true, "compare", 1, warnHistory},
		{"macOS", "darwin", "", "pbcopy", "", false, true, "compare", 1, warnHistory},
		{"macOS over SSH", "darwin", "SSH_TTY", "pbcopy", "", false, true, "none", 0, "set clipboard.osc52 = true and start again"},
		{"Windows", "windows", "", "", "", false, false, "compare", 1, warnHistory},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := Session{
				OS: tc.os, OSC52: tc.osc52, Host: "here", Device: "88",
				Env: func(name string) string {
					if slices.Contains(strings.Fields(tc.env), name) {
						return "set"
					}
					return ""
				},
				Has:     func(tool string) bool { return slices.Contains(strings.Fields(tc.tools), tool) },
				Version: func(string) string { return tc.version },
				Above: func(int) []string {
					if slices.Contains(strings.Fields(tc.env), "mosh") {
						return []string{"bash", moshServer, "systemd"}
					}
					return []string{"bash", "sshd"}
				},
			}
			if tc.tty {
				s.TTY = new(bytes.Buffer)
			}
			c := Choose(s)
			mode := tc.mode
			if mode == "owner" && !ownerSupported {
				mode = "compare"
			}
			if c.Info.Mode != mode || len(c.Ways) != tc.count {
				t.Errorf("mode %q with %d backends", c.Info.Mode, len(c.Ways))
			}
			if len(c.Hint) > 45 {
				t.Errorf("hint %q", c.Hint)
			}
			if hints := len(c.Ways) > 0 && c.Ways[0].Hints; hints != (strings.HasPrefix(tc.name, "new") && mode == "owner") {
				t.Errorf("asks managers to look away: %v", hints)
			}
			for i, w := range c.Ways {
				if w.Name == "" || w.Place == "" || i > 0 && w.Place == c.Ways[0].Place {
					t.Errorf("way %q at %q", w.Name, w.Place)
				}
			}
			if (c.Hint != "") != (tc.count == 0) || c.Info.Promise == "" {
				t.Errorf("hint %q, promise %q", c.Hint, c.Info.Promise)
			}
			if words := strings.Join(c.Info.Warnings, "; "); !strings.Contains(words, tc.says) {
				t.Errorf("warnings %q", words)
			}
		})
	}
}

func TestAtLeast(t *testing.T) {
	for said, want := range map[string]bool{
		"2.3": true, "2.3.0": true, "wl-clipboard 2.4.1": true, "3.0": true, "10.1": true,
		"2.2.1": false, "2.1": false, "1.9": false, "unknown": false, "": false, "99999999999999999999.1": false,
	} {
		if got := atLeast(said, 2, 3); got != want {
			t.Errorf("%q: %v", said, got)
		}
	}
}
