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
	b := newButtons(nil, "Fund", func() kernel.Verdict { return now })
	b.act(keymap.Switch)
	if b.at != onButton {
		t.Fatalf("the focus is at %d", b.at)
	}
	now.Reason = "the wallet is $5 short"
	b.sync(kernel.TopicWallet)
	now.Reason = ""
	b.sync(kernel.TopicWallet)
	if got := b.act(keymap.Confirm); got != cancelled {
		t.Errorf("enter decided %d", got)
	}
}
