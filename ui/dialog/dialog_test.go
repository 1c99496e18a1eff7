package dialog_test

import (
	"strings"
	"testing"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state"
	"github.com/cardtop/cardtop/state/guard"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
)

// guarded is a store whose guardrails confirm the card twice, and have more
// than $40 typed twice.
func guarded(t *testing.T) *state.Store {
	t.Helper()
	return dialogtest.StoreOf(t, guard.Guard{Live: true, TypeTwice: 40 * api.Dollar, ConfirmLabels: []string{"fb"}}, api.CardActive)
}

func TestASecondConfirmation(t *testing.T) {
	in := state.Fund("card_1", 50*api.Dollar)
	for _, waits := range []bool{false, true} {
		asked := func() *dialog.Confirm {
			d := dialog.NewConfirm(panetest.Theme(t), guarded(t), dialog.Question{Title: "Fund", Verb: "Fund $50.00", Intent: in, Closes: 2, Waits: waits, Again: []string{"+"}})
			if r := d.Type("+", "+"); len(r.Intents) != 0 {
				t.Fatal("once was enough")
			}
			return d
		}
		d := asked()
		for _, want := range []string{"the label matches", "amount again", "▸Cancel", "$100.00 → $150.00"} {
			if text := dialogtest.Text(d, 62, 20); !strings.Contains(text, want) {
				t.Errorf("lacks %q:\n%s", want, text)
			}
		}
		d.Paste("50")
		if !strings.Contains(dialogtest.Text(d, 62, 20), "paste is off here") {
			t.Error("a paste is not refused")
		}
		for _, wrong := range []string{"", "5", "50.01"} {
			d := asked()
			d.Act(keymap.Switch)
			dialogtest.Type(d, wrong)
			if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || r.Close {
				t.Errorf("%q confirms", wrong)
			}
			if text := dialogtest.Text(d, 62, 20); !strings.Contains(text, "type the amount again first") {
				t.Errorf("%q: it is not said what is missing:\n%s", wrong, text)
			}
		}
		d.Type("ctrl+u", "")
		if r := d.Type("+", "+"); len(r.Intents) != 0 {
			t.Error("the key that opened the first confirms the second")
		}
		d.Type("ctrl+u", "")
		dialogtest.Type(d, "50.00")
		if r := d.Act(keymap.Confirm); len(r.Intents) != 0 || r.Close || !strings.Contains(dialogtest.Text(d, 62, 20), "▸Fund $50.00") {
			t.Errorf("enter in the field does not lead to the button: %+v", r)
		}
		if r := d.Act(keymap.Confirm); len(r.Intents) != 1 || r.Intents[0] != kernel.Intent(in) || r.Close == waits || r.CloseMore != 0 {
			t.Errorf("%+v", r)
		}
		d.Act(keymap.Switch)
		if r := d.Act(keymap.Confirm); !r.Close || r.CloseMore != 1 || len(r.Intents) != 0 || r.Told != "nothing was sent" {
			t.Errorf("Cancel: %+v", r)
		}
	}
}

func TestThereIsNoButtonThatDoesNothing(t *testing.T) {
	in := state.Fund("card_1", 5001*api.Dollar)
	d := dialog.NewConfirm(panetest.Theme(t), dialogtest.Store(t), dialog.Question{Title: "Fund", Verb: "Fund it", Intent: in, Closes: 1, Again: []string{"+"}})
	d.Act(keymap.Switch)
	if text := dialogtest.Text(d, 62, 20); !strings.Contains(text, "▸Cancel") || strings.Contains(text, "Fund it") || strings.Contains(text, "fund it") {
		t.Errorf("drawn:\n%s", text)
	}
	if r := d.Type("+", "+"); len(r.Intents) != 0 {
		t.Errorf("%+v", r)
	}
}
