package ui_test

import (
	"testing"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/clip"
)

// TestWhatIsOfferedToCopyIsTaken holds that a table which the store takes for
// small enough is no larger than what the clipboard takes.
func TestWhatIsOfferedToCopyIsTaken(t *testing.T) {
	if state.MaxCopied != clip.MaxBytes {
		t.Errorf("the store offers %d bytes, the clipboard takes %d", state.MaxCopied, clip.MaxBytes)
	}
}
