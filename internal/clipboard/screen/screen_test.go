package screen

import (
	"strings"
	"testing"
)

func TestSequenceUndoesTheDashboard(t *testing.T) {
	seq := sequence()
	last := -1
	// In this order: nothing may be erased outside the alternate screen, and
	// the keyboard is reset where it was set.
	for _, part := range []string{"\x1b[?2026l", "\x1b[m", "\x1b[r", "\x1b[2J", "\x1b[<1u", "\x1b[?1049l", "\x1b[?25h"} {
		at := strings.Index(seq, part)
		if at <= last {
			t.Errorf("%q at %d, after %d", part, at, last)
		}
		last = at
	}
	for _, part := range []string{"\x1b[?1000l", "\x1b[?1002l", "\x1b[?1003l", "\x1b[?1006l", "\x1b[?2004l", "\x1b[?1004l", "\x1b[>4m", "\x1b[?7h", "\x1b]2;\a"} {
		if !strings.Contains(seq, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if strings.Contains(seq, "\x1b[3J") {
		t.Error("the scrollback is erased")
	}
}
