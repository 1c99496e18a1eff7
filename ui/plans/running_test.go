package plans

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// TestWhatIsAskedForIsWhatIsLeft has rows settled elsewhere while a person is
// asked whether an interrupted plan goes on.
func TestWhatIsAskedForIsWhatIsLeft(t *testing.T) {
	s := dialogtest.Store(t)
	p := &state.Plan{ID: "plan-1", Kind: state.BulkTerminate}
	for _, id := range []api.CardID{"card_1", "card_2", "card_3"} {
		p.Rows = append(p.Rows, state.PlanRow{Card: id, Key: api.IdempotencyKey(id), Amount: 5 * api.Dollar, Write: state.Terminate(id)})
	}
	found := state.PlansFound{Meta: kernel.Meta{Sent: panetest.At(0), At: panetest.At(0)}, Left: []state.LeftPlan{{Plan: p}}}
	s.Apply(found)
	b := NewBatch(panetest.Theme(t), s, p.ID)
	asks := func(want string) {
		t.Helper()
		b.Sync(s, kernel.TopicAll)
		if text := dialogtest.Text(b, 100, 30); !strings.Contains(text, want) {
			t.Errorf("does not ask for %q:\n%s", want, text)
		}
	}
	asks("Resume 3 cards $15.00")
	b.Type("3", "3")
	asks("Resume 3 cards $15.00")
	if !strings.Contains(dialogtest.Text(b, 100, 30), "number of cards  3") {
		t.Error("what was typed is lost although nothing changed")
	}
	found.Left[0].Statuses = map[api.IdempotencyKey]state.OpStatus{"card_1": state.OpStatusDone}
	s.Apply(found)
	asks("Resume 2 cards $10.00")
	if strings.Contains(dialogtest.Text(b, 100, 30), "number of cards  3") {
		t.Error("what was typed for other rows counts")
	}
}
