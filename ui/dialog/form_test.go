package dialog

import (
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/cardcsv"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/pane"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// TestANumberInAFormIsTypedOver: what is typed first takes the place of a number that is known, and a text goes on.
func TestANumberInAFormIsTypedOver(t *testing.T) {
	t.Parallel()
	lines, _ := alertLines(t, pane.EditAlerts{})
	lines.Act(keymap.NextField)
	s := loaded(t)
	edit := NewEdit(panetest.Theme(t), s, "card_1")
	five := 5 * api.Dollar
	edit.known = state.Known{Label: "fb", Limit: &five, AutoFreeze: &five}
	edit.seed()
	several := NewSeveral(panetest.Theme(t), s)
	several.fill(api.CreateCardRequest{Label: "fb", SpendingLimit: &five})
	for _, f := range []struct {
		Dialog
		form *form
		at   int
		want string
	}{
		{lines, lines.form, 1, "12"},
		{edit, edit.form, editLimit, "12"},
		{edit, edit.form, editFreeze, "12"},
		{edit, edit.form, editLabel, "fb12"},
		{several, several.form, several.start.shift() + severalStart, "12"},
		{several, several.form, several.start.shift() + severalLimit, "12"},
	} {
		f.form.at = f.at
		if f.form.focused().entry.Value() == "" {
			t.Errorf("%s is empty", f.form.focused().label)
		}
		f.Type("1", "1")
		f.Type("2", "2")
		if got := f.form.focused().entry.Value(); got != f.want {
			t.Errorf("%s: %q, want %q", f.form.focused().label, got, f.want)
		}
	}
}

// TestWhatIsProposedIsInTheForm, and stays there whatever is read.
func TestWhatIsProposedIsInTheForm(t *testing.T) {
	t.Parallel()
	s := loaded(t)
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
	s := loaded(t)
	edit := NewEdit(panetest.Theme(t), s, "card_1").With(api.UpdateCardRequest{SpendingLimit: new(520 * api.Dollar)})
	for known, want := range map[api.USD]string{500 * api.Dollar: "520.00", 900 * api.Dollar: "900.00"} {
		edit.With(api.UpdateCardRequest{SpendingLimit: new(520 * api.Dollar)})
		edit.known.Limit = &known
		if edit.seed(); edit.form.fields[editLimit].entry.Value() != want {
			t.Errorf("known %s: %s", known, edit.form.fields[editLimit].entry.Value())
		}
	}
}
