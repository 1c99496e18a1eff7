package ui

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

func TestTheClipboardIsNamedWithItsTimeAndLeavesRoomForAKey(t *testing.T) {
	t.Parallel()
	const what = "code for Meta Platforms Ireland $64.51, fb/scale/05 ••5679"
	for w := minWidth; w <= 200; w++ {
		for s, says := range map[state.ClipState]string{state.ClipCopied: "27s", state.ClipSent: "27s", state.ClipStuck: "CANNOT CLEAR"} {
			n := clipRoom(w)
			got := clipText(state.Clip{What: what, State: s}, "27s", "✓", n)
			if widget.Width(got) > n || w-n < len(" ? help ") || !strings.Contains(got, says) || !strings.Contains(got, "code") || !strings.Contains(got, "••5679") {
				t.Errorf("in %d of %d cells: %q", n, w, got)
			}
		}
	}
	for n, want := range map[int]string{
		96: "✓ number of fb/01 ••0001 copied, clears in 27s ",
		46: "✓ number of fb/01 ••0001, 27s ",
		24: "✓ number o… ••0001, 27s ",
	} {
		if got := clipText(state.Clip{What: "number of fb/01 ••0001", State: state.ClipCopied}, "27s", "✓", n); got != want {
			t.Errorf("in %d cells: %q", n, got)
		}
	}
}
