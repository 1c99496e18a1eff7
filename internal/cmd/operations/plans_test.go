package operations

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
)

// TestAPlanCountsItsLaterParts: they are left to do as well.
func TestAPlanCountsItsLaterParts(t *testing.T) {
	t.Parallel()
	got := planOf(state.LeftPlan{Plan: &state.Plan{Rows: []state.PlanRow{{Amount: 2 * api.Dollar}, {Amount: 3 * api.Dollar, Later: true}}}})
	if got.Cards != 2 || got.Amount != 5*api.Dollar {
		t.Errorf("%d cards, %s", got.Cards, got.Amount)
	}
}
