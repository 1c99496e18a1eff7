package engine_test

import (
	"testing"

	"github.com/cardtop/cardtop/internal/clipboard"
	"github.com/cardtop/cardtop/state/rows"
)

// TestWhatIsOfferedToCopyIsTaken holds that a table which the store takes for
// small enough is no larger than what the clipboard takes.
func TestWhatIsOfferedToCopyIsTaken(t *testing.T) {
	if rows.MaxCopied != clipboard.MaxBytes {
		t.Errorf("the store offers %d bytes, the clipboard takes %d", rows.MaxCopied, clipboard.MaxBytes)
	}
}
