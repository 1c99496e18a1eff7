package dialog

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/ui/widget"
)

func TestWhatACardHoldsAfterwardsIsNeverCut(t *testing.T) {
	r := &state.PlanRow{Intent: state.FundCard{}, Amount: 105 * state.Dollar, Before: 95 * state.Dollar, After: 200 * state.Dollar}
	for n, want := range map[int]string{30: "+105.00  95.00 → 200.00", 23: "+105.00  95.00 → 200.00", 22: "+105.00 → 200.00", 16: "+105.00 → 200.00", 15: "+105.00"} {
		if got := effect(plainTheme(t), r, n); got != want {
			t.Errorf("in %d cells: %q", n, got)
		}
	}
}

// TestAPlanTellsOfCardsThatAreNotInSight has three cards, of which a filter
// hides the last two; one of these needs nothing.
func TestAPlanTellsOfCardsThatAreNotInSight(t *testing.T) {
	s := loadedWith(t, state.Guard{}, api.CardActive, api.CardActive, api.CardFrozen)
	in := state.FreezeMany{Cards: []state.CardID{"card_1", "card_2", "card_3"}}
	d := NewPlan(plainTheme(t), s, 0, func(s *state.Store) *state.Plan { return s.Plan(in) })
	if text := shown(d, 90, 20); strings.Contains(text, "not in sight") {
		t.Errorf("all are in sight:\n%s", text)
	}
	d.Unseen(2)
	d.Type("r", "r") // The plan is made anew of the same cards.
	for _, size := range [][2]int{{90, 20}, {36, 9}} {
		text := shown(d, size[0], size[1])
		if !strings.Contains(text, "• 1 not in sight: filtered out") || !strings.Contains(text, "2 cards · 1 need nothing") {
			t.Errorf("at %v:\n%s", size, text)
		}
		if lines := strings.Split(text, "\n"); !strings.Contains(lines[3], "• fb ••0002") {
			t.Errorf("at %v it does not come first:\n%s", size, text)
		}
	}
	many := NewMany(plainTheme(t), s, state.FundMany{Cards: in.Cards}, 2)
	if text := shown(many, 36, 9); !strings.Contains(text, "Fund 3 cards, 2 not in sight") {
		t.Error(text)
	}
	typed(many, "5")
	if r := many.Act(keymap.Confirm); r.Push == nil || !strings.Contains(shown(r.Push, 90, 20), "2 not in sight") {
		t.Errorf("%+v", r)
	}
}

// TestNoKeyIsCut draws every way to fund, draw and change many cards on the
// smallest screen.
func TestNoKeyIsCut(t *testing.T) {
	s := loadedWith(t, state.Guard{}, api.CardActive, api.CardFrozen)
	ids := []state.CardID{"card_1", "card_2"}
	for _, in := range []state.Many{state.FundMany{Cards: ids}, state.WithdrawMany{Cards: ids}, state.LimitMany{Cards: ids}} {
		d := NewMany(plainTheme(t), s, in, 1)
		for range 3 {
			text := shown(d, 36, 9)
			if strings.Contains(text, "…") || !strings.Contains(text, "esc back") || strings.Count(text, "\n") >= 9 {
				t.Errorf("%T:\n%s", in, text)
			}
			d.Act(keymap.Switch)
		}
	}
	for w := range 80 {
		text := strings.Join(keyLines(plainTheme(t), w, "tab choose", "esc back", "e on errors: go on"), "\n")
		if w >= len(" e on errors: go on") && strings.Contains(widget.Strip(text), "…") {
			t.Errorf("%d cells: %q", w, text)
		}
	}
}
