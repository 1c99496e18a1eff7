package write

import (
	"testing"
	"time"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/app"
	"github.com/cardtop/cardtop/internal/storage/history"
	"github.com/cardtop/cardtop/state"
)

// TestAnInterruptedPlanSaysWhatIsKnownOfItsRows: by its own notes, and by the history, which may know more.
func TestAnInterruptedPlanSaysWhatIsKnownOfItsRows(t *testing.T) {
	t.Parallel()
	past, err := history.Open(history.Config{Dir: t.TempDir(), Now: func() time.Time { return time.Unix(0, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := past.Add(state.Record{Action: "fund", Key: "later", Amount: api.Dollar, Outcome: state.OpStatusDone}); err != nil {
		t.Fatal(err)
	}
	if _, err := past.Add(state.Record{Action: "add", Outcome: state.OpStatusDone}); err != nil { // A person of a hub: no key.
		t.Fatal(err)
	}
	left := state.LeftPlan{
		Plan:     &state.Plan{Kind: state.BulkFund, Rows: []state.PlanRow{{Key: "waits"}, {Key: "sent"}, {Key: "settled"}, {Key: "refused"}, {Key: "later"}, {Out: "is terminated"}}},
		Begun:    map[api.IdempotencyKey]time.Time{"sent": {}, "settled": {}, "refused": {}, "later": {}},
		Statuses: map[api.IdempotencyKey]state.OpStatus{"settled": state.OpStatusResolvedDone, "refused": state.OpStatusRefused},
	}
	all, err := Left(app.Account{History: past}, left)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"planned", "unknown", "done", "refused", "done", "blocked"}
	for i, r := range all {
		if r.Outcome != want[i] {
			t.Errorf("%s is %s, want %s", r.Key, r.Outcome, want[i])
		}
	}
}
