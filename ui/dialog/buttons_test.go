package dialog

import (
	"testing"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
)

// TestARefusalMovesTheFocusEvenUnseen holds that enter cancels after a refusal
// that came and went between two frames.
func TestARefusalMovesTheFocusEvenUnseen(t *testing.T) {
	var now kernel.Verdict
	b := NewButtons(nil, "Fund", func() kernel.Verdict { return now })
	b.Act(keymap.Switch)
	if b.at != onButton {
		t.Fatalf("the focus is at %d", b.at)
	}
	now.Reason = "the wallet is $5 short"
	b.Sync(kernel.TopicWallet)
	now.Reason = ""
	b.Sync(kernel.TopicWallet)
	if got := b.Act(keymap.Confirm); got != Cancelled {
		t.Errorf("enter decided %d", got)
	}
}
