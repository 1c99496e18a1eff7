package state_test

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/state/secrets"
)

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
