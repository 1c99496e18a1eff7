package widget_test

import (
	"slices"
	"testing"

	"github.com/cardtop/cardtop/ui/widget"
)

// TestADimmedBlockIsThatOfNow, whatever it was before.
func TestADimmedBlockIsThatOfNow(t *testing.T) {
	var kept widget.Dimmed
	styles := []widget.Style{"\x1b[2m", "\x1b[38;5;8m"}
	for i, block := range [][]string{{"a", "b"}, {"a", "c"}, {"a"}, {"a", ""}, {"", "b"}, {"\x1b[1mb\x1b[m", "b"}, nil} {
		for _, style := range []widget.Style{styles[i%2], styles[(i+1)%2], styles[(i+1)%2]} {
			got := kept.Lines(block, style)
			want := new(widget.Dimmed).Lines(block, style)
			if !slices.Equal(got, want) {
				t.Errorf("%q in %q: %q, want %q", block, style, got, want)
			}
			for j := range got {
				got[j] = "changed" // They are the caller's.
			}
		}
	}
}
