package dialog

import (
	"testing"

	"github.com/cardtop/cardtop/state"
)

func TestWhatACardHoldsAfterwardsIsNeverCut(t *testing.T) {
	r := &state.PlanRow{Intent: state.FundCard{}, Amount: 105 * state.Dollar, Before: 95 * state.Dollar, After: 200 * state.Dollar}
	for n, want := range map[int]string{30: "+105.00  95.00 → 200.00", 23: "+105.00  95.00 → 200.00", 22: "+105.00 → 200.00", 16: "+105.00 → 200.00"} {
		if got := effect(plainTheme(t), r, n); got != want {
			t.Errorf("in %d cells: %q", n, got)
		}
	}
}
