package ui

import (
	"io"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/ui/tty"
)

// TestTheFirstFrameHasTheTerminalsColours holds that nothing is drawn in colours that
// the terminal does not have, before it has said anything.
func TestTheFirstFrameHasTheTerminalsColours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env        string
		has, lacks []string
	}{
		{"COLORTERM=truecolor", []string{"38;2;"}, []string{"38;5;"}},
		{"TERM=xterm-256color", []string{"38;5;"}, []string{"38;2;"}},
		{"NO_COLOR=1", []string{"\x1b["}, []string{"38;2;", "38;5;", ";3", ";9"}},
		{"NO_COLOR=0", []string{"\x1b["}, []string{"38;2;", "38;5;", ";3", ";9"}},
		{"NO_COLOR=never", []string{"\x1b["}, []string{"38;2;", "38;5;", ";3", ";9"}},
		{"NO_COLOR=", []string{"38;5;"}, nil},
		{"TERM=xterm-ghostty", []string{"38;2;"}, nil},
		{"TERM=xterm-kitty", []string{"38;2;"}, nil},
		{"TERM=foot", []string{"38;2;"}, nil},
		{"TERM=alacritty", []string{"38;2;"}, nil},
		{"TERM_PROGRAM=iTerm.app", []string{"38;2;"}, nil},
		{"TERM_PROGRAM=WezTerm", []string{"38;2;"}, nil},
		{"TERM_PROGRAM=vscode", []string{"38;2;"}, nil},
		{"TERM_PROGRAM=ghostty", []string{"38;2;"}, nil},
		{"LC_TERMINAL=iTerm2", []string{"38;2;"}, nil}, // Passed on over ssh.
		{"VTE_VERSION=7600", []string{"38;2;"}, nil},
		{"VTE_VERSION=3409", []string{"38;5;"}, []string{"38;2;"}},
		{"KONSOLE_VERSION=240800", []string{"38;2;"}, nil},
		{"TERM_PROGRAM=Apple_Terminal", []string{"38;5;"}, []string{"38;2;"}},
		{"TERM_PROGRAM=tmux", []string{"38;5;"}, []string{"38;2;"}},
		{"TERM=screen-256color LC_TERMINAL=iTerm2", []string{"38;5;"}, []string{"38;2;"}},
		{"TERM=tmux-256color VTE_VERSION=7600", []string{"38;5;"}, []string{"38;2;"}},
		{"TERM=dumb VTE_VERSION=7600", nil, []string{"38;2;", "38;5;"}},
		{"NO_COLOR=1 VTE_VERSION=7600", nil, []string{"38;2;", "38;5;"}},
	} {
		a := crowded(t, 10)
		on := tty.Device{In: strings.NewReader(""), Out: io.Discard, Env: append([]string{"TTY_FORCE=1", "TERM=xterm-256color"}, strings.Fields(c.env)...)}
		if _, err := NewProgram(a, on); err != nil {
			t.Fatal(err)
		}
		frame := strings.Join(a.Frame().Lines, "\n")
		for _, part := range c.has {
			if !strings.Contains(frame, part) {
				t.Errorf("%s: there is no %q", c.env, part)
			}
		}
		for _, part := range c.lacks {
			if strings.Contains(frame, part) {
				t.Errorf("%s: there is %q", c.env, part)
			}
		}
	}
}
