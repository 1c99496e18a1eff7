package plans

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
	"github.com/cardtop/cardtop/ui/widget"
)

// TestAPlanTellsOfCardsThatAreNotInSight has three cards, of which a filter
// hides the last two; one of these is unchanged.
func TestAPlanTellsOfCardsThatAreNotInSight(t *testing.T) {
	s := dialogtest.StoreOf(t, guard.Guard{}, api.CardActive, api.CardActive, api.CardFrozen)
	in := state.Writes{Kind: state.BulkFreeze, Cards: []api.CardID{"card_1", "card_2", "card_3"}}
	d := NewPlan(panetest.Theme(t), s, 0, func(s *state.Store) *state.Plan { return s.Plan(in) })
	if text := dialogtest.Text(d, 90, 20); strings.Contains(text, "hidden") {
		t.Errorf("all are in sight:\n%s", text)
	}
	d.Unseen(2)
	d.Type("r", "r") // The plan is made anew of the same cards.
	for _, size := range [][2]int{{90, 20}, {36, 9}} {
		text := dialogtest.Text(d, size[0], size[1])
		if !strings.Contains(text, "• 1 hidden by the filter") || !strings.Contains(text, "2 cards · 1 unchanged") {
			t.Errorf("at %v:\n%s", size, text)
		}
		if lines := strings.Split(text, "\n"); !strings.Contains(lines[3], "• fb ••0002") {
			t.Errorf("at %v it does not come first:\n%s", size, text)
		}
	}
	many := NewMany(panetest.Theme(t), s, state.Writes{Kind: state.BulkFund, Cards: in.Cards}, 2)
	if text := dialogtest.Text(many, 36, 9); !strings.Contains(text, "Fund 3 cards, 2 hidden") {
		t.Error(text)
	}
	dialogtest.Type(many, "5")
	if r := many.Act(keymap.Confirm); r.Push == nil || !strings.Contains(dialogtest.Text(r.Push, 90, 20), "2 hidden") {
		t.Errorf("%+v", r)
	}
}

// TestNoKeyIsCut draws every way to fund, draw and change many cards on the
// smallest screen.
func TestNoKeyIsCut(t *testing.T) {
	s := dialogtest.StoreOf(t, guard.Guard{}, api.CardActive, api.CardFrozen)
	ids := []api.CardID{"card_1", "card_2"}
	for _, in := range []state.Writes{{Kind: state.BulkFund, Cards: ids}, {Kind: state.BulkWithdraw, Cards: ids}, {Kind: state.BulkLimit, Cards: ids}} {
		d := NewMany(panetest.Theme(t), s, in, 1)
		for range 3 {
			text := dialogtest.Text(d, 36, 9)
			if strings.Contains(text, "…") || !strings.Contains(text, "esc back") || strings.Count(text, "\n") >= 9 {
				t.Errorf("%T:\n%s", in, text)
			}
			d.Act(keymap.Switch)
		}
	}
	for w := range 80 {
		text := strings.Join(dialog.KeyLines(panetest.Theme(t), w, "tab switch", "esc back", "e on error: continue"), "\n")
		if w >= len(" e on error: continue") && strings.Contains(widget.Strip(text), "…") {
			t.Errorf("%d cells: %q", w, text)
		}
	}
}

// TestTheFormOfManyIsReadOnTheSmallestScreen, and a number in it is typed over.
func TestTheFormOfManyIsReadOnTheSmallestScreen(t *testing.T) {
	several := NewSeveral(panetest.Theme(t), dialogtest.Store(t))
	dialogtest.ReadForm(t, several, several.form)
	five := 5 * api.Dollar
	several.fill(api.CreateCardRequest{Label: "fb", SpendingLimit: &five})
	for _, at := range []int{severalStart, severalLimit} {
		several.form.At = several.start.Shift() + at
		dialogtest.Type(several, "12")
		if got := several.form.Focused().Entry.Value(); got != "12" {
			t.Errorf("%s: %q", several.form.Focused().Label, got)
		}
	}
}

// TestAReviewScrollsWhileItIsTypedInto reads all of what a termination does on
// a screen with no room for it.
func TestAReviewScrollsWhileItIsTypedInto(t *testing.T) {
	d := dialog.NewTerminate(panetest.Theme(t), dialogtest.Store(t), "card_1")
	dialogtest.Type(d, "00")
	first := dialogtest.Text(d, 36, 7)
	if !d.Move(keymap.Down) || dialogtest.Text(d, 36, 7) == first || !strings.Contains(first, "↑↓ scroll") {
		t.Errorf("it does not scroll:\n%s", first)
	}
	if text := dialogtest.Text(d, 62, 20); d.Move(keymap.Down) || strings.Contains(text, "more") {
		t.Errorf("all is in sight:\n%s", text)
	}
}

func TestLabelsHaveRoomInEveryLanguage(t *testing.T) {
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form { return NewSeveral(th, dialogtest.Store(t)).form })
}
