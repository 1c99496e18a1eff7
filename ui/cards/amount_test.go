package cards

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/kernel"
	"github.com/cardtop/cardtop/ui/dialog"
	"github.com/cardtop/cardtop/ui/dialog/dialogtest"
	"github.com/cardtop/cardtop/ui/pane/panetest"
	"github.com/cardtop/cardtop/ui/widget"
)

// TestTheFocusedFieldIsAlwaysInSight walks a long form on every height.
func TestTheFocusedFieldIsAlwaysInSight(t *testing.T) {
	th := panetest.Theme(t)
	for h := 7; h < 40; h++ {
		issue := NewIssue(th, dialogtest.Store(t))
		issue.form.At = len(issue.form.Fields) - 1
		for n := range 25 {
			issue.Paste(fmt.Sprintf("key%d=value%d\n", n, n))
			issue.Act(keymap.NextField)
			if issue.form.At == 0 {
				issue.form.At = len(issue.form.Fields) - 1
			}
		}
		for range 2 * len(issue.form.Fields) {
			lines := strings.Split(dialogtest.Text(issue, 36, h), "\n")
			marks := 0
			for _, l := range lines {
				if widget.Width(l) != 36 {
					t.Fatalf("a line of %d cells: %q", widget.Width(l), l)
				}
				if strings.HasPrefix(l, "│▸") || strings.HasPrefix(l, "│✗") {
					marks++
				}
			}
			if marks == 0 || len(lines) > h {
				t.Fatalf("height %d, field %d:\n%s", h, issue.form.At, strings.Join(lines, "\n"))
			}
			issue.Act(keymap.PrevField)
		}
	}
}

// TestVerdictsAreAskedForWhenSomethingChanged funds a card with four keys, and
// draws every frame in between many times.
func TestVerdictsAreAskedForWhenSomethingChanged(t *testing.T) {
	s := dialogtest.Store(t)
	calls := 0
	count := func(in kernel.Intent) kernel.Verdict {
		calls++
		return s.Check(in)
	}
	amount := NewAmount(panetest.Theme(t), s, Transfer{Title: "Fund", Verb: "Fund", Card: "card_1", Again: []string{"+"}})
	amount.check = count
	draw := func(d dialog.Dialog) {
		for range 10 {
			dialogtest.Text(d, 62, 20)
		}
	}
	for _, key := range []string{"5", "0"} {
		draw(amount)
		amount.Type(key, key)
	}
	draw(amount)
	r := amount.Act(keymap.Confirm)
	if r.Push == nil {
		t.Fatalf("%+v", r)
	}
	draw(r.Push)
	if r := r.Push.Type("+", "+"); len(r.Intents) != 1 {
		t.Fatalf("%+v", r)
	}
	if calls > 3 { // One for each change; dispatching asks once more.
		t.Errorf("%d calls of Store.Check for `5 0 enter +`", calls)
	}
}
