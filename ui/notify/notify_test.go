package notify

import (
	"strings"
	"testing"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestEachTerminalGetsWhatItUnderstands(t *testing.T) {
	for _, c := range []struct {
		name string
		env  []string
		want string
	}{
		{"iTerm2", []string{"TERM_PROGRAM", "iTerm.app", "TERM", "xterm-256color"}, "\a\x1b]9;cardtop: code ready; now\a"},
		{"none known", nil, "\a\x1b]9;cardtop: code ready; now\a"},
		{"kitty", []string{"TERM", "xterm-kitty"}, "\a\x1b]99;i=cardtop:d=1;cardtop: code ready; now\a"},
		{"foot", []string{"TERM", "foot"}, "\a\x1b]777;notify;cardtop;code ready, now\a"},
		{"urxvt", []string{"TERM", "rxvt-unicode-256color"}, "\a\x1b]777;notify;cardtop;code ready, now\a"},
		{"tmux", []string{"TMUX", "/tmp/x,1,0", "TERM", "tmux-256color"}, "\a\x1bPtmux;\x1b\x1b]9;cardtop: code ready; now\a\x1b\\"},
		{"kitty in tmux", []string{"TMUX", "/tmp/x,1,0", "TERM", "tmux-256color", "KITTY_WINDOW_ID", "1"}, "\a\x1bPtmux;\x1b\x1b]99;i=cardtop:d=1;cardtop: code ready; now\a\x1b\\"},
		{"screen", []string{"STY", "1.x", "TERM", "screen"}, "\a\x1bP\x1b]9;cardtop: code ready; now\a\x1b\\"},
	} {
		if got := Detect(env(c.env...)).Sequence("code ready; now"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestTextStartsNoSequenceOfItsOwn(t *testing.T) {
	for _, e := range [][]string{nil, {"TERM", "foot"}, {"TERM", "xterm-kitty"}} {
		got := Detect(env(e...)).Sequence("a\x07\x1b]52;c;eA==\x07\u009b31m\r\n" + strings.Repeat("x", 500))
		if strings.Count(got, "\x1b") != 1 || strings.Count(got, "\a") != 2 || strings.ContainsAny(got, "\u009b\r\n") {
			t.Errorf("%q", got)
		}
		if len(got) > 250 {
			t.Errorf("%d bytes", len(got))
		}
	}
}
