package write

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/engine/act"
	"github.com/cardtop/cardtop/state"
)

// TestARowOfAnEarlierRunIsPrintedAsItWasDone, which may be less than was planned.
func TestARowOfAnEarlierRunIsPrintedAsItWasDone(t *testing.T) {
	t.Parallel()
	plan := &state.Plan{Kind: state.BulkFund, Share: state.ShareLevel, Amount: 300 * api.Dollar, Rows: []state.PlanRow{
		{Card: "card_1", Key: "k1", Write: state.Fund("card_1", 300*api.Dollar), Amount: 300 * api.Dollar, After: 300 * api.Dollar},
		{Card: "card_2", Key: "k2", Write: state.Fund("card_2", 300*api.Dollar), Amount: 300 * api.Dollar, After: 300 * api.Dollar},
	}}
	before, after := 50*api.Dollar, 301*api.Dollar
	past := newest([]state.Record{
		{Key: "k1", Outcome: state.OpStatusDone, Asked: 250 * api.Dollar, Amount: 251 * api.Dollar, CardBefore: &before, CardAfter: &after, Mismatch: "odd"},
		{Key: "k1", Outcome: state.OpStatusUnknown, Asked: 7 * api.Dollar},
		{Key: "k2", Outcome: state.OpStatusUnknown, Asked: 7 * api.Dollar},
	})
	rows := rowsOf(act.Batch{Batches: []*state.Batch{{Plan: plan, Rows: []state.RowResult{{State: state.RowDone}, {State: state.RowUnsettled}}}}}, past)
	if r := rows[0]; r.Amount != 250*api.Dollar || r.Before != before || r.After != after || r.Mismatch != "odd" {
		t.Errorf("%s, %s to %s, %q", r.Amount, r.Before, r.After, r.Mismatch)
	}
	if r := rows[1]; r.Amount != 300*api.Dollar || r.Outcome != state.OpStatusUnknown {
		t.Errorf("%s %s", r.Amount, r.Outcome)
	}
}
