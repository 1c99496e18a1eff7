package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
)

// TestAResultStaysItsTime has the clipboard cleared and a key pressed while a
// person reads what came of an operation.
func TestAResultStaysItsTime(t *testing.T) {
	s := settled(t)
	do(t, s, secrets.CopyNext{Card: first})
	number := one[secrets.CopyDetail](t, hold(s, time.Second, first))
	apply(s, secrets.ClipChanged{Seq: number.Seq, State: secrets.ClipCopied, Until: at(31 * time.Second)})
	op := sent(t, s, state.Fund(first, 25*dollar))
	apply(s, state.OpDone{Meta: meta(time.Second), Op: op.ID, CardBalance: new(125 * dollar), WalletBalance: new(975 * dollar)})
	wantNotice(t, s, kernel.Good, "funded fb ••0001 with $25.00, card $125.00, wallet $975.00")
	s.Notices.Dismiss()
	apply(s, secrets.ClipChanged{Seq: number.Seq, State: secrets.ClipCleared})
	wantNotice(t, s, kernel.Good, "funded fb ••0001 with $25.00")
	tick(s, 4*time.Second)
	wantNotice(t, s, kernel.Good, "funded fb ••0001 with $25.00")
	tick(s, 10*time.Second)
	wantNotice(t, s, kernel.Info, "clipboard cleared: number of fb")
	tick(s, 20*time.Second)
	if n := s.Notice(); n.Text != "" {
		t.Errorf("%+v", n)
	}
}

// TestAWaitThatEndsHidesNoResult moves the cursor on, and copies elsewhere, while
// a person reads what came of an operation.
func TestAWaitThatEndsHidesNoResult(t *testing.T) {
	for name, ends := range map[string][]kernel.Intent{
		"the cursor moves":  {secrets.CopyNext{Card: first}, state.SetKeyCard{Card: second}},
		"a copy is dropped": {secrets.CopyNext{Card: first}, secrets.RevealCard{Card: first}, secrets.CopyText{What: "path", Text: "/tmp/a"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := waiting(t, ends[0])
			op := sent(t, s, state.Fund(first, 25*dollar))
			apply(s, state.OpDone{Meta: meta(2 * time.Second), Op: op.ID, CardBalance: new(120 * dollar), WalletBalance: new(975 * dollar)})
			for _, in := range ends[1:] {
				do(t, s, in)
			}
			wantNotice(t, s, kernel.Warn, "funded fb ••0001 with $25.00", "but the preview said card $125.00")
			if s.Secrets.CopyWaits() {
				t.Error("it still waits")
			}
			tick(s, 15*time.Second)
			wantNotice(t, s, kernel.Info, "the copy that waited is dropped")
		})
	}
}
