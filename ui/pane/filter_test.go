package pane

import (
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"github.com/cardtop/cardtop/api"
	"github.com/cardtop/cardtop/internal/query"
	"github.com/cardtop/cardtop/keymap"
	"github.com/cardtop/cardtop/state/display"
	"github.com/cardtop/cardtop/ui/theme"
)

// TestAHalfTypedTermDoesNotShout types a term that is wrong until it is whole.
func TestAHalfTypedTermDoesNotShout(t *testing.T) {
	th, err := theme.New(theme.Dark, colorprofile.TrueColor)
	if err != nil {
		t.Fatal(err)
	}
	lang := query.Language[int]{
		Holds:  func(int, *query.Needle) bool { return true },
		Fields: []query.Field[int]{{Name: "bal", Money: func(int) (api.USD, bool) { return 0, true }}},
	}
	f, q := NewFilter(new(theme.Theme)), query.Query[int]{}
	f.Act(keymap.OpenFilter)
	typed := func(text string) {
		for _, r := range text {
			key := string(r)
			if r == ' ' {
				key = "space"
			}
			if f.Type(key, string(r)) {
				q = Understand(f, &lang, q)
			}
		}
	}
	said := func() (text string, shouts bool) {
		marked := false
		for _, s := range f.Spans(&th, display.Display{}, 120) {
			marked = marked || s.Style == th.Bad
		}
		if text, shouts = f.Advice(); marked != shouts {
			t.Errorf("%q: the text is marked as wrong: %t", text, marked)
		}
		return text, shouts
	}
	typed("bal<1.")
	if text, shouts := said(); shouts || !strings.Contains(text, "USD, as in bal<20") {
		t.Errorf("while it is typed: %q, shouts %t", text, shouts)
	}
	f.Act(keymap.Confirm)
	if text, shouts := said(); !shouts || !strings.Contains(text, "1. is no amount, as in bal<20") || !f.Typing() {
		t.Errorf("when it was to be kept: %q, shouts %t", text, shouts)
	}
	typed("x")
	if _, shouts := said(); shouts {
		t.Error("it shouts while it is typed on")
	}
	typed(" fb")
	if text, shouts := said(); !shouts || !strings.Contains(text, "1.x is no amount") {
		t.Errorf("when another term follows: %q, shouts %t", text, shouts)
	}
}
