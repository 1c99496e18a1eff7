package engine_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/state"
)

// TestWhatIsOfferedToCopyIsTaken holds that a table which the store takes for
// small enough is no larger than what the clipboard takes.
func TestWhatIsOfferedToCopyIsTaken(t *testing.T) {
	if state.MaxCopied != clipboard.MaxBytes {
		t.Errorf("the store offers %d bytes, the clipboard takes %d", state.MaxCopied, clipboard.MaxBytes)
	}
}
