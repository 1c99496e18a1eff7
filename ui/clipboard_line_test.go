package ui

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/state/secrets"
	"github.com/cardtop/cardtop/ui/layout"
	"github.com/cardtop/cardtop/ui/widget"
)

func TestTheClipboardIsNamedWithItsTimeAndLeavesRoomForAKey(t *testing.T) {
	t.Parallel()
	clip := secrets.Clip{What: "code for Meta Platforms Ireland $64.51, fb/scale/05 ••5679", Short: [4]string{
		"code for Meta Platforms Ireland $64.51, ••5679", "code $64.51 ••5679", "code ••5679", "code",
	}}
	for w := layout.MinWidth; w <= 200; w++ {
		for s, says := range map[secrets.ClipState]string{secrets.ClipCopied: "copied, clears in 27s", secrets.ClipSent: "27s", secrets.ClipStuck: "CANNOT CLEAR"} {
			n := clipRoom(w)
			clip.State = s
			got := clipText(nil, clip, "27s", "✓", n)
			if widget.Width(got) > n || w-n < helpLeast || !strings.Contains(got, says) || !strings.Contains(got, "code") || !strings.Contains(got, "••5679") {
				t.Errorf("in %d of %d cells: %q", n, w, got)
			}
		}
	}
	clip.State = secrets.ClipCopied
	for n, want := range map[int]string{
		96: "✓ code for Meta Platforms Ireland $64.51, fb/scale/05 ••5679 copied, clears in 27s ",
		80: "✓ code for Meta Platforms Ireland $64.51, ••5679 copied, clears in 27s ",
		53: "✓ code $64.51 ••5679 copied, clears in 27s ",
		37: "✓ code ••5679 copied, clears in 27s",
		30: "✓ code copied, clears in 27s",
	} {
		if got := clipText(nil, clip, "27s", "✓", n); got != want {
			t.Errorf("in %d cells: %q", n, got)
		}
	}
	for n, want := range map[int]string{
		96: "✓ request of fb/01 ••0001 copied, clears in 27s ",
		46: "✓ request of fb/… ••0001 copied, clears in 27s",
	} {
		if got := clipText(nil, secrets.Clip{What: "request of fb/01 ••0001", State: secrets.ClipCopied}, "27s", "✓", n); got != want {
			t.Errorf("in %d cells: %q", n, got)
		}
	}
}
