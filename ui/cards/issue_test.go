package cards

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/theme"
)

// TestANumberInAFormIsTypedOver: what is typed first takes the place of a number that is known, and a text goes on.
func TestANumberInAFormIsTypedOver(t *testing.T) {
	t.Parallel()
	s := dialogtest.Store(t)
	edit := NewEdit(panetest.Theme(t), s, "card_1")
	five := 5 * api.Dollar
	edit.known = state.Known{Label: "fb", Limit: &five, AutoFreeze: &five}
	edit.seed()
	for _, f := range []struct {
		dialog.Dialog
		form *dialog.Form
		at   int
		want string
	}{
		{edit, edit.form, editLimit, "12"},
		{edit, edit.form, editFreeze, "12"},
		{edit, edit.form, editLabel, "fb12"},
	} {
		f.form.At = f.at
		if f.form.Focused().Entry.Value() == "" {
			t.Errorf("%s is empty", f.form.Focused().Label)
		}
		f.Type("1", "1")
		f.Type("2", "2")
		if got := f.form.Focused().Entry.Value(); got != f.want {
			t.Errorf("%s: %q, want %q", f.form.Focused().Label, got, f.want)
		}
	}
}

// TestWhatIsProposedIsInTheForm, and stays there whatever is read.
func TestWhatIsProposedIsInTheForm(t *testing.T) {
	t.Parallel()
	s := dialogtest.Store(t)
	edit := NewEdit(panetest.Theme(t), s, "card_1").At(cardcsv.Limit).With(api.UpdateCardRequest{
		SpendingLimit: new(520 * api.Dollar), AllowedCategories: &[]string{"7311", "5734"},
	})
	edit.Sync(s, kernel.TopicAll)
	change := edit.intent().Change
	if change.SpendingLimit == nil || *change.SpendingLimit != 520*api.Dollar || change.AllowedCategories == nil || len(*change.AllowedCategories) != 2 {
		t.Errorf("%+v", change)
	}
}

// TestAProposedLimitLowersNone: one that was raised meanwhile stays.
func TestAProposedLimitLowersNone(t *testing.T) {
	t.Parallel()
	s := dialogtest.Store(t)
	edit := NewEdit(panetest.Theme(t), s, "card_1").With(api.UpdateCardRequest{SpendingLimit: new(520 * api.Dollar)})
	for known, want := range map[api.USD]string{500 * api.Dollar: "520.00", 900 * api.Dollar: "900.00"} {
		edit.With(api.UpdateCardRequest{SpendingLimit: new(520 * api.Dollar)})
		edit.known.Limit = &known
		if edit.seed(); edit.form.Fields[editLimit].Entry.Value() != want {
			t.Errorf("known %s: %s", known, edit.form.Fields[editLimit].Entry.Value())
		}
	}
}

// TestAFormIsReadOnTheSmallestScreen: all of each field is in sight, and the keys.
func TestAFormIsReadOnTheSmallestScreen(t *testing.T) {
	s, th := dialogtest.Store(t), panetest.Theme(t)
	issue, edit := NewIssue(th, s), NewEdit(th, s, "card_1")
	dialogtest.ReadForm(t, issue, issue.form)
	dialogtest.ReadForm(t, edit, edit.form)
}

func TestLabelsHaveRoomInEveryLanguage(t *testing.T) {
	s := dialogtest.Store(t)
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form { return NewIssue(th, s).form })
	dialogtest.FitLabels(t, func(th *theme.Theme) *dialog.Form { return NewEdit(th, s, "card_1").form })
}
